"""A second draw of faults and twins: attention, detection, a variational model, policies, Keras, hooks, queues, columns.

As in `further_mutations`, whose `Fault` they are.
"""

# ruff: noqa: E501 - a row of the table is a fault

from __future__ import annotations

from further_mutations import Fault

RELEASES = {
    "translation": "1.4.1", "detector": "1.4.1", "autoencoder": "1.12.3", "policy": "1.15.5", "fitted": "1.15.5",
    "hooked": "1.12.3", "queued": "0.12.1", "learned": "1.4.1", "wide_deep": "1.15.5", "speech": "0.12.1",
}  # fmt: skip


def _of(name: str, program: str, old: str, new: str, op: str = "", cause: str = "", verdict: str = "") -> Fault:
    return Fault(name, program, ((old, new),), op, cause, verdict)


TR, DE, AU, PO, FI, HO, QU, LE, WI, SP = RELEASES

FAULTS = (
    # attention
    _of("memory not masked", TR, "memory_sequence_length=source_lengths", "memory_sequence_length=None", "decoder/decoder/TensorArrayStack/TensorArrayGatherV3", "inside a loop"),
    _of("teacher one step ahead", TR, "target[:, :-1]], 1", "target[:, 1:]], 1", "strided_slice_1", "another constant"),
    _of("another start token", TR, "tf.fill([batch, 1], START)", "tf.fill([batch, 1], END)", "Fill", "another constant"),
    _of("decoder begins with zeros", TR, ".clone(cell_state=encoded)", "", "decoder/decoder/TensorArrayStack/TensorArrayGatherV3"),
    _of("loss averaged over one axis", TR, "average_across_batch=True", "average_across_batch=False", "sequence_loss/Sum_1", "wrong axis"),
    # detection
    _of("images not standardized", DE, 'tf.map_fn(tf.image.per_image_standardization, images, name="prepared")', 'tf.identity(images / 255.0, name="prepared")', "prepared/TensorArrayStack/TensorArrayGatherV3", "missing op"),
    _of("rate of dilation", DE, "rate=2", "rate=1", "wide/SpaceToBatchND", "missing op"),
    _of("kernel of a transposed convolution", DE, '4, 4, stride=2, scope="up"', '4, 2, stride=2, scope="up"', verdict="up/weights"),
    _of("no activation of a separable convolution", DE, "8, 3, depth_multiplier=2", "8, 3, depth_multiplier=2, activation_fn=None", "apart/Relu"),
    _of("depth multiplier", DE, "depth_multiplier=2", "depth_multiplier=1", "apart/separable_conv2d/depthwise", "another shape"),
    # a variational model
    _of("deviation for variance", AU, "tf.exp(0.5 * log_variance) * draw", "tf.exp(log_variance) * draw", "mul", "other wiring"),
    _of("sign of the divergence", AU, "weight * divergence - likelihood", "-weight * divergence - likelihood", "Neg_1", "added op"),
    _of("divergence without its mean", AU, "tf.exp(log_variance) + tf.square(mean) - 1.0", "tf.exp(log_variance) - 1.0", "sub|add", "other wiring|missing op"),
    _of("more noise in the input", AU, "flip < 0.1", "flip < 0.2", "Less", "another constant"),
    _of("noise the other way round", AU, "flip < 0.1, tf.zeros_like(x), x", "flip < 0.1, x, tf.zeros_like(x)", "noisy", "other wiring|inputs swapped"),
    # policies
    _of("discount of a scan", PO, "0.95 * later", "0.9 * later", "returns/TensorArrayStack/TensorArrayGatherV3", "inside a loop"),
    _of("ends not looked at", PO, "tf.where(is_end, reward, reward + 0.95 * later)", "reward + 0.95 * later", "returns/TensorArrayStack/TensorArrayGatherV3", "inside a loop"),
    _of("returns not turned back", PO, 'tf.reverse(returns, [0], name="in_order")', 'tf.identity(returns, name="in_order")', "in_order", "another op"),
    _of("range of a clipped ratio", PO, "clip_by_value(ratio, 0.8, 1.2", "clip_by_value(ratio, 0.9, 1.1", "clipped|clipped/Minimum", "another constant"),
    _of("gradients through the advantage", PO, 'tf.stop_gradient(returns - values, name="advantage")', 'tf.subtract(returns, values, name="advantage")', "advantage", "missing op"),
    # Keras
    _of("momentum of Keras", FI, "momentum=0.9)", "momentum=0.8)", "training/SGD/momentum/Assign", "another constant"),
    _of("l1 for l2", FI, "regularizers.l2(0.02)", "regularizers.l1(0.02)", "loss/hidden/kernel/Regularizer/Square", "another op"),
    _of("momentum of Keras' norm", FI, "BatchNormalization(momentum=0.8", "BatchNormalization(momentum=0.9", "norm/cond_1/Merge"),
    _of("activation of a Keras layer", FI, 'activation="elu"', 'activation="selu"', "hidden/Elu", "another op"),
    _of("another loss of Keras", FI, '"binary_crossentropy"', '"hinge"', "", ""),
    # hooks and pipelines
    _of("seed of the shuffle", HO, "shuffle(4, seed=6)", "shuffle(4, seed=7)", "IteratorGetNext", "other elements"),
    _of("shuffled after repeating", HO, "shuffle(4, seed=6).repeat(3)", "repeat(3).shuffle(4, seed=6)", "IteratorGetNext", "other elements"),
    _of("more is filtered", HO, "tf.less(size, 4)", "tf.less(size, 3)", "IteratorGetNext", "other elements"),
    _of("order of a vocabulary", HO, '["a", "b", "c", "d"]), num_oov', '["a", "b", "d", "c"]), num_oov', "IteratorGetNext"),
    _of("first value of a bias", HO, "constant_initializer(0.1)", "constant_initializer(0.0)", "fully_connected_1/biases/Assign", "another constant"),
    # queues
    _of("batches of a queue", QU, "answer], 4, capacity", "answer], 3, capacity", "input/batches", "another constant"),
    _of("elements not scaled", QU, "[one * 0.5, answer]", "[one, answer]", "input/batches", "other elements"),
    _of("a queue that is shuffled", QU, "shuffle=False", "shuffle=True, seed=3", "input/batches", "other elements"),
    _of("exponent of a local norm", QU, "beta=0.6", "beta=0.75", "lrn", "another constant"),
    # contrib.learn
    _of("boundary of a bucket", LE, "[20.0, 30.0, 40.0]", "[20.0, 35.0, 40.0]", "dnn/input_from_feature_columns/input_from_feature_columns/age_bucketized/bucketize", "another constant"),
    _of("buckets of a column", LE, "hash_bucket_size=5", "hash_bucket_size=6", "dnn/input_from_feature_columns/input_from_feature_columns/kind_embedding/lookup", "another constant"),
    _of("first value of a scale", LE, "constant_initializer(1.5)", "constant_initializer(1.0)", "scale/Assign", "another constant"),
    _of("activation of a canned network", LE, "activation_fn=tf.nn.relu, g", "activation_fn=tf.nn.tanh, g", "dnn/hiddenlayer_0/hiddenlayer_0/Relu", "another op"),
    # estimators
    _of("buckets of a cross", WI, "FC.crossed_column([age, city], 7)", "FC.crossed_column([age, city], 8)", "linear/linear_model/linear_model/linear_model/age_bucketized_X_city/SparseCross", "another constant"),
    _of("a bucket that evaluation alone reaches", WI, "[30, 50]", "[30, 45]"),
    _of("batches of an input_fn", WI, "batch(6)", "batch(5)", "IteratorGetNext", "other elements"),
    _of("momentum of a model_fn", WI, "MomentumOptimizer(rate, 0.6)", "MomentumOptimizer(rate, 0.9)", "Momentum/update_input_layer/city_embedding/embedding_weights/SparseApplyMomentum", "momentum definition"),
    # 0.12
    _of("forget bias of 0.12", SP, "forget_bias=0.5", "forget_bias=1.0", "RNN/cond_1/Merge_1", "inside a loop"),
    _of("lengths of an unrolled network", SP, "sequence_length=lengths", "sequence_length=None", "RNN/Min", "missing op"),
    _of("offset of a logarithm", SP, "+ 0.01, name", "+ 0.1, name", "add", "another constant"),
)  # fmt: skip

TWINS = (
    *(Fault("as it was", program, ()) for program in RELEASES),
    _of("padded with others, which a mask leaves out", HO, "np.int64(4), 0, 0", "np.int64(0), 0, 0"),
    Fault("renamed Python names", TR, (("clipped", "limited"), ("mechanism", "looked"))),
    _of("a norm by itself", TR, "clipped, _ = tf.clip_by_global_norm(gradients, 1.0)", "norm = tf.global_norm(gradients)\nclipped, _ = tf.clip_by_global_norm(gradients, 1.0, use_norm=norm)"),
    _of("lengths by a product", TR, "tf.fill([batch], STEPS)", "tf.ones([batch], tf.int32) * STEPS"),
    _of("a scope in two", DE, "up = slim.conv2d_transpose(wide", "pass\nwith slim.arg_scope(\n    [slim.conv2d, slim.conv2d_transpose],\n    activation_fn=tf.nn.relu,\n    weights_regularizer=slim.l2_regularizer(0.05),\n    weights_initializer=tf.truncated_normal_initializer(stddev=0.2),\n):\n    up = slim.conv2d_transpose(wide"),
    _of("a collection by its name", DE, "tf.losses.get_regularization_losses()", "tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)"),
    _of("a smooth loss without a condition", DE, 'smooth = tf.where(apart < 1.0, 0.5 * tf.square(apart), apart - 0.5, name="smooth")', 'low = tf.minimum(apart, 1.0)\nsmooth = tf.add(0.5 * tf.square(low), apart - low, name="smooth")'),
    _of("a map unrolled", DE, 'tf.map_fn(tf.image.per_image_standardization, images, name="prepared")', 'tf.stack([tf.image.per_image_standardization(images[k]) for k in range(2)], name="prepared")'),
    _of("a product in another order", AU, "tf.exp(0.5 * log_variance) * draw", "draw * tf.exp(log_variance / 2.0)"),
    _of("terms in another order", AU, "0.5 * (tf.exp(log_variance) + tf.square(mean) - 1.0 - log_variance)", "-0.5 * (1.0 + log_variance - mean * mean - tf.exp(log_variance))"),
    _of("a name scope around a layer", AU, 'mean = tf.layers.dense(hidden, LATENT, name="mean")', 'with tf.name_scope("head"):\n    mean = tf.layers.dense(hidden, LATENT, name="mean")'),
    _of("a layer as an object", AU, 'tf.layers.dense(noisy, 8, tf.nn.softplus, name="hidden")', 'tf.layers.Dense(8, activation=tf.nn.softplus, name="hidden").apply(noisy)'),
    _of("a scan unrolled", PO, 'returns = tf.scan(back, (tf.reverse(rewards, [0]), tf.reverse(ended, [0])), tf.constant(0.0), name="returns")\nreturns = tf.reverse(returns, [0], name="in_order")', 'later, all_of = tf.constant(0.0), []\nfor k in range(LENGTH)[::-1]:\n    later = back(later, (rewards[k], ended[k]))\n    all_of.append(later)\nreturns = tf.stack(all_of[::-1], name="in_order")'),
    _of("a product with ones and zeros for a gather", PO, 'new = tf.gather_nd(tf.nn.log_softmax(logits), places, name="new")', 'new = tf.reduce_sum(tf.nn.log_softmax(logits) * tf.one_hot(actions, ACTIONS), 1, name="new")'),
    _of("a cross entropy for a gather", PO, 'new = tf.gather_nd(tf.nn.log_softmax(logits), places, name="new")', 'new = tf.negative(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits), name="new")'),
    _of("a group to wait for", PO, "with tf.control_dependencies([train]):", "with tf.control_dependencies([tf.group(train)]):"),
    _of("reshaped, not flattened", FI, 'L.Flatten(name="flat"),', 'L.Reshape((36,), name="flat"),'),
    _of("an activation as a function", FI, 'activation="elu"', "activation=tf.nn.elu"),
    _of("two maps as one", HO, "dataset = dataset.map(lambda text, mark: (tf.string_split([text]).values, mark))\ndataset = dataset.map(lambda parts, mark: (table.lookup(parts), tf.size(parts), mark))", "def parsed(text, mark):\n    parts = tf.string_split([text]).values\n    return table.lookup(parts), tf.size(parts), mark\n\n\ndataset = dataset.map(parsed)"),
    _of("a hook more", HO, "hooks = [tf", "hooks = [tf.train.LoggingTensorHook([loss], every_n_iter=2), tf"),
    _of("mapped in parallel", HO, "tf.size(parts), mark))", "tf.size(parts), mark), num_parallel_calls=2)"),
    _of("capacity of a queue", QU, "capacity=8", "capacity=20"),
    _of("a saver of its own", QU, "saver.restore(session, path)", "tf.train.Saver(tf.trainable_variables()).restore(session, tf.train.latest_checkpoint(os.getcwd()))"),
    _of("bags of one element", LE, 'dimension=2, combiner="mean"', 'dimension=2, combiner="sum"'),
    _of("prefetched", WI, "batch(6)", "batch(6).prefetch(2)"),
    _of("steps as their last one", WI, "own.train(inputs(prices), steps=5)", "own.train(inputs(prices), max_steps=5)"),
    _of("split, not unpacked", SP, "steps = tf.unpack(lowered)", "steps = [tf.squeeze(part, [0]) for part in tf.split(0, STEPS, lowered)]"),
    _of("a mean as a sum", SP, 'tf.reduce_mean(of_words), name="loss"', 'tf.reduce_sum(of_words) / BATCH, name="loss"'),
)  # fmt: skip

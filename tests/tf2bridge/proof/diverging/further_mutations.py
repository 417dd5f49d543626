"""Faults of kinds that `mutations` does not have, and twins that compute the same: run untouched under their release.

`op` may name several ops that are as right; `cause` is empty where what is to be said is no op's, and `verdict` says a
part of what stands in the verdict then.
"""

# ruff: noqa: E501 - a row of the table is a fault

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A fault, or a twin where `op` and `verdict` are empty. `changes`: (old text, new text), all of them."""

    name: str
    program: str
    changes: tuple[tuple[str, str], ...]
    op: str = ""
    cause: str = ""
    verdict: str = ""


RELEASES = {
    "transformer": "1.12.3", "adversarial": "1.15.5", "q_network": "0.12.1", "residual": "1.12.3", "vectors": "1.4.1",
    "pipeline": "1.15.5", "recurrent": "1.4.1", "estimated": "1.12.3", "convnet": "1.12.3",
    "language_model": "1.15.5", "pixels": "1.4.1", "two_towers": "1.12.3",
}  # fmt: skip


def _of(name: str, program: str, old: str, new: str, op: str = "", cause: str = "", verdict: str = "") -> Fault:
    return Fault(name, program, ((old, new),), op, cause, verdict)


C, L, X, W = "convnet", "language_model", "pixels", "two_towers"
T, A, Q, R, V, P, N, E = (
    "transformer",
    "adversarial",
    "q_network",
    "residual",
    "vectors",
    "pipeline",
    "recurrent",
    "estimated",
)

FAULTS = (
    # a transformer without a seed
    _of("stddev of an initializer, taken over", T, "tf.random_normal_initializer(0.0, 0.3)", "tf.random_normal_initializer(0.0, 0.6)", verdict="stddev"),
    _of("mean of an initializer, taken over", T, "tf.random_normal_initializer(0.0, 0.3)", "tf.random_normal_initializer(0.1, 0.3)", verdict="mean"),
    _of("another initializer, taken over", T, "tf.truncated_normal_initializer(stddev=0.5)", "tf.random_normal_initializer(stddev=0.5)", verdict="TruncatedNormal"),
    _of("range of an initializer, taken over", T, "tf.random_uniform_initializer(-0.1, 0.1)", "tf.random_uniform_initializer(0.0, 0.1)", verdict="min"),
    _of("a seed where there was none", T, "data = np", "tf.set_random_seed(1)\ndata = np", verdict="seed"),
    _of("what is drawn from, taken over", T, "tf.multinomial(logits * 2.0", "tf.multinomial(logits * 3.0", verdict="sampled"),
    _of("size of the heads", T, "np.sqrt(UNITS // HEADS)", "np.sqrt(UNITS)", "truediv|scores", "another constant"),
    _of("mask the other way round", T, "(1.0 - mask[:", "(mask[:", "sub_2|sub_1|sub", "missing op"),
    _of("scores not transposed alike", T, "tf.matmul(query, key, transpose_b=True", "tf.matmul(key, query, transpose_b=True", "scores", "inputs swapped"),
    _of("softmax over the wrong axis", T, 'tf.nn.softmax(scores, name="weights")', 'tf.nn.softmax(scores, 2, name="weights")', "weights", "wrong axis"),
    _of("no smoothing of labels", T, "label_smoothing=0.1", "label_smoothing=0.0", "softmax_cross_entropy_loss/mul|softmax_cross_entropy_loss/add", "missing op"),
    _of("unmasked mean", T, "tf.reduce_sum(x * mask[:, :, None], 1)", "tf.reduce_sum(x, 1)", "mul_4|mul_3|mul_5|mul_2", "missing op"),
    _of("beta2 of Adam", T, "beta2=0.98", "beta2=0.999", "beta2_power/Assign|Adam/update_table/mul_3|Adam/update_table/sub_3|Adam/update_query/kernel/ApplyAdam|Adam/update_table/mul_2|Adam/update_table/sub_2|Adam/update_inner/bias/ApplyAdam|Adam/update_inner/kernel/ApplyAdam|Adam/update_key/bias/ApplyAdam|Adam/update_key/kernel/ApplyAdam|Adam/update_logits/bias/ApplyAdam|Adam/update_norm_1/scale/ApplyAdam|Adam/update_query/bias/ApplyAdam", "momentum definition"),
    # two optimizers
    _of("another graph seed", A, "tf.set_random_seed(21)", "tf.set_random_seed(22)", verdict="seed"),
    _of("another op seed", A, "seed=33", "seed=34", verdict="seed"),
    _of("another op seed of an initializer", A, "orthogonal_initializer(seed=4)", "orthogonal_initializer(seed=5)", verdict="seed"),
    _of("range of an initializer with a seed", A, "tf.random_uniform_initializer(-0.5, 0.5)", "tf.random_uniform_initializer(-0.4, 0.4)", "discriminator/second/kernel/Initializer/random_uniform/sub|discriminator/second/kernel/Initializer/random_uniform/mul|discriminator/second/kernel/Initializer/random_uniform", "another constant"),
    _of("slope of a leaky unit", A, "0.2 * x", "0.1 * x", "mul|discriminator/mul", "another constant"),
    _of("minimum for maximum", A, "tf.maximum(0.2 * x, x)", "tf.minimum(0.2 * x, x)", "discriminator/Maximum", "another op"),
    _of("labels of reals not smoothed", A, "discriminator(real, False), 0.9", "discriminator(real, False), 1.0", "Fill|logistic_loss/mul", "another constant"),
    _of("both optimizers train all", A, "minimize(loss_g, var_list=of_g)", "minimize(loss_g)", "", "", verdict="discriminator"),
    _of("beta1 of one of two", A, "AdamOptimizer(0.02, beta1=0.5)", "AdamOptimizer(0.02, beta1=0.9)", "beta1_power_1/Assign|Adam_1/update_generator/first/kernel/ApplyAdam|Adam_1/update_generator/first/bias/ApplyAdam|Adam_1/update_generator/second/kernel/ApplyAdam|Adam_1/update_generator/second/bias/ApplyAdam|beta1_power_1/initial_value|Adam_1/mul", "momentum definition"),
    _of("norm over the wrong axis", A, "axis=1) - 1.0", "axis=0) - 1.0", "norm/Sum", "wrong axis"),
    _of("one variable clipped less", A, "-0.6, 0.6", "-0.6, 0.5", "clip_by_value/Minimum|clip_by_value_1/Minimum|clip_by_value_2/Minimum", "another constant"),
    _of("one call more", A, "        session.run(clip)\n", "        session.run(clip)\n        session.run(clip)\n", verdict="call"),
    _of("one call less", A, "        session.run(clip)\n", "        points.any() and _ or session.run(clip)\n", verdict="call"),
    # 0.12
    _of("axis of split", Q, "tf.split(1, 2, state", "tf.split(1, 2, tf.reverse(state, [False, True])", "online/Reverse", "added op"),
    _of("concat of other order", Q, "[tf.matmul(cart, w1), tf.matmul(pole, w2)]", "[tf.matmul(pole, w2), tf.matmul(cart, w1)]", "joined|online/joined|target/joined", "inputs swapped"),
    _of("discount", Q, "0.9 * (1.0 - done)", "0.99 * (1.0 - done)", "mul|mul_1", "another constant"),
    _of("done not looked at", Q, "0.9 * (1.0 - done) * best", "0.9 * best", "mul_1|mul_2|mul|sub", "missing op"),
    _of("gradients flow into the target", Q, "tf.stop_gradient(reward + 0.9 * (1.0 - done) * best, name=\"wanted\")", "tf.add(reward, 0.9 * (1.0 - done) * best, name=\"wanted\")", "wanted", "missing op"),
    _of("the target is the online network", Q, 'tf.reduce_max(network(after, "target")', 'network(after, "target")\ntf.get_variable_scope().reuse_variables()\nbest = tf.reduce_max(network(after, "online")', "best|target/values|target/split|target/MatMul|online_1/MatMul", "other wiring"),
    _of("max over the batch", Q, "reduction_indices=[1]", "reduction_indices=[0]", "best", "wrong axis"),
    _of("border of the Huber loss", Q, "error < 1.0", "error < 0.1", "Less", "another constant"),
    _of("integers divided as numbers", Q, 'tf.div(frames, 3, name="part")', 'tf.cast(tf.round(tf.cast(frames, tf.float32) / 3.0), tf.int32, name="part")', "part|truediv", "integer division"),
    _of("copy the other way round", Q, "b.assign(0.75 * b + 0.25 * a)", "b.assign(0.25 * b + 0.75 * a)", "mul_3|mul_4|mul_5|mul_2|mul_6|mul_7", "another constant"),
    _of("decay of RMSProp", Q, "decay=0.95", "decay=0.9", "RMSProp/update_online/w1/ApplyRMSProp|RMSProp/update_online/b/ApplyRMSProp|RMSProp/update_online/w2/ApplyRMSProp|RMSProp/update_online/w3/ApplyRMSProp", "momentum definition"),
    _of("first frames counted twice", Q, "frames.assign_add(4)", "frames.assign_add(5)", "AssignAdd", "another constant"),
    # residual
    _of("eps of fused norm", R, "epsilon=1e-4", "epsilon=1e-3", "block_1/norm/cond/FusedBatchNorm|block_1/norm/cond/Merge|block_1/norm/cond/FusedBatchNorm_1", "epsilon|inside a loop"),
    _of("momentum of fused norm", R, "momentum=0.9,", "momentum=0.99,", "block_1/norm/cond_2/Merge|block_1/norm/Const_2|block_1/norm/cond_1/Merge|block_1/norm/AssignMovingAvg/sub|block_1/norm/AssignMovingAvg/mul|block_1/norm/cond_2/Switch|block_1/norm/AssignMovingAvg_1/mul|block_1/norm/AssignMovingAvg_1/sub|block_1/norm/AssignMovingAvg", "momentum definition|inside a loop"),
    _of("weights not decayed", R, "tf.multiply(0.01, tf", "tf.multiply(0.1, tf", "decay", "another constant"),
    _of("one kernel not decayed", R, 'if "kernel" in v.name]', 'if "conv/kernel" in v.name]', "AddN|L2Loss|L2Loss_1", ""),
    _of("rate drops one step late", R, "[tf.constant(1, tf.int64)", "[tf.constant(2, tf.int64)", "PiecewiseConstant/LessEqual|PiecewiseConstant/Greater|PiecewiseConstant/case/cond/Merge|PiecewiseConstant/case/preds_c|PiecewiseConstant/LogicalAnd", "another constant"),
    _of("updates not waited for", R, "tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS))", "tf.control_dependencies([])", "block_1/norm/AssignMovingAvg", "missing update"),
    _of("max for average pooling", R, "average_pooling2d", "max_pooling2d", "pool/AvgPool", "another op"),
    _of("clipped by another norm", R, "tf.clip_by_norm(gradient, 2.0)", "tf.clip_by_norm(gradient, 1.0)", "", "another constant"),
    _of("shortcut before the activation", R, "short = tf.layers.conv2d(x, filters, 1", "short = tf.layers.conv2d(short, filters, 1", "block_2/short/Conv2D|block_2/short/convolution", "other wiring"),
    _of("rate of dropout, taken over", R, "tf.layers.dropout(x, 0.3", "tf.layers.dropout(x, 0.7", "dropped/cond/dropout/keep_prob|dropped/cond/Merge", "dropout|inside a loop"),
    _of("in top 3", R, "labels, 2)", "labels, 3)", "in_top_k/InTopKV2|InTopK/InTopKV2|InTopKV2|in_top_k", "another constant"),
    # vectors
    _of("combiner of a bag", V, 'combiner="mean"', 'combiner="sum"', "bag", "another op"),
    _of("negatives for vectors of cosine", V, "epsilon=1e-3", "epsilon=1e0", "unit/Maximum", "epsilon"),
    _of("float64 through float32", V, "tf.cast(vectors, tf.float64) / 3.0", "tf.cast(vectors / 3.0, tf.float64)", "Cast|Cast_1|truediv|truediv_1|div_1|div", "half precision|missing op|added op|other wiring"),
    _of("division rounds to zero", V, "tf.floordiv(centre - 7, 4", "tf.truncatediv(centre - 7, 4", "bucket", "integer division"),
    _of("accumulator begins elsewhere", V, "initial_accumulator_value=0.2", "initial_accumulator_value=0.1", "table/Adagrad/Initializer/Const|biases/Adagrad/Initializer/Const|weights/Adagrad/Initializer/Const|weights/Adagrad/Assign|table/Adagrad/Assign|biases/Adagrad/Assign|Const", "another constant"),
    _of("counted as float32", V, "tf.ones_like(centre, tf.float64) / 3.0", "tf.cast(tf.ones_like(centre, tf.float32) / 3.0, tf.float64)", "ones_like|truediv|truediv_1|counted|div|div_1", "half precision|added op"),
    _of("assigned, not added", V, "tf.scatter_add(rows", "tf.scatter_update(rows", "counted", "another op"),
    _of("labels and inputs of nce swapped", V, "table, centre, name=\"vectors\"", "weights, centre, name=\"vectors\"", "vectors", "other wiring"),
    # pipeline
    _of("the first element left out", P, ".repeat().batch(6)", ".skip(1).repeat().batch(6)", "IteratorGetNext", ""),
    _of("mapped otherwise", P, "(x * 2.0 + 0.5, y)", "(x * 2.0 - 0.5, y)", "IteratorGetNext|OneShotIterator", ""),
    _of("batches before repeats", P, ".repeat().batch(6)", ".batch(5).repeat()", "IteratorGetNext", ""),
    _of("l1 left out", P, "l1_regularization_strength=0.01", "l1_regularization_strength=0.0", "Ftrl/update_w/ApplyFtrl|Ftrl/update_b/ApplyFtrl|Ftrl/update_w/ResourceApplyFtrl", "another constant"),
    _of("kept average without its step", P, "ExponentialMovingAverage(0.5, step)", "ExponentialMovingAverage(0.5)", "ExponentialMovingAverage/num_updates|ExponentialMovingAverage/AssignMovingAvg/sub|ExponentialMovingAverage/AssignMovingAvg/sub_1|ExponentialMovingAverage/sub|ExponentialMovingAverage/Minimum|ExponentialMovingAverage/AssignMovingAvg/mul", ""),
    _of("one turn less", P, "i < 4", "i < 3", "newton/Exit", "inside a loop"),
    _of("another step of a loop", P, "0.5 * (v + value / v)", "0.5 * (v - value / v)", "newton/Exit", "inside a loop"),
    _of("leak", P, "0.8 * state + new", "0.9 * state + new", "leak/TensorArrayStack/TensorArrayGatherV3", "inside a loop"),
    _of("another branch", P, "spread * 2.0", "spread * 3.0", "high/Merge", "inside a loop|another constant"),
    _of("order of updates", P, "with tf.control_dependencies([train]):\n    kept = average.apply([w])", "kept = tf.group(average.apply([w]), train)", "ExponentialMovingAverage/AssignMovingAvg/w_1/read|ExponentialMovingAverage/AssignMovingAvg/sub_1|ExponentialMovingAverage/AssignMovingAvg/sub|ExponentialMovingAverage/AssignMovingAvg|w/read|ExponentialMovingAverage/AssignMovingAvg/sub_2", "race|missing control dependency"),
    # recurrent
    _of("without peepholes", N, "use_peepholes=True, ", "", "", "", verdict="w_f_diag"),
    _of("forget bias", N, "forget_bias=1.0", "forget_bias=0.0", "bidirectional_rnn/fw/fw/TensorArrayStack/TensorArrayGatherV3", "inside a loop"),
    _of("cell not clipped", N, "cell_clip=0.7", "cell_clip=0.1", "bidirectional_rnn/bw/bw/TensorArrayStack/TensorArrayGatherV3", "inside a loop"),
    _of("another activation of a cell", N, "activation=tf.tanh", "activation=tf.nn.softsign", "stack/rnn/TensorArrayStack/TensorArrayGatherV3|stack/rnn/transpose", "inside a loop"),
    _of("no residual", N, "rnn.ResidualWrapper(rnn.GRUCell(2 * UNITS))", "rnn.GRUCell(2 * UNITS)", "stack/rnn/TensorArrayStack/TensorArrayGatherV3|stack/rnn/transpose", "inside a loop"),
    _of("lengths left out", N, "rnn.MultiRNNCell(cells), joined, lengths", "rnn.MultiRNNCell(cells), joined, None", "stack/rnn/TensorArrayStack/TensorArrayGatherV3|stack/rnn/transpose", "inside a loop"),
    _of("directions swapped", N, "[out_f, out_b], 2", "[out_b, out_f], 2", "joined", "inputs swapped|other wiring"),
    _of("reversed whole", N, "tf.reverse_sequence(x, lengths, 1, 0", "tf.reverse_sequence(x, tf.fill([3], STEPS), 1, 0", "backwards", "other wiring|another constant"),
    _of("gradients clipped on one side", N, "-0.5, 0.5", "-0.5, 0.05", "clip_by_value/Minimum|clip_by_value_1/Minimum|clip_by_value_2/Minimum|clip_by_value_3/Minimum|clip_by_value_8/Minimum", "another constant"),
    # an estimator
    _of("rate of an estimator's dropout", E, "hidden, 0.2, training", "hidden, 0.4, training", "", ""),
    _of("units of an estimator", E, '"units": 5', '"units": 6', "", ""),
    _of("another seed of an estimator", E, "tf_random_seed=71", "tf_random_seed=72", "", "", verdict="seed"),
    _of("always training", E, "training=mode == tf.estimator.ModeKeys.TRAIN", "training=True", "", ""),
    # of any program
    _of("sines and cosines swapped", T, "[np.sin(angles), np.cos(angles)]", "[np.cos(angles), np.sin(angles)]", "add|positions", "another constant"),
    _of("keys mixed, not values", T, "tf.matmul(weights, value)", "tf.matmul(weights, key)", "MatMul|mixed|matmul|MatMul_1", "other wiring"),
    _of("words not scaled", T, "tf.nn.embedding_lookup(table, text) * np.sqrt(UNITS)", "tf.nn.embedding_lookup(table, text)", "mul|add", "missing op"),
    _of("warm-up one step late", T, "tf.cast(step + 1, tf.float32)", "tf.cast(step, tf.float32)", "add_4|Cast|warm|truediv_4|add|ToFloat|Cast_1|truediv_3|truediv_2", "missing op|decay off by one|other wiring"),
    _of("clipped one by one", L, "gradients, norm = tf.clip_by_global_norm(tf.gradients(loss, variables), 0.5)", "found = [tf.convert_to_tensor(g) for g in tf.gradients(loss, variables)]\nnorm = tf.global_norm(found)\ngradients = [tf.clip_by_norm(g, 0.5) for g in found]", "", ""),
    _of("units of a layer", A, "tf.layers.dense(z, 8, tf.nn.relu", "tf.layers.dense(z, 9, tf.nn.relu", "generator/first/MatMul", "another shape"),
    _of("not padded before flattening", R, "3, padding=\"same\", name=\"stem\"", "3, padding=\"valid\", name=\"stem\"", "stem/Conv2D|stem/convolution", "padding"),
    _of("dropout made and not used", C, "x = tf.nn.dropout(x, keep_prob=0.75, seed=5, name=\"dropped\")", "tf.nn.dropout(x, keep_prob=0.75, seed=5, name=\"dropped\")", "model/train/MatMul|model/train/dropped/mul|model/train/dropped/div", ""),
    _of("the old state is kept", L, "state = state * tf.sigmoid(f + forget) + tf.sigmoid(i) * tf.tanh(j)", "new = state * tf.sigmoid(f + forget) + tf.sigmoid(i) * tf.tanh(j)\n            state = new if at < 2 else state", "step2/Tanh_1|step2/output", "other wiring|missing op"),
    _of("lengths fed are others", L, "lengths: [4, 2, 3]", "lengths: [4, 2, 4]", "", "", verdict="lengths"),
    _of("data of another seed", C, "RandomState(1)", "RandomState(2)", "", "", verdict="inputs"),
    _of("window of pooling", R, "2, 1, name=\"pool\"", "3, 1, \"same\", name=\"pool\"", "pool/AvgPool", ""),
    _of("the worst for the best", R, "tf.metrics.accuracy(labels, tf.argmax(logits, 1))", "tf.metrics.accuracy(labels, tf.argmin(logits, 1))", "ArgMax|ArgMin", "another op"),
    _of("copied one call earlier", Q, "if number == 1:", "if number == 0:", "", "", verdict="call"),
    _of("begins with ones", N, "joined, lengths, dtype=tf.float32)", "joined, lengths, initial_state=(tf.ones([3, 8]), tf.ones([3, 8])))", "stack/rnn/MultiRNNCellZeroState/ResidualWrapperZeroState/GRUCellZeroState/zeros", ""),
    _of("farthest for nearest", V, "tf.nn.top_k(near, 3", "tf.nn.top_k(-near, 3", "top|Neg", "added op"),
    _of("buckets of a hash", V, "tf.as_string(centre), 50", "tf.as_string(centre), 49", "hashed", ""),
    _of("drawn uniformly", V, "tf.nn.log_uniform_candidate_sampler(", "tf.nn.uniform_candidate_sampler(", "", "", verdict="Sampler"),
    _of("fakes give no gradient", A, "minimize(loss_d + 0.1 * penalty, var_list", "minimize(loss_real + 0.1 * penalty, var_list", "discriminator_1/first/MatMul", "missing control dependency"),
    _of("features scaled outside", E, "{\"x\": features}, labels", "{\"x\": features * 1.01}, labels", "", ""),
    _of("another optimizer", E, "ProximalAdagradOptimizer(0.2)", "AdagradOptimizer(0.3)", "", ""),
    _of("another activation of a tower", W, "tf.nn.elu(x, name=\"bent\")", "tf.nn.selu(x, name=\"bent\")", "tower_0/shared/bent|bent", "another op"),
    _of("cut elsewhere", X, "[0, 0, 1, 1], [2, 3, 6, 6]", "[0, 0, 0, 0], [2, 3, 5, 5]", "cut", ""),
    _of("weight of a second loss", N, "total = loss - 0.1 *", "total = loss - 0.2 *", "mul_8", "another constant"),
    _of("tag of a summary", P, "tf.summary.scalar(\"loss\", loss)", "tf.summary.scalar(\"losses\", loss)", "loss_1", "another constant"),
    _of("weights decayed, too", C, "if \"kernel\" in v.name]", "if \"kernel\" in v.name or v.name.endswith(\"weights:0\")]", "penalty|L2Loss_2", ""),
    _of("test network of its own", C, "tf.variable_scope(\"model\", reuse=True)", "tf.variable_scope(\"model_1\")", "", "", verdict="model_1"),
    _of("one tower's gradients alone", W, "stacked = tf.stack([gradient for gradient, _ in pairs])", "stacked = tf.stack([pairs[0][0] for gradient, _ in pairs])", "stack_1", "other wiring|inputs swapped"),
    _of("the step is not counted", W, ", global_step=step)", ")", "", "missing update"),
    _of("border of the Huber loss, nearer", Q, "error < 1.0", "error < 0.7", "Less", "another constant"),
)  # fmt: skip

TWINS = (
    *(Fault("as it was", program, ()) for program in RELEASES),
    _of("fetched in another order", A, "session.run([loss_d, penalty, train_d], {real: points})[:2]", "session.run([penalty, train_d, loss_d], {real: points})[:2]"),
    _of("another tensor looked at", T, "print(session.run([entropy, train], batch)[0])", "print(session.run([train, entropy], batch)[1])"),
    _of("an op more that nothing reads", A, "noise = tf.random_normal(", 'unused = tf.constant(1.0, name="unused")\nnoise = tf.random_normal('),
    _of("an identity", R, "x = tf.layers.flatten(x)", "x = tf.identity(tf.layers.flatten(x))"),
    _of("written out", A, "tf.maximum(0.2 * x, x)", "tf.maximum(x * 0.2, x)"),
    _of("a sum in another order", Q, "reward + 0.9 * (1.0 - done) * best", "0.9 * (1.0 - done) * best + reward"),
    _of("a square as a product", Q, "0.5 * tf.square(error)", "0.5 * error * error"),
    _of("means by a sum", R, "tf.multiply(0.01, tf.add_n([tf.nn.l2_loss(v) for v in decayed]), name=\"decay\")", "tf.add_n([0.01 * tf.nn.l2_loss(v) for v in decayed], name=\"decay\")"),
    _of("a name scope more", V, "loss = tf.reduce_mean(tf.nn.nce_loss(weights, biases, context, vectors, 5, WORDS, sampled_values=drawn), name=\"loss\")", "with tf.name_scope(\"objective\"):\n    loss = tf.reduce_mean(tf.nn.nce_loss(weights, biases, context, vectors, 5, WORDS, sampled_values=drawn))"),
    _of("order of two layers' making", T, '(heads(dense(x, UNITS, name)) for name in ("query", "key", "value"))', '[heads(dense(x, UNITS, name)) for name in ("value", "key", "query")][::-1]'),
    _of("an initializer by another name", T, "tf.truncated_normal_initializer(stddev=0.5)", "tf.initializers.truncated_normal(0.0, 0.5)"),
    _of("an initializer as a function", T, "tf.random_normal_initializer(0.0, 0.3)", "lambda shape, dtype=None, partition_info=None: 0.3 * tf.random_normal(shape)"),
    _of("a loop's counter", P, "lambda _, i: i < 4, lambda v, i: (0.5 * (v + value / v), i + 1)", "lambda _, i: tf.less(i, 4), lambda v, i: ((v + value / v) / 2.0, tf.add(i, 1))"),
    _of("a summary more", P, 'tf.summary.histogram("w", w)])', 'tf.summary.histogram("w", w)])\nlogged = tf.summary.scalar("step", step)'),
    _of("feeds by name", N, "x: data.randn(3, STEPS, UNITS), lengths: [5, 2, 4]", "lengths: [5, 2, 4], x: data.randn(3, STEPS, UNITS)"),
    _of("a mask by comparison", N, 'tf.sequence_mask(lengths, STEPS, tf.float32, name="mask")', 'tf.cast(tf.range(STEPS)[None] < lengths[:, None], tf.float32, name="mask")'),
    _of("locks", A, "beta1=0.5)", "beta1=0.5, use_locking=True)"),
    _of("prefetched", P, ".repeat().batch(6)", ".repeat().batch(6).prefetch(1)"),
    _of("true division", L, "loss = tf.div(", "loss = tf.truediv("),
    _of("means one after the other", C, "tf.reduce_mean(x, [1, 2], name", "tf.reduce_mean(tf.reduce_mean(x, 2), 1, name"),
    _of("a relu for a maximum", W, "tf.maximum(0.0, 0.5 - clicks * similar, name", "tf.nn.relu(0.5 - clicks * similar, name"),
    _of("the last axis", N, "[out_f, out_b], 2", "[out_b, out_f][::-1], -1"),
    _of("reshaped, not flattened", R, "tf.layers.flatten(x)", "tf.reshape(x, [-1, 24])"),
    _of("fetched the other way round", Q, "session.run([loss, seen], batch)[0]", "session.run([seen, loss], batch)[1]"),
    _of("transposed by itself", T, "tf.matmul(query, key, transpose_b=True", "tf.matmul(query, tf.transpose(key, [0, 1, 3, 2])"),
    _of("looked up", V, "tf.gather(unit, centre)", "tf.nn.embedding_lookup(unit, centre)"),
    _of("a loss by itself", A, "    for _ in range(3):\n        angles", "    session.graph.get_operations()\n    for _ in range(3):\n        angles"),
    _of("feeds in another type", L, "lengths: [4, 2, 3]", "lengths: np.array([4, 2, 3], np.int64)"),
    _of("an order that a mean does not see", X, "tf.transpose(edges, [0, 3, 1, 2]", "tf.transpose(edges, [0, 3, 2, 1]"),
    _of("an off value that a maximum does not see", X, "tf.one_hot(left, 3, name", "tf.one_hot(left, 3, 1.0, -1.0, name"),
)  # fmt: skip

NOT_NAMED = {
    "q_network: max over the batch": "the call fails: no op is searched",
    "chat: words of a remainder": "the loss takes what is wanted and its complement, which are the other way round",
    "retrieval: partitions of another kind": "TensorFlow 2 looks each id up once, through a Unique that 1.4 had not",
    "vectors: float64 through float32": "the difference is less than what a search allows an op",
}
"""Faults that are caught, and not named as they have to be yet: why."""

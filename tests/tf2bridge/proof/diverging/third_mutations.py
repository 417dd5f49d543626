"""A third draw of faults and twins: a tagger with a CRF, retrieval with a memory, a chat bot of 0.12.

As in `further_mutations`, whose `Fault` they are.
"""

# ruff: noqa: E501 - a row of the table is a fault

from __future__ import annotations

from further_mutations import Fault

RELEASES = {"tagger": "1.15.5", "retrieval": "1.4.1", "chat": "0.12.1"}


def _of(name: str, program: str, old: str, new: str, op: str = "", cause: str = "", verdict: str = "") -> Fault:
    return Fault(name, program, ((old, new),), op, cause, verdict)


TA, RE, CH = RELEASES

FAULTS = (
    # a tagger
    _of("norm that vectors may have", TA, "max_norm=1.5", "max_norm=0.5", "embedding_lookup/clip_by_norm/mul_1|embedding_lookup/clip_by_norm/Maximum", "another constant"),
    _of("branches swapped", TA, "lambda: tf.nn.dropout(vectors, rate=0.25, seed=7), lambda: vectors", "lambda: vectors, lambda: tf.nn.dropout(vectors, rate=0.25, seed=7)", "dropped/Merge", "inside a loop"),
    _of("rate of a dropout in a branch", TA, "rate=0.25", "rate=0.2", "dropped/Merge", "inside a loop"),
    _of("no peepholes", TA, "use_peepholes=True", "use_peepholes=False", "bidirectional_rnn/fw/forward/w_f_diag", "missing op"),
    _of("clip of a cell", TA, "cell_clip=2.0", "cell_clip=0.2", "bidirectional_rnn/fw/fw/TensorArrayStack/TensorArrayGatherV3|joined", "inside a loop"),
    _of("directions swapped", TA, "tf.concat(both, 2", "tf.concat(both[::-1], 2", "joined", "inputs swapped"),
    _of("energies not masked", TA, "tf.nn.softmax(masked", "tf.nn.softmax(attention[:, :, 0]", "weights", "other wiring"),
    _of("summed by energies", TA, "bu\", weights, joined", "bu\", attention[:, :, 0], joined", "summary/MatMul", "other wiring|another op"),
    _of("weight of a penalty", TA, "0.02 * tf.nn", "0.002 * tf.nn", "mul_1", "another constant"),
    _of("rate not in steps", TA, "staircase=True, ", "", "rate/Floor", "missing op"),
    _of("gradients not averaged", TA, "(store / 2.0, variable)", "(store, variable)", "truediv", "missing op"),
    _of("stores not emptied", TA, "        session.run(emptied)", "        session.run(train)", "Assign", "missing update"),
    _of("accuracy without its mask", TA, "best, tf.sequence_mask(lengths, tf.shape(words)[1], tf.float32))", "best)", "SequenceMask_1/Cast_1|SequenceMask_1/Less"),
    # retrieval
    _of("partitions of another kind", RE, 'partition_strategy="div"', 'partition_strategy="mod"', "bags/embedding_lookup/mod|bags/embedding_lookup/floordiv|bags/embedding_lookup/Cast|bags/embedding_lookup/sub|bags/embedding_lookup/Maximum|bags/embedding_lookup/floordiv_1"),
    _of("combined by their mean", RE, 'combiner="sqrtn"', 'combiner="mean"', "bags/Pow", "missing op"),
    _of("gain of an orthogonal matrix", RE, "orthogonal_initializer(0.8)", "orthogonal_initializer(1.0)", "gate/kernel/Initializer/mul_1|gate/kernel/Initializer/mul", "another constant"),
    _of("gate on the other side", RE, "tf.add(gate * bags, (1.0 - gate) * mean", "tf.add((1.0 - gate) * bags, gate * mean", "mul|sub|mul_1", ""),
    _of("memory not normalized", RE, "tf.matmul(unit, tf.nn.l2_normalize(memory, 1), transpose_b", "tf.matmul(unit, memory, transpose_b", "l2_normalize/Square"),
    _of("sharpness of a softmax", RE, "4.0 * values", "2.0 * values", "mul_2", "another constant"),
    _of("nearest for farthest", RE, 'tf.reduce_max(tf.where(same, apart, tf.zeros_like(apart)), 1, name="far")', 'tf.reduce_min(tf.where(same, apart, tf.zeros_like(apart)), 1, name="far")', "far", "another op"),
    _of("margin of triplets", RE, "far - close + 0.3", "far - close + 0.2", "add|add_1", "another constant"),
    _of("labels not smoothed", RE, ", label_smoothing=0.1", "", "softmax_cross_entropy_loss/mul", "missing op"),
    _of("not centered", RE, "centered=True", "centered=False", "RMSProp/update_logits/kernel/ApplyCenteredRMSProp|RMSProp/update_waves/kernel/ApplyCenteredRMSProp", "another op"),
    _of("l2 of Ftrl", RE, "l2_regularization_strength=0.05", "l2_regularization_strength=0.0"),
    _of("share of a moving memory", RE, "0.9 * memory + 0.1", "0.8 * memory + 0.2", "mul_8|mul_7|mul_6|mul_5|mul_9", "another constant"),
    # a chat bot
    _of("one head more", CH, "num_heads=2", "num_heads=1"),
    _of("feeds what it said", CH, "feed_previous=False", "feed_previous=True"),
    _of("seed of a dropout in a cell", CH, "output_keep_prob=0.8, seed=5", "output_keep_prob=0.8, seed=6", verdict="seed"),
    _of("answers not moved on", CH, "answered[1:], weights", "answered[:ANSWER], weights", "of_words/sequence_loss_by_example/Reshape", "other wiring"),
    _of("first value of a bias of 0.12", CH, "tf.constant(0.05, shape", "tf.constant(0.5, shape", "width2/bias/Assign|width3/bias/Assign", "another constant"),
    _of("weight of positives", CH, "wanted, 1.5", "wanted, 2.0", "logistic_loss/mul", "another constant"),
    _of("borders of a rate", CH, "step, [1, 2], [0.1, 0.05, 0.02]", "step, [2, 3], [0.1, 0.05, 0.02]", "rate/Less|rate/LessEqual|rate/Greater|rate/GreaterEqual|rate/case/cond/Merge", ""),
    _of("epsilon of Adam", CH, "epsilon=1e-4", "epsilon=1e-6", "", ""),
    _of("words of a remainder", CH, "texts[:, :2], 2), 0", "texts[:, :2], 2), 1", "Equal", "another constant"),
)  # fmt: skip

TWINS = (
    *(Fault("as it was", program, ()) for program in RELEASES),
    _of("a mask by arithmetic", TA, "tf.sequence_mask(lengths, tf.shape(words)[1]), attention", "tf.range(tf.shape(words)[1])[None] < lengths[:, None], attention"),
    _of("a product for einsum", TA, 'tf.einsum("bt,btu->bu", weights, joined, name="summary")', 'tf.reduce_sum(weights[:, :, None] * joined, 1, name="summary")'),
    _of("a stack of copies", TA, "tf.tile(summary[:, None], [1, tf.shape(words)[1], 1])", "tf.zeros_like(joined) + summary[:, None]"),
    _of("half a store", TA, "(store / 2.0, variable)", "(0.5 * store, variable)"),
    _of("a loss by its sum", TA, 'tf.reduce_mean(-likelihood, name="loss")', 'tf.negative(tf.reduce_mean(likelihood), name="loss")'),
    _of("squares by a norm", RE, 'tf.reduce_sum(tf.squared_difference(unit[:, None], unit[None]), 2, name="apart")', 'tf.square(tf.norm(unit[:, None] - unit[None] + 1e-12, axis=2), name="apart")'),
    _of("gate by a difference", RE, "tf.add(gate * bags, (1.0 - gate) * mean", "tf.add(mean, gate * (bags - mean)"),
    _of("a hinge by relu", RE, 'tf.maximum(far - close + 0.3, 0.0)', 'tf.nn.relu(far - close + 0.3)'),
    _of("variables in another order", RE, "tf.tuple(tf.gradients(loss, tables + others))", "tf.tuple(tf.gradients(loss, others + tables))\ngradients = gradients[len(others) :] + gradients[: len(others)]"),
    _of("a sum by add_n", RE, "tf.identity(triplets + 0.5 * told + smooth + hinge", "tf.add_n([triplets, 0.5 * told, smooth, hinge]"),
    _of("an assignment as a method", RE, "tf.assign(memory, 0.9 * memory + 0.1 * tf.unsorted_segment_sum(unit, labels, SLOTS)", "memory.assign(memory - 0.1 * (memory - tf.unsorted_segment_sum(unit, labels, SLOTS))"),
    _of("a bias added", CH, "tf.nn.bias_add(made, bias)", "made + bias"),
    _of("a squeeze for a reshape", CH, 'tf.reshape(tf.concat(3, pooled), [-1, 4], name="flat")', 'tf.squeeze(tf.concat(3, pooled), [1, 2], name="flat")'),
    _of("a step more by hand", CH, "apply_gradients(zip(clipped, variables), step)", "apply_gradients(zip(clipped, variables))\ntrain = tf.group(train, tf.assign_add(step, 1))"),
    _of("renamed Python names", CH, "pooled", "poolings"),
    _of("a rate by nested choices", CH, 'tf.train.piecewise_constant(step, [1, 2], [0.1, 0.05, 0.02], name="rate")', 'tf.where(step <= 1, 0.1, tf.where(step <= 2, 0.05, 0.02), name="rate")'),
)  # fmt: skip

"""The table of causes: the first entry that is sure enough explains why two ops differ.

Entries that need more evidence stand first, general ones last. To add a cause, write a function of `Evidence` in the
module of its subject, and an entry here. The function returns what it saw, with figures, or None if it is not sure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tf2bridge.proof.diverging.causes import layers, numerics, options, ordering, wiring
from tf2bridge.proof.diverging.ops_seen import Evidence


@dataclass(frozen=True)
class Cause:
    """A known reason why two ops differ.

    Attributes:
        name: what a report calls it.
        likely: returns what it saw, with figures, or None if it is not sure.
        fact: what the cause rests on, and what to do.
    """

    name: str
    likely: Callable[[Evidence], str | None]
    fact: str


CAUSES = (
    Cause(
        "race", ordering.race,
        "A call reads a variable and changes it, and nothing orders the two. Old and new TensorFlow give either value, "
        "and may give another in the next run. Make the change wait for the read with `tf.control_dependencies`, or "
        "fetch it in a call of its own.",
    ),
    Cause(
        "fusion", numerics.fusion,
        "Grappler multiplies constants beforehand, and joins convolution, bias, batch norm and activation into one "
        "kernel, which rounds in another way. oneDNN joins more. Set disable_meta_optimizer in the session's config to "
        "see the numbers without that. TF_ENABLE_ONEDNN_OPTS=0, set before TensorFlow is imported, leaves Grappler on.",
    ),
    Cause(
        "missing update", ordering.missing_update,
        "TensorFlow 1.x kept updates of averages and counters in the collection UPDATE_OPS, and ran them only if the "
        "train op depended on them. The new program must run them, too: with "
        "tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)), or ema.apply.",
    ),
    Cause(
        "half precision", numerics.half_precision,
        "float16 and bfloat16 keep about three digits of seven. Mixed precision or a cast brings them in. Compare in "
        "float32 first.",
    ),
    Cause(
        "missing control dependency", ordering.missing_control_dependency,
        "`tf.control_dependencies` says whether a read or a change comes first. Put the reading op below it, or read "
        "the variable again there with `variable.read_value()`.",
    ),
    Cause(
        "decay off by one", ordering.decay_off_by_one,
        "TensorFlow 1.x reads global_step before the train op adds to it: the first step has 0. Keras counts "
        "`iterations` in the same way, but not every training loop does.",
    ),
    Cause(
        "inputs swapped", wiring.inputs_swapped,
        "TensorFlow 0.x took (logits, labels) by position. A subtraction may be turned round. Give arguments by name.",
    ),
    Cause(
        "gate order", wiring.gate_order,
        "Kernels of BasicLSTMCell and LSTMCell hold input, new input, forget, output (i, j, f, o); those of Keras and "
        "PyTorch i, f, c, o. GRUCell has reset, update; Keras has update, reset. Rearrange the columns, as "
        "`tf2bridge convert` does.",
    ),
    Cause(
        "batch norm mode", layers.batch_norm_mode,
        "Batch norm uses the batch in training and moving averages otherwise. `is_training` (slim) or `training` "
        "(tf.layers, Keras) decides. A model of Keras 3 uses the averages unless it is called with training=True.",
    ),
    Cause(
        "dropout", layers.dropout,
        "`keep_prob` of tf.nn.dropout is the share that is kept. `rate` of TensorFlow 2 and Keras is the share that is "
        "dropped: rate = 1 - keep_prob.",
    ),
    Cause(
        "integer division", numerics.integer_division,
        "`/` of integers truncates in Python 2 and in tf.div, `//` rounds down, and tf.truediv gives real numbers. "
        "They differ below zero, or everywhere.",
    ),
    Cause(
        "resize", options.resize,
        "tf.image.resize of TensorFlow 2 and Resizing of Keras always have half_pixel_centers=True. "
        "tf.compat.v1.image.resize has neither half_pixel_centers nor align_corners by default.",
    ),
    Cause(
        "arg max ties", numerics.arg_max_ties,
        "If several elements are the largest, arg max of TensorFlow takes the first on a CPU. Other code may take "
        "another one, so this difference may be none.",
    ),
    Cause(
        "epsilon", options.epsilon,
        "Epsilon of batch norm is 0.001 in slim and tf.layers, and 1e-5 elsewhere. That of Adam is 1e-8 in TensorFlow "
        "1.x and 1e-7 in Keras; that of RMSProp is 1e-10 in TensorFlow 1.x. Write the old number out: `epsilon=0.001`.",
    ),
    Cause(
        "padding", options.padding,
        "PyTorch and Keras 3 pad strided convolutions on other sides than SAME does. Write the old program's padding "
        "out.",
    ),
    Cause(
        "wrong axis", options.wrong_axis,
        "`axis` was `dimension` or `reduction_indices` before, and has another place in tf.split, tf.concat and "
        "tf.reverse.",
    ),
    Cause(
        "momentum definition", options.momentum_definition,
        "TensorFlow's decay of averages is the share that is kept (0.99). PyTorch's momentum of batch norm is the "
        "share that is added (0.01). Nesterov's momentum is an option of its own.",
    ),
    Cause(
        "data format", layers.data_format,
        'Images are [batch, height, width, channels] unless data_format is "NCHW". A transpose moves the channels; a '
        "reshape does not.",
    ),
    Cause(
        "bias", layers.bias,
        "Layers of contrib and slim have no bias if a normalizer_fn is given. tf.layers and Keras have one unless "
        "use_bias=False. LSTM cells of TensorFlow 1.x add forget_bias=1.0 to the bias that they hold.",
    ),
    Cause(
        "loss reduction", numerics.loss_reduction,
        "`reduce_mean` divides by the number of all elements, tf.losses by the number of those whose weight is not "
        "zero, and Keras by the batch.",
    ),
    Cause(
        "other elements", wiring.other_elements,
        "A pipeline or queue gives other elements if it maps, batches, shuffles or pads in another way, or reads other "
        "data. Look at the step that is named; if none is, look at the data, the files and the feeds.",
    ),
    Cause(
        "inside a loop", wiring.inside_a_loop,
        "Values inside loops and branches cannot be fetched, so their ops are compared. Look at the op that is named.",
    ),
    Cause(
        "other wiring", wiring.other_wiring,
        "The same op takes another tensor, as when a layer is applied to the output of another layer. Look at the "
        "arguments in both lines.",
    ),
    Cause(
        "added op", wiring.added_op,
        "The general case of an op that only the new program has.",
    ),
    Cause(
        "another op", wiring.another_op,
        "The general case of another op, such as another activation. Look at the lines of both programs that make it.",
    ),
    Cause(
        "another constant", options.another_constant,
        "The general case of another constant, if no cause above knows its meaning. Look at the lines of both programs "
        "that make it.",
    ),
    Cause(
        "missing op", wiring.missing_op,
        "The general case of an op that only the old program has.",
    ),
    Cause(
        "another shape", wiring.another_shape,
        "A layer has other units, or takes a tensor of another size. Look at the sizes that both lines give. For a "
        "layer behind a convolution or pooling, look at padding, strides and windows.",
    ),
)  # fmt: skip


def likely_cause(evidence: Evidence) -> str | None:
    """Returns "epsilon: ..." of the first cause that is sure enough, else None."""
    for cause in CAUSES:
        text = cause.likely(evidence)
        if text is not None:
            return f"{cause.name}: {text}"
    return None

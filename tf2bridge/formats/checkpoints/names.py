"""Translates variable names of older releases to those of TensorFlow 1.12 and later, and finds a variable's role.

Measured on checkpoints that genuine 0.12.1, 1.0.1, 1.1.0, 1.2.1, 1.4.1, 1.12.3 and 1.15.5 wrote of the same models; the
names of four of them are in fixtures/variable_names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

KERNEL_AND_BIAS = (
    *("basic_rnn_cell", "gru_cell", "gru_cell/gates", "gru_cell/candidate", "basic_lstm_cell", "lstm_cell"),
    *("lstm_cell/projection", "output_projection_wrapper", "input_projection_wrapper", "lstm_block_wrapper"),
    *("layer_norm_basic_lstm_cell", "ugrnn_cell", "intersection_rnn_cell", "intersection_rnn_cell/in_projection"),
    *("phased_lstm_cell/mask_gates", "phased_lstm_cell/new_input", "phased_lstm_cell/output_gate"),
    *("attention_cell_wrapper", "attention_cell_wrapper/attn_output_projection", "attention_cell_wrapper/attention"),
    *("attention_decoder", "attention_decoder/Attention_0", "attention_decoder/AttnOutputProjection"),
)
"""The scopes whose weights and biases are named kernel and bias since 1.2, from 1.2's own script for checkpoints."""

# Each rule: (a pattern of whole path segments, its replacement).  All are applied, in this order.
RENAMES: tuple[tuple[str, str], ...] = (
    # Scopes of TensorFlow 0.x.
    (r"BiRNN/FW", r"bidirectional_rnn/fw"),
    (r"BiRNN/BW", r"bidirectional_rnn/bw"),
    (r"BiRNN", r"bidirectional_rnn"),
    (r"RNN", r"rnn"),
    (r"MultiRNNCell", r"multi_rnn_cell"),
    (r"Cell(\d+)", r"cell_\1"),
    # Cells of TensorFlow 0.x; one function makes all of their weights.
    (r"Linear/Matrix", r"kernel"),
    (r"Linear/Bias", r"bias"),
    (r"BasicRNNCell(?=/(?:kernel|bias))", r"basic_rnn_cell"),
    (r"BasicLSTMCell(?=/(?:kernel|bias))", r"basic_lstm_cell"),
    (r"GRUCell/Gates", r"gru_cell/gates"),
    (r"GRUCell/Candidate", r"gru_cell/candidate"),
    (r"((?:|CoupledInputForgetGate)LSTMCell|LSTMBlockFusedCell)/W_F_diag", r"\1/w_f_diag"),
    (r"((?:|CoupledInputForgetGate)LSTMCell|LSTMBlockFusedCell)/W_I_diag", r"\1/w_i_diag"),
    (r"((?:|CoupledInputForgetGate)LSTMCell|LSTMBlockFusedCell)/W_O_diag", r"\1/w_o_diag"),
    (r"LSTMCell/W_0", r"lstm_cell/kernel"),
    (r"LSTMCell/B", r"lstm_cell/bias"),
    (r"LSTMCell/W_P_0", r"lstm_cell/projection/kernel"),
    (r"LSTMCell(?=/w_[fio]_diag)", r"lstm_cell"),
    (r"LSTMBlockCell/W", r"lstm_cell/kernel"),
    (r"LSTMBlockCell/b", r"lstm_cell/bias"),
    (r"LSTMBlockCell/wc([fio])", r"lstm_cell/w_\1_diag"),
    (r"LSTMBlockFusedCell/W_0", r"lstm_fused_cell/kernel"),
    (r"LSTMBlockFusedCell/B", r"lstm_fused_cell/bias"),
    (r"LSTMBlockFusedCell(?=/w_[fio]_diag)", r"lstm_fused_cell"),
    (r"CoupledInputForgetGateLSTMCell", r"coupled_input_forget_gate_lstm_cell"),
    (r"LayerNormBasicLSTMCell/linear/weights", r"layer_norm_basic_lstm_cell/kernel"),
    (r"LayerNormBasicLSTMCell", r"layer_norm_basic_lstm_cell"),
    # Wrappers of TensorFlow 0.x.
    (r"InputProjectionWrapper(?=/(?:kernel|bias))", r"input_projection_wrapper"),
    (r"OutputProjectionWrapper(?=/(?:kernel|bias))", r"output_projection_wrapper"),
    (r"EmbeddingWrapper(?=/embedding)", r"embedding_wrapper"),
    (r"AttentionCellWrapper/AttnOutputProjection", r"attention_cell_wrapper/attn_output_projection"),
    (r"AttentionCellWrapper/Attention/AttnV", r"attention_cell_wrapper/attention/attn_v"),
    (r"AttentionCellWrapper/Attention/AttnW", r"attention_cell_wrapper/attention/attn_w"),
    (r"AttentionCellWrapper/Attention", r"attention_cell_wrapper/attention"),
    (r"AttentionCellWrapper", r"attention_cell_wrapper"),
    # TensorFlow 1.0 and 1.1.
    *((rf"({scope})/weights", r"\1/kernel") for scope in KERNEL_AND_BIAS),
    *((rf"({scope})/biases", r"\1/bias") for scope in KERNEL_AND_BIAS),
    # TensorFlow 1.2 to 1.11.
    (r"lstm_block_wrapper", r"lstm_fused_cell"),
    (r"GRUBlockCell(?:V2)?(?=/(?:gates|candidate|w_ru|b_ru|w_c|b_c))", r"gru_cell"),
)

_COMPILED = tuple((re.compile(rf"(?:(?<=/)|^){old}(?=/|$)"), new) for old, new in RENAMES)
WORDS = ("RNN", "Cell", "Linear", "cell", "wrapper", "Wrapper", "decoder")
"""Every rule needs one of these words in a name: this check is faster than all patterns."""

# Wrappers whose variables are around those of the cell in 1.x, and beside them in 0.x.
_WRAPPERS = {
    "InputProjectionWrapper": "input_projection_wrapper",
    "OutputProjectionWrapper": "output_projection_wrapper",
    "EmbeddingWrapper": "embedding_wrapper",
}
_WRAPPER = re.compile(rf"(?:(?<=/)|^)({'|'.join(_WRAPPERS)})/(?:Linear/|embedding)")
_CELL = re.compile(r"(BasicRNNCell|BasicLSTMCell|LSTMCell|GRUCell|MultiRNNCell|LSTMBlockCell|GRUBlockCell)/")

_LEAVES = {
    "kernel": "kernel weights weight Matrix w W",
    "bias": "bias biases Bias b B",
    "depthwise_kernel": "depthwise_kernel depthwise_weights",
    "pointwise_kernel": "pointwise_kernel pointwise_weights",
    "recurrent_kernel": "recurrent_kernel",
    "embeddings": "embeddings embedding",
    "gamma": "gamma scale g",
    "beta": "beta offset",
    "moving_mean": "moving_mean",
    "moving_variance": "moving_variance moving_var",
    "alpha": "alpha alphas",
}
_ROLES = {leaf: role for role, leaves in _LEAVES.items() for leaf in leaves.split()}
_OF_NORMS = ("gamma", "scale", "g")


@lru_cache(maxsize=65536)
def modern(name: str) -> str:
    """Returns the name that TensorFlow 1.12 and later give to the variable or op that was called `name`."""
    if any(word in name for word in WORDS):
        for pattern, replacement in _COMPILED:
            name = pattern.sub(replacement, name)
    return name


def same_variable(first: str, second: str) -> bool:
    """Returns whether both names are of the same variable, written by the same or by different releases."""
    return first == second or modern(first) == modern(second)


def modern_names(names: Iterable[str]) -> dict[str, str]:
    """Returns name -> modern name for all variables of a file. Some names depend on other names of the file.

    In 0.x the cell in an InputProjectionWrapper, OutputProjectionWrapper or EmbeddingWrapper has its variables beside
    those of the wrapper; since 1.0 they are below it. If two names would become equal, both stay.
    """
    names = list(names)
    wrappers = {(name[: match.start()], match[1]) for name in names if (match := _WRAPPER.search(name))}
    modern_by_name = {name: modern(_wrapped(name, wrappers)) for name in names}
    count = Counter(modern_by_name.values())
    return {name: new if count[new] == 1 else name for name, new in modern_by_name.items()}


def role(name: str, siblings: Iterable[str] = ()) -> str:
    """Returns the role of a variable in its layer, in the words of Keras ("kernel", "gamma"), or "" if it is unknown.

    The weights of contrib and slim are the kernel of tf.layers and Keras.

    Args:
        name: the name of the variable.
        siblings: other names of its scope. A lone `b` is the bias of a layer; beside a scale it is the beta of a
            normalization.
    """
    leaf = modern(plain(name)).rpartition("/")[2]
    if leaf in ("b", "bias") and any(plain(sibling).rpartition("/")[2] in _OF_NORMS for sibling in siblings):
        return "beta"
    return _ROLES.get(leaf, "")


def plain(name: str) -> str:
    """Returns the name of a variable's node for the name of its tensor or of a part: no ":0" and no "/part_3"."""
    return re.sub(r"/part_\d+(?=$|/)", "", re.sub(r":\d+$", "", name))


def twins(name: str) -> tuple[str, ...]:
    """Returns the names that this one may have had in the first of two builds of a program, such as x for x_1.

    TensorFlow numbers a scope or variable that exists already, so any segment may have a number.
    """
    segments = name.split("/")
    cut = [re.sub(r"_\d+$", "", segment) for segment in segments]
    return tuple(
        "/".join([*segments[:place], short, *segments[place + 1 :]])
        for place, short in enumerate(cut)
        if short and short != segments[place]
    )


def _wrapped(name: str, wrappers: set[tuple[str, str]]) -> str:
    """Inserts the name of the wrapper before that of its cell. With two wrappers in a scope the order is unknown."""
    for scope in {scope for scope, _ in wrappers}:
        wrappers_here = [wrapper for within, wrapper in wrappers if within == scope]
        if len(wrappers_here) == 1 and name.startswith(scope) and _CELL.match(name, len(scope)):
            return f"{scope}{_WRAPPERS[wrappers_here[0]]}/{name[len(scope) :]}"
    return name

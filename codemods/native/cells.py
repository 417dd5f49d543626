"""Recurrent cells and the functions that run them: which calls they are, and how they are written."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.native import recurrent
from codemods.native.kinds import v1_name
from codemods.native.places import named_arguments
from codemods.native.refusals import NotNativeError
from codemods.native.translations import Translation

_PARAMETERS: Mapping[str, str] = {
    "BasicLSTMCell": "num_units forget_bias state_is_tuple activation reuse- name",
    "LSTMCell": (
        "num_units use_peepholes- cell_clip- initializer- num_proj- proj_clip- num_unit_shards- num_proj_shards- "
        "forget_bias state_is_tuple activation reuse- name"
    ),
    "GRUCell": "num_units activation reuse- kernel_initializer- bias_initializer- name",
    "BasicRNNCell": "num_units activation reuse- name",
    "MultiRNNCell": "cells state_is_tuple",
    "DropoutWrapper": (
        "cell input_keep_prob output_keep_prob state_keep_prob- variational_recurrent- input_size- dtype~ seed"
    ),
    "rnn_decoder": "decoder_inputs initial_state cell loop_function- scope",
    "static_rnn": "cell inputs initial_state dtype sequence_length scope",
    "dynamic_rnn": (
        "cell inputs sequence_length initial_state dtype parallel_iterations~ swap_memory~ time_major scope"
    ),
    "bidirectional_dynamic_rnn": (
        "cell_fw cell_bw inputs sequence_length initial_state_fw initial_state_bw dtype parallel_iterations~ "
        "swap_memory~ time_major scope"
    ),
    "static_bidirectional_rnn": (
        "cell_fw cell_bw inputs initial_state_fw initial_state_bw dtype sequence_length- scope"
    ),
}
"""Class or function -> the parameters of 1.15.5. `name-` must be None; `name~` changes nothing."""
_SCOPES = {
    "rnn_decoder": "rnn_decoder",
    "static_rnn": "rnn",
    "dynamic_rnn": "rnn",
    "static_bidirectional_rnn": "bidirectional_rnn",
    "bidirectional_dynamic_rnn": "bidirectional_rnn",
}
"""Function -> the scope that it opens."""


def write_calls(translation: Translation, prefixes: Mapping[ast.Call, str]) -> None:
    """Writes the calls that make and run cells.

    Args:
        translation: The translation of the file.
        prefixes: Call that runs cells -> the variable scope that it stands in, such as "net/".

    Raises:
        NotNativeError: A call has an option without a counterpart.
    """
    for chain in translation.names.chains:
        if recurrent.is_state(v1_name(translation.names, chain) or ""):
            translation.source.replace(translation.source.span(chain), "LSTMStateTuple")
            translation.recurrent.add("LSTMStateTuple")
    for call in translation.calls():
        name = v1_name(translation.names, call.func) or ""
        chosen = recurrent.cell_class(name) or recurrent.function_of(name)
        if chosen is not None:
            _write(translation, call, chosen, prefixes.get(call, ""))
        elif call in prefixes and prefixes[call] and v1_name(translation.names, call.func) is None:
            end = translation.source.span(call)[1] - 1
            translation.source.replace((end, end), f", scope={prefixes[call].rstrip('/')!r}")
    if translation.recurrent:
        translation.imports |= {"collections", "keras"}


def _write(translation: Translation, call: ast.Call, chosen: str, prefix: str) -> None:
    listed = _PARAMETERS[chosen].split()
    if len(call.args) > len(listed) or any(isinstance(part, ast.Starred) for part in call.args):
        raise NotNativeError(call, "NAT001", f"{chosen} with these options has no counterpart")
    given = named_arguments(call, [name.rstrip("-~") for name in listed])
    kept = {name.rstrip("-~"): name[-1] for name in listed}
    parts: list[str] = []
    for name, value in given.items():
        stated = value.value if isinstance(value, ast.Constant) else value
        if kept.get(name) == "~" or (kept.get(name) == "-" and stated in (None, False)):
            continue
        if name not in kept or kept[name] == "-" or (name == "state_is_tuple" and stated is not True):
            raise NotNativeError(call, "NAT001", f"the option {name} of {chosen} has no counterpart in native code")
        if name == "scope":
            if not isinstance(stated, str):
                raise NotNativeError(call, "NAT005", "the source does not say the scope of this call")
            parts.append(f"scope={prefix + stated!r}")
        elif name != "state_is_tuple":
            plain = value in call.args[:1] or (value in call.args and listed[: len(parts) + 1][-1].rstrip("-~") == name)
            parts.append(translation.text(value) if plain else f"{name}={translation.text(value)}")
    if chosen in _SCOPES and prefix and "scope" not in given:
        parts.append(f"scope={prefix + _SCOPES[chosen]!r}")
    translation.recurrent.add(chosen)
    translation.put(call, f"{chosen}({', '.join(parts)})")

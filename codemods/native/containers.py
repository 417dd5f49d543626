"""Tells fetches that are several tensors under one name: `pair = (x, y)`, or `parts = tf.split(x, 2)`."""

from __future__ import annotations

import ast

from codemods.native.items import Body
from codemods.native.kinds import v1_name
from codemods.native.meanings import Meanings
from codemods.native.places import place_of
from codemods.native.runs import Fetch
from codemods.tree import walk

_DISPLAYS = (ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.DictComp)
_NAMES = (
    "split unstack meshgrid unique unique_with_counts identity_n shape_n dynamic_partition while_loop svd qr "
    "linalg.svd linalg.qr linalg.eigh linalg.lu linalg.slogdet self_adjoint_eig setdiff1d listdiff nn.moments "
    "nn.weighted_moments nn.sufficient_statistics nn.top_k nn.max_pool_with_argmax nn.fused_batch_norm nn.dynamic_rnn "
    "nn.static_rnn nn.static_bidirectional_rnn nn.bidirectional_dynamic_rnn nn.ctc_beam_search_decoder "
    "nn.ctc_greedy_decoder contrib.rnn.static_rnn contrib.rnn.static_bidirectional_rnn clip_by_global_norm decode_csv "
    "io.decode_csv sparse_fill_empty_rows gradients tuple"
)
_SEVERAL = frozenset(_NAMES.split())
"""Functions of TensorFlow 1 that give several tensors."""


def is_container(fetch: Fetch, body: Body, at: int, meanings: Meanings) -> bool:
    """Returns whether the source says that a fetch is a list, tuple or dict of tensors.

    Args:
        fetch: The fetch.
        body: The statements.
        at: The number of the statement that fetches it.
        meanings: The meanings of names, and the functions of the program.
    """
    made = body.definition(fetch.place, at) if fetch.place is not None else None
    if made is None:
        return fetch.place is None and _gives_several(fetch.node, meanings)
    node = made.node
    if not isinstance(node, ast.Assign) or not any(place_of(target) == fetch.place for target in node.targets):
        return False
    return _gives_several(node.value, meanings)


def _gives_several(value: ast.expr, meanings: Meanings) -> bool:
    if isinstance(value, _DISPLAYS):
        return True
    if not isinstance(value, ast.Call):
        return False
    function = meanings.functions.get(place_of(value.func) or "")
    if function is None:
        return v1_name(meanings.names, value.func) in _SEVERAL
    returned = [node.value for node in walk(function) if isinstance(node, ast.Return)]
    return any(isinstance(node, _DISPLAYS) for node in returned)

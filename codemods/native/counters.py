"""The variable that counts steps: `tf.train.get_or_create_global_step()`, and `tf.train.global_step(sess, step)`."""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.native.kinds import calls_of, v1_name
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.native.translations import Translation
from codemods.tree import walk

MAKERS = ("train.get_or_create_global_step", "train.create_global_step")
_READER = "train.global_step"


def make_counter(translation: Translation, call: ast.Call) -> None:
    """Writes the variable that `tf.train.get_or_create_global_step` makes (`training_util.py` of 1.15.5).

    Raises:
        NotNativeError: Several calls may make it.
    """
    if call.args or call.keywords:
        return
    others = list(calls_of(walk(translation.source.tree), translation.names, MAKERS))
    if len(others) > 1:
        raise NotNativeError(others[1], "NAT008", "an earlier call has made the count of steps; use its result")
    tf = translation.tf
    name = translation.prefixes.get(call, "") + "global_step"
    translation.put(call, f"{tf}.Variable(0, trainable=False, dtype={tf}.int64, name={name!r})")


def with_read_counters(text: str) -> str:
    """Returns a text that reads counts of steps by calls of sessions: `int(sess.run(step))`."""
    if f"{_READER.rpartition('.')[2]}(" not in text:
        return text
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    source = SourceText(text, tree)
    for call in [node for node in walk(tree) if isinstance(node, ast.Call)]:
        if v1_name(names, call.func) == _READER and len(call.args) == 2 and not call.keywords:
            session, step = (source.plain(part) for part in call.args)
            lines = "\n" * (source.plain(call).count("\n") - (session + step).count("\n"))
            source.replace(source.span(call), f"int({session}.run({step}{lines}))")
    return source.result()

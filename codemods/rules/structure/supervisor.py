"""TFS001: a Supervisor's managed session becomes a MonitoredTrainingSession."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

_SUPERVISOR = ("tensorflow.train.Supervisor", "tensorflow.compat.v1.train.Supervisor")
_SESSION = "tensorflow.compat.v1.train.MonitoredTrainingSession"
# Parameters of Supervisor that MonitoredTrainingSession takes, by their name there.
_KEPT = {"logdir": "checkpoint_dir", "is_chief": "is_chief", "save_model_secs": "save_checkpoint_secs"}
_OTHERS = (
    "the Supervisor has arguments that a MonitoredTrainingSession does not take (it uses hooks and a Scaffold instead)"
)
_USES = "the Supervisor is used for more than one managed_session() with should_stop() inside it"


@dataclass(frozen=True)
class _Found:
    """The only `with sv.managed_session(...) as sess:` and the calls of `sv.should_stop` inside it."""

    session: ast.Call
    name: str
    stops: tuple[ast.Attribute, ...]


def find(statement: ast.Assign, context: Context) -> Iterator[Hit]:
    """Yields hits on the Supervisor, its session and its should_stop, or one finding if it does more."""
    made, target = statement.value, statement.targets[0]
    if not isinstance(made, ast.Call) or context.qualified(made.func) not in _SUPERVISOR:
        return
    if len(statement.targets) != 1 or not isinstance(target, ast.Name):
        return
    arguments = _arguments(made, context)
    if arguments is None:
        yield Hit(statement, _OTHERS, Safety.MANUAL, todo=True)
        return
    uses = _uses(target.id, statement, context)
    message = "a MonitoredTrainingSession restores, saves and stops as the supervisor did"
    if not uses and "MonitoredTrainingSession" in context.text:
        yield Hit(statement, message, rewrite="")
        return
    pattern = _pattern(uses, context)
    if pattern is None:
        yield Hit(statement, _USES, Safety.MANUAL, todo=True)
        return
    given = [context.source(argument) for argument in (*pattern.session.args, *pattern.session.keywords)]
    text = f"{context.spell(_SESSION)}({', '.join([*arguments, *_master(pattern.session, given)])})"
    yield Hit(statement, message, rewrite="")
    yield Hit(pattern.session, message, rewrite=text, imports=context.needs(_SESSION))
    for stop in pattern.stops:
        yield Hit(stop, message, rewrite=f"{pattern.name}.should_stop")


def _arguments(call: ast.Call, context: Context) -> list[str] | None:
    """Returns the arguments of the new session, as text; None if one has no counterpart."""
    if call.args or any(keyword.arg not in _KEPT for keyword in call.keywords):
        return None
    given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    zero = given.get("save_model_secs")
    if isinstance(zero, ast.Constant) and not zero.value:
        return None
    return [f"{_KEPT[name]}={context.source(value)}" for name, value in given.items()]


def _master(session: ast.Call, given: list[str]) -> list[str]:
    """Returns the arguments of managed_session(master="", config=None, ...), the first by its keyword."""
    if session.args:
        return [f"master={given[0]}", *given[1:]]
    return given


def _uses(name: str, statement: ast.Assign, context: Context) -> list[ast.Name]:
    nodes = [node for node in context.names.nodes.get(ast.Name, []) if isinstance(node, ast.Name) and node.id == name]
    return [node for node in nodes if node is not statement.targets[0]]


def _pattern(uses: list[ast.Name], context: Context) -> _Found | None:
    """Returns the managed session, if the uses are one managed session and calls of should_stop inside it."""
    sessions: list[tuple[ast.Call, str, ast.AST]] = []
    stops: list[ast.Attribute] = []
    for use in uses:
        attribute = context.parent(use)
        call = context.parent(attribute) if attribute is not None else None
        item = context.parent(call) if call is not None else None
        if not isinstance(attribute, ast.Attribute) or not isinstance(call, ast.Call):
            return None
        if attribute.attr == "should_stop":
            stops.append(attribute)
        elif attribute.attr == "managed_session" and isinstance(item, ast.withitem) and len(call.args) < 2:
            if not isinstance(item.optional_vars, ast.Name) or any(k.arg is None for k in call.keywords):
                return None
            sessions.append((call, item.optional_vars.id, context.statement(call)))
        else:
            return None
    if len(sessions) != 1:
        return None
    session, name, block = sessions[0]
    inside = set(ast.walk(block))
    return _Found(session, name, tuple(stops)) if all(stop in inside for stop in stops) else None


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFS001",
    name="supervisor",
    summary="tf.train.Supervisor -> MonitoredTrainingSession",
    why="Supervisor works under tf.compat.v1, but has been deprecated since 1.4; MonitoredTrainingSession replaces "
    "it. A MonitoredTrainingSession needs a global step in the graph, finalizes the graph, and writes its summaries "
    "by the step. So the rewrite is your choice: --select TFS with --unsafe-fixes makes it.",
    safety=Safety.UNSAFE,
    on=(ast.Assign,),
    find=find,
    targets=("compat",),
    examples=(
        Example(
            f"{_T}sv = tf.train.Supervisor(logdir=path)\nwith sv.managed_session() as sess:\n"
            "    while not sv.should_stop():\n        sess.run(step)\n",
            f"{_T}with tf.compat.v1.train.MonitoredTrainingSession(checkpoint_dir=path) as sess:\n"
            "    while not sess.should_stop():\n        sess.run(step)\n",
            unsafe_fixes=True,
        ),
        Example(
            f"{_T}sv = tf.train.Supervisor(is_chief=chief)\nwith sv.managed_session(target, config=c) as sess:\n"
            "    sess.run(step)\n",
            f"{_T}with tf.compat.v1.train.MonitoredTrainingSession(is_chief=chief, master=target, config=c) as sess:\n"
            "    sess.run(step)\n",
            unsafe_fixes=True,
        ),
        Example(
            f"{_T}sv = tf.train.Supervisor(logdir=path, saver=None)\nsess = sv.prepare_or_wait_for_session()\n",
            f"{_T}# TODO(codemods TFS001): {_OTHERS}\n"
            "sv = tf.train.Supervisor(logdir=path, saver=None)\nsess = sv.prepare_or_wait_for_session()\n",
        ),
        Example(f"{_T}sess = tf.compat.v1.train.MonitoredTrainingSession()\n"),
    ),
)

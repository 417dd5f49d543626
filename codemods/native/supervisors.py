"""Supervisors become a saver, a writer of summaries, and a plain session that begins with the last checkpoint.

The threads of a supervisor acted at times that TensorFlow 1 left open. Checkpoints by time are written in the loop.
Summaries by time, which a thread computed beside the training, are refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemods.native.managed_sessions import Edited, require_known, session_lines
from codemods.native.places import named_arguments
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_PARAMETERS = (
    "graph", "ready_op", "ready_for_local_init_op", "is_chief", "init_op", "init_feed_dict", "local_init_op", "logdir",
    "summary_op", "saver", "global_step", "save_summaries_secs", "save_model_secs", "recovery_wait_secs",
    "stop_grace_secs", "checkpoint_basename", "session_manager", "summary_writer", "init_fn",
)  # fmt: skip
_KNOWN = frozenset(_PARAMETERS) - {
    "ready_op", "ready_for_local_init_op", "init_feed_dict", "session_manager", "summary_writer", "init_fn"
}  # fmt: skip
_OPENING = ("managed_session", "prepare_or_wait_for_session", "PrepareSession")
_GONE = ("start_queue_runners", "StartQueueRunners")


@dataclass
class _Supervisor:
    """A supervisor, and the names of what stands for its parts. "" is a part that it has not."""

    edited: Edited
    call: ast.Call
    statement: ast.Assign
    name: str
    given: dict[str, ast.expr]
    step: str = ""
    saver: str = ""
    folder: str = ""
    writer: str = ""
    summary: str = ""
    stop: str = ""

    @property
    def path(self) -> str:
        """The expression of the path of checkpoints."""
        base = self.given.get("checkpoint_basename")
        named = self.edited.source.plain(base) if base is not None else "'model.ckpt'"
        return f"{self.edited.module('os')}.path.join({self.folder}, {named})"

    @property
    def is_sure(self) -> bool:
        """Whether it has a folder in each run of the program."""
        return "logdir" in self.given and self.edited.is_folder(self.given["logdir"])


def write_supervisor(edited: Edited, call: ast.Call) -> None:
    """Writes a supervisor and its session as a plain session.

    Raises:
        NotNativeError: It is used in a way that the source does not decide, or has no counterpart.
    """
    statement = edited.names.parents[call]
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Name):
        raise NotNativeError(call, "NAT008", "give this supervisor a name of its own")
    given = named_arguments(call, _PARAMETERS)
    require_known(call, given, _KNOWN, "tf.train.Supervisor")
    made = _Supervisor(edited, call, statement, target.id, given)
    uses = [n for n in walk(edited.tree) if isinstance(n, ast.Name) and n.id == target.id and n is not target]
    given_elsewhere = any(isinstance(n, ast.arg) and n.arg == target.id for n in walk(edited.tree))
    if given_elsewhere or not all(edited.is_seen(statement, use) for use in uses):
        raise NotNativeError(call, "NAT008", f"{target.id} is another value elsewhere; give it a name of its own")
    beside = _parts(made, {edited.names.parents[use].attr for use in uses if _attribute(edited, use)})  # type: ignore[attr-defined]
    edited.put(statement, beside or ["pass"])
    opened = [use for use in uses if _write_use(made, use)]
    if len(opened) != 1:
        raise NotNativeError(call, "NAT008", "this supervisor must open one session")


def _attribute(edited: Edited, use: ast.Name) -> bool:
    above = edited.names.parents[use]
    if not isinstance(above, ast.Attribute):
        raise NotNativeError(use, "NAT008", "a supervisor that is given to a function has no counterpart")
    return True


def _parts(made: _Supervisor, used: set[str]) -> list[str]:
    """Names the parts of a supervisor. Returns the lines that make those which the program did not make."""
    edited, given, text = made.edited, made.given, made.edited.source.plain
    lines: list[str] = []
    if not edited.is_nothing(given.get("logdir")):
        made.folder = text(given["logdir"])
        if not isinstance(given["logdir"], (ast.Name, ast.Attribute, ast.Constant)):
            made.folder = edited.free("logdir")
            lines.append(f"{made.folder} = {text(given['logdir'])}")
    made.step = _given(made, "global_step") if "global_step" in given else edited.step_at(made.call)
    if "saver" in given:
        made.saver = _given(made, "saver")
    elif made.folder or "saver" in used:
        made.saver = edited.free("saver")
        lines.append(f"{made.saver} = {edited.tf}.train.Saver()")
    lines += _summary(made, used)
    if used & {"summary_writer", "summary_computed", "SummaryComputed"}:
        lines += _writer(made)
    if used & {"request_stop", "RequestStop"}:
        made.stop = edited.free("should_stop")
        lines.append(f"{made.stop} = False")
    return lines


def _given(made: _Supervisor, option: str) -> str:
    """Returns the text of an option; "" for None."""
    return "" if made.edited.is_nothing(made.given[option]) else made.edited.source.plain(made.given[option])


def _summary(made: _Supervisor, used: set[str]) -> list[str]:
    """Names the summary of a supervisor. Returns the line that makes it, if it is needed and not given.

    Raises:
        NotNativeError: A thread computed it.
    """
    edited, seconds = made.edited, made.given.get("save_summaries_secs")
    is_given = "summary_op" in made.given
    made.summary = _given(made, "summary_op") if is_given else "summary_op" if edited.has_summaries else ""
    is_off = isinstance(seconds, ast.Constant) and not seconds.value
    if made.folder and made.summary and not is_off:
        message = "a thread computes the summaries of this supervisor at times that TensorFlow 1 left open; "
        raise NotNativeError(made.call, "NAT007", message + "write summary_op=None and compute them in the loop")
    if is_given or "summary_op" not in used or not made.summary:
        return []
    made.summary = edited.free("summary_op")
    return [f"{made.summary} = {edited.tf}.summary.merge_all()"]


def _writer(made: _Supervisor) -> list[str]:
    """Names the writer of a supervisor, and returns the lines that make it."""
    edited = made.edited
    if not made.folder:
        raise NotNativeError(made.call, "NAT008", "a supervisor without a folder writes no summaries")
    error = "raise RuntimeError('Writing a summary requires a summary writer.')"
    made.writer = edited.free("summary_writer")
    first = [] if made.is_sure else [f"if not {made.folder}:", f"{edited.source.indent_step}{error}"]
    return [*first, f"{made.writer} = {edited.tf}.summary.FileWriter({made.folder})"]


def _write_use(made: _Supervisor, use: ast.Name) -> bool:
    """Writes a use of a supervisor. Returns whether it opens the session."""
    edited, source = made.edited, made.edited.source
    attribute = edited.names.parents[use]
    assert isinstance(attribute, ast.Attribute)
    above = edited.names.parents[attribute]
    call = above if isinstance(above, ast.Call) and above.func is attribute else None
    values = {
        "saver": made.saver,
        "global_step": made.step,
        "summary_op": made.summary,
        "summary_writer": made.writer,
        "save_path": made.path if made.folder else "",
    }
    if call is None and values.get(attribute.attr):
        source.replace(source.span(attribute), values[attribute.attr])
        return False
    statement = edited.names.parents.get(call) if call is not None else None
    if call is not None and attribute.attr in _OPENING:
        _open(made, call)
        return True
    if call is not None and attribute.attr in ("should_stop", "ShouldStop"):
        _write_test(made, call)
    elif isinstance(statement, ast.Expr) and attribute.attr in ("stop", "Stop", *_GONE):
        edited.drop(statement)
    elif isinstance(statement, ast.Expr) and attribute.attr in ("request_stop", "RequestStop") and not call.args:  # type: ignore[union-attr]
        if edited.function_of(statement) is not edited.function_of(made.statement):
            raise NotNativeError(use, "NAT008", "this supervisor is stopped in another function")
        edited.put(statement, [f"{made.stop} = True"])
    elif isinstance(statement, ast.Expr) and attribute.attr in ("summary_computed", "SummaryComputed"):
        assert call is not None
        _write_summary(made, call)
    else:
        raise NotNativeError(use, "NAT001", f"the part {attribute.attr} of a supervisor has no counterpart here")
    return False


def _write_summary(made: _Supervisor, call: ast.Call) -> None:
    """Writes `sv.summary_computed(sess, summary)`, which took the number of the step itself."""
    given = named_arguments(call, ("sess", "summary", "global_step"))
    text = made.edited.source.text_of
    if not {"sess", "summary"} <= given.keys() <= {"sess", "summary", "global_step"}:
        raise NotNativeError(call, "NAT008", "the source does not say which summary is written")
    step = given.get("global_step")
    if step is None and not made.step:
        raise NotNativeError(call, "NAT008", "the source does not say at which step this summary is written")
    number = text(step) if step is not None else f"{text(given['sess'])}.run({made.step})"
    made.edited.source.replace(
        made.edited.source.span(call), f"{made.writer}.add_summary({text(given['summary'])}, {number})"
    )


def _write_test(made: _Supervisor, call: ast.Call) -> None:
    """Writes `sv.should_stop()`. Nothing stops a supervisor but the program."""
    edited, source = made.edited, made.edited.source
    above = edited.names.parents[call]
    if made.stop:
        source.replace(source.span(call), made.stop)
        return
    if isinstance(above, ast.If) and above.test is call and not above.orelse:
        edited.drop(above)
        return
    if not isinstance(above, ast.UnaryOp) or not isinstance(above.op, ast.Not):
        source.replace(source.span(call), "False")
        return
    both = edited.names.parents[above]
    if isinstance(both, ast.BoolOp) and isinstance(both.op, ast.And):
        rest = " and ".join(source.text_of(part) for part in both.values if part is not above)
        source.replace(source.span(both), rest)
    else:
        source.replace(source.span(above), "True")


def _open(made: _Supervisor, call: ast.Call) -> None:
    """Writes what opens the session, and the checkpoints by time in its loops."""
    edited, step = made.edited, made.edited.source.indent_step
    given = named_arguments(call, ("master", "config"))
    require_known(call, given, frozenset(("master", "config", "start_standard_services")), "a managed session")
    init = made.given.get("init_op")
    if init is not None and edited.is_nothing(init):
        raise NotNativeError(made.call, "NAT008", "the source does not say which first values this session has")
    first = edited.source.plain(init) if init is not None else f"{edited.tf}.global_variables_initializer()"
    above = edited.names.parents[call]
    block = edited.names.parents[above] if isinstance(above, ast.withitem) else None
    if isinstance(block, ast.With) and len(block.items) == 1 and isinstance(block.items[0].optional_vars, ast.Name):
        session = block.items[0].optional_vars.id
        lines = session_lines(edited, session, first, made.saver, made.folder, made.is_sure)
        lines += _saves_at_times(made, given, session, [block])
        edited.put(block, [f"with {edited.tf}.Session() as {session}:", *(step + line for line in lines)])
    elif isinstance(above, ast.Assign) and len(above.targets) == 1 and isinstance(above.targets[0], ast.Name):
        session = above.targets[0].id
        owner = edited.function_of(above)
        lines = session_lines(edited, session, first, made.saver, made.folder, made.is_sure)
        behind = [n for n in owner.body if n.lineno > above.lineno]  # type: ignore[attr-defined]
        lines += _saves_at_times(made, given, session, behind)
        edited.put(above, [f"{session} = {edited.tf}.Session()", *lines])
    else:
        raise NotNativeError(call, "NAT008", "give the session of this supervisor a name of its own")


def _saves_at_times(made: _Supervisor, given: dict[str, ast.expr], session: str, blocks: list[ast.stmt]) -> list[str]:
    """Writes the checkpoints that a thread wrote by time into the innermost loops. Returns the line before them."""
    edited, step = made.edited, made.edited.source.indent_step
    seconds = made.given.get("save_model_secs")
    services = given.get("start_standard_services")
    if isinstance(services, ast.Constant) and not services.value:
        return []
    if not (made.saver and made.folder) or (isinstance(seconds, ast.Constant) and not seconds.value):
        return []
    text = edited.source.plain(seconds) if seconds is not None else "600"
    clock, moment = f"{edited.module('time')}.time()", edited.free("next_save")
    count = f", global_step={made.step}" if made.step else ""
    condition = "" if made.is_sure else f"{made.folder} and "
    for loop in _innermost(blocks, session):
        if loop.body[0].lineno == loop.lineno or edited.function_of(loop) is not edited.function_of(made.statement):
            raise NotNativeError(loop, "NAT008", "checkpoints by time have no place in this loop")
        lines = [
            f"if {condition}{clock} >= {moment}:",
            f"{step}{made.saver}.save({session}, {made.path}{count})",
            f"{step}{moment} = {clock} + {text}",
        ]
        edited.put_before(loop.body[0], lines, edited.source.indent_of(loop.body[0]))
    return [f"{moment} = {clock}"]


def _innermost(blocks: list[ast.stmt], session: str) -> Iterator[ast.For | ast.While]:
    """Yields the loops without others in them in which a session is used."""
    for block in blocks:
        for node in walk(block):
            if not isinstance(node, (ast.For, ast.While)):
                continue
            uses = any(isinstance(n, ast.Name) and n.id == session for n in walk(node))
            inner = (n for n in walk(node) if isinstance(n, (ast.For, ast.While)) and n is not node)
            if uses and not any(True for loop in inner for _ in _innermost([loop], session)):
                yield node

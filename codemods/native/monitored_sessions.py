"""Sessions with hooks become plain sessions in a loop: what the hooks did stands round each run."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods.native.kinds import v1_name
from codemods.native.managed_sessions import Edited, require_known, session_lines
from codemods.native.monitored_runs import write_runs
from codemods.native.own_hooks import own_hook
from codemods.native.places import method_of, named_arguments
from codemods.native.refusals import NotNativeError
from codemods.native.session_hooks import Acts, Monitored, bound_once, hook, saves, summarizes
from codemods.tree import walk

_TRAINING = "train.MonitoredTrainingSession"
_PARAMETERS = {
    _TRAINING: ("master", "is_chief", "checkpoint_dir", "scaffold", "hooks", "chief_only_hooks"),
    "train.SingularMonitoredSession": ("hooks", "scaffold", "master", "config", "checkpoint_dir"),
    "train.MonitoredSession": ("session_creator", "hooks"),
}
_KNOWN = frozenset(
    (
        "master", "is_chief", "checkpoint_dir", "hooks", "chief_only_hooks", "config", "save_checkpoint_secs",
        "save_checkpoint_steps", "save_summaries_steps", "save_summaries_secs", "log_step_count_steps",
        "stop_grace_period_secs", "max_wait_secs",
    )
)  # fmt: skip
_COUNTING = frozenset(("minimize", "apply_gradients", "optimize_loss"))


def write_monitored(edited: Edited, call: ast.Call, is_early: bool) -> None:
    """Writes a session with hooks as a plain one.

    Raises:
        NotNativeError: It is used in a way that the source does not decide, or has no counterpart.
    """
    name = v1_name(edited.names, call.func) or ""
    item = edited.names.parents[call]
    block = edited.names.parents.get(item)
    held = block.items[0].optional_vars if isinstance(block, ast.With) and len(block.items) == 1 else None
    if not isinstance(block, ast.With) or not isinstance(held, ast.Name):
        raise NotNativeError(call, "NAT008", f"write `with tf.{name}(...) as sess:`, which says where the session ends")
    given = named_arguments(call, _PARAMETERS[name])
    require_known(call, given, _KNOWN, f"tf.{name}")
    if edited.is_nothing(given.get("checkpoint_dir")):
        given.pop("checkpoint_dir", None)
    at = Monitored(edited, block, held.id, edited.step_at(block), edited.free("step"), edited.free("saver"), is_early)
    own = _of_training(at, call, given) if name == _TRAINING else []
    acts = [*_hooks(at, given.get("chief_only_hooks")), *own, *_hooks(at, given.get("hooks"))]
    _require_one_count(at, acts)
    _write(at, given, acts)


def _of_training(at: Monitored, call: ast.Call, given: dict[str, ast.expr]) -> list[Acts]:
    """Returns what the session does without being asked, where it has a folder: summaries and checkpoints."""
    edited, text = at.edited, at.edited.source.plain
    folder = given.get("checkpoint_dir")
    if folder is None:
        return []
    if "save_summaries_secs" in given and not edited.is_nothing(given["save_summaries_secs"]) and edited.has_summaries:
        raise NotNativeError(call, "NAT001", "summaries that are written by seconds have no counterpart; name steps")
    acts: list[Acts] = []
    every = given.get("save_summaries_steps")
    if edited.has_summaries and not _is_off(every):
        summary, writer = edited.free("summary_op"), edited.free("summary_writer")
        wanted = summarizes(at, summary, writer, text(every) if every is not None else "100")
        wanted.beside = [
            f"{summary} = {edited.tf}.summary.merge_all()",
            f"{writer} = {edited.tf}.summary.FileWriter({text(folder)})",
        ]
        acts.append(wanted)
    steps, seconds = given.get("save_checkpoint_steps"), given.get("save_checkpoint_secs")
    if steps is not None and not _is_off(steps):
        if seconds is not None and not _is_off(seconds):
            raise NotNativeError(call, "NAT008", "checkpoints are saved by steps or by seconds, not by both")
        acts.append(saves(at, text(folder), at.saver, text(steps), ""))
    elif not _is_off(seconds):
        acts.append(saves(at, text(folder), at.saver, "", text(seconds) if seconds is not None else "600"))
    return acts


def _is_off(node: ast.expr | None) -> bool:
    """Returns whether an option is given as None or 0."""
    return isinstance(node, ast.Constant) and not node.value


def _hooks(at: Monitored, listed: ast.expr | None) -> list[Acts]:
    """Returns what the hooks of a list do, in their order."""
    if isinstance(listed, ast.Name):
        held, listed = listed, bound_once(at.edited, listed)
        made = at.edited.names.parents.get(listed) if listed is not None else None
        if not isinstance(made, ast.stmt) or not isinstance(listed, (ast.List, ast.Tuple)):
            raise NotNativeError(held, "NAT008", "the source does not say which hooks this session has")
        at.edited.drop(made)
    if listed is None or at.edited.is_nothing(listed):
        return []
    if not isinstance(listed, (ast.List, ast.Tuple)):
        raise NotNativeError(listed, "NAT008", "the source does not say which hooks this session has")
    return [_hook(at, node) for node in listed.elts]


def _hook(at: Monitored, node: ast.expr) -> Acts:
    call: ast.expr | None = node
    if isinstance(node, ast.Name):
        call = bound_once(at.edited, node)
        made = at.edited.names.parents.get(call) if call is not None else None
        if isinstance(made, ast.stmt) and isinstance(call, ast.Call):
            at.edited.drop(made)
    acts = None
    if isinstance(call, ast.Call):
        acts = hook(at, call) or own_hook(at, call)
    if acts is None:
        raise NotNativeError(node, "NAT008", "the source does not say what this hook does")
    return acts


def _require_one_count(at: Monitored, acts: Sequence[Acts]) -> None:
    """Refuses hooks that count steps, where a run may count several: they then acted at other steps."""
    if not any(act.counts for act in acts):
        return
    at.read_step()
    calls = (n for n in walk(at.edited.tree) if isinstance(n, ast.Call) and method_of(n) in _COUNTING)
    counting = [
        call
        for call in calls
        if any(isinstance(n, ast.Name) and n.id == at.step for a in (*call.args, *call.keywords) for n in walk(a))
    ]
    if len(counting) > 1:
        raise NotNativeError(counting[1], "NAT008", "several training ops count the steps of this session")


def _write(at: Monitored, given: dict[str, ast.expr], acts: Sequence[Acts]) -> None:
    edited, text = at.edited, at.edited.source.plain
    step = edited.source.indent_step
    folder = given.get("checkpoint_dir")
    beside: list[str] = []
    if folder is not None and not edited.is_folder(folder):
        # without a folder TensorFlow 1 left checkpoints out
        beside += [f"if not {text(folder)}:", f"{step}raise ValueError('this program needs a folder for checkpoints')"]
    lines = [line for act in acts for line in act.beside]
    start = [line for act in acts for line in act.start]
    end = [line for act in acts for line in act.end]
    init, place = f"{edited.tf}.global_variables_initializer()", text(folder) if folder is not None else ""
    first = session_lines(
        edited,
        at.session,
        init,
        at.saver,
        place,
        True,
    )
    if any(f"{at.saver}." in line for line in (*first, *start, *end)):
        beside.append(f"{at.saver} = {edited.tf}.train.Saver()")
    if any(at.count in line for act in acts for line in act.before):
        start.append(f"{at.count} = {at.read_step()}")
    stop = edited.free("should_stop") if any(act.stops for act in acts) else ""
    if stop:
        start.append(f"{stop} = False")
    if end and any(isinstance(n, ast.Return) for n in walk(at.block)):
        raise NotNativeError(at.block, "NAT008", "this session ends inside its block; its hooks act at its end")
    write_runs(at, acts, stop)
    header = f"with {edited.tf}.Session() as {at.session}:"
    edited.put(at.block, [*beside, *lines, header, *(f"{step}{line}" for line in (*first, *start))])
    edited.put_behind(at.block, end, edited.source.indent_of(at.block) + step)

"""What the hooks of a monitored session become: lines before it, round each run in it, and at its end.

The steps at which they act are those of `basic_session_run_hooks.py` of TensorFlow 1.15.5. Up to 1.4, the first
checkpoint was that behind the first run.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from codemods.native.kinds import v1_name
from codemods.native.managed_sessions import Edited
from codemods.native.places import named_arguments
from codemods.native.refusals import NotNativeError

_MODULES = ("train.", "estimator.")
_SUMMARIES = (
    "TensorFlow 1 left open whether a hook reads the number of the step before or after the step, so that a summary "
    "may be written one run earlier there; here it is read after the step"
)


@dataclass
class Acts:
    """What a hook does.

    Attributes:
        beside: Lines before the session.
        start: Lines behind the first values.
        before: Lines before each run.
        fetched: Expression that each run fetches too -> the name of its value.
        when: The condition under which runs fetch it; "" for always.
        after: Lines behind each run.
        stops: The condition that ends the session, behind each run.
        end: Lines at the end of the session.
        counts: Whether `after` or `stops` reads the number of the step.
    """

    beside: list[str] = field(default_factory=list)
    start: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    fetched: dict[str, str] = field(default_factory=dict)
    when: str = ""
    after: list[str] = field(default_factory=list)
    stops: str = ""
    end: list[str] = field(default_factory=list)
    counts: bool = False


@dataclass(frozen=True)
class Monitored:
    """A monitored session while it becomes a plain one.

    Attributes:
        edited: The text.
        block: The block that opens it.
        session: Its name.
        step: The variable that counts steps; "" for none.
        count: The name of the number of the step behind a run.
        saver: The name of its saver.
        is_early: Whether it is of TensorFlow 1.4 or earlier.
    """

    edited: Edited
    block: ast.With
    session: str
    step: str
    count: str
    saver: str
    is_early: bool
    _values: dict[str, str] = field(default_factory=dict)

    def value(self, text: str, name: str) -> str:
        """Returns the name of the value of an expression that runs fetch for hooks, from a wished one."""
        if text not in self._values:
            self._values[text] = self.edited.free(name)
        return self._values[text]

    def read_step(self) -> str:
        """Returns the expression that reads the number of the step.

        Raises:
            NotNativeError: Nothing counts steps.
        """
        if not self.step:
            raise NotNativeError(self.block, "NAT008", "a hook reads the number of the step, and nothing counts steps")
        return f"{self.session}.run({self.step})"


def saves(at: Monitored, folder: str, saver: str, steps: str, seconds: str, base: str = "'model.ckpt'") -> Acts:
    """Returns what writes checkpoints: at the beginning, by steps or seconds, and at the end."""
    edited, step = at.edited, at.edited.source.indent_step
    saved = edited.free("saved_step")
    path = f"{edited.module('os')}.path.join({folder}, {base})"
    write = f"{saver}.save({at.session}, {path}, global_step={at.step})"
    first = [f"{saved} = None"] if at.is_early else [write, f"{saved} = {at.read_step()}"]
    condition, later = f"{at.count} >= {saved} + {steps}", [f"{saved} = {at.count}"]
    if seconds:
        clock, moment = f"{edited.module('time')}.time()", edited.free("saved_time")
        first += [f"{moment} = {clock}"]
        condition = f"{at.count} != {saved} and {clock} >= {moment} + {seconds}"
        later += [f"{moment} = {clock}"]
    if at.is_early:
        condition = f"{saved} is None or ({condition})"
    return Acts(
        start=first,
        after=[f"if {condition}:", *(f"{step}{line}" for line in (write, *later))],
        end=[f"if {at.read_step()} != {saved}:", f"{step}{write}"],
        counts=True,
    )


def summarizes(at: Monitored, summary: str, writer: str, steps: str) -> Acts:
    """Returns what writes summaries of a session's runs: of the first one, and by steps."""
    edited, indent = at.edited, at.edited.source.indent_step
    if steps != "1":
        edited.notes.append((at.block.lineno, _SUMMARIES))
    wanted, last, value = edited.free("needs_summary"), edited.free("summary_step"), edited.free("summary")
    return Acts(
        start=[f"{last} = None"],
        before=[f"{wanted} = {last} is None or {at.count} + 1 >= {last} + {steps}"],
        fetched={summary: value},
        when=wanted,
        after=[f"if {wanted}:", f"{indent}{writer}.add_summary({value}, {at.count})", f"{indent}{last} = {at.count}"],
        counts=True,
    )


def hook(at: Monitored, call: ast.Call) -> Acts | None:
    """Returns what a hook of TensorFlow does; None if it is none of TensorFlow's.

    Raises:
        NotNativeError: It has no counterpart.
    """
    name = v1_name(at.edited.names, call.func) or ""
    module = next((known for known in _MODULES if name.startswith(known)), None)
    if module is None:
        return None
    made = _HOOKS.get(name.removeprefix(module))
    if made is None:
        raise NotNativeError(call, "NAT001", f"tf.{name} has no counterpart")
    return made(at, call)


def _stop_at_step(at: Monitored, call: ast.Call) -> Acts:
    given = named_arguments(call, ("num_steps", "last_step"))
    text = at.edited.source.plain
    last, number = given.get("last_step"), given.get("num_steps")
    if last is not None and at.edited.is_nothing(number):
        if isinstance(last, (ast.Constant, ast.Name, ast.Attribute)):
            return Acts(stops=f"{at.count} >= {text(last)}", counts=True)
        end = at.edited.free("last_step")
        return Acts(beside=[f"{end} = {text(last)}"], stops=f"{at.count} >= {end}", counts=True)
    if number is not None and at.edited.is_nothing(last):
        end = at.edited.free("last_step")
        return Acts(start=[f"{end} = {at.read_step()} + {text(number)}"], stops=f"{at.count} >= {end}", counts=True)
    raise NotNativeError(call, "NAT008", "the source does not say at which step this hook stops")


def _stop_at_nan(at: Monitored, call: ast.Call) -> Acts:
    given = named_arguments(call, ("loss_tensor", "fail_on_nan_loss"))
    loss, fails = given.get("loss_tensor"), given.get("fail_on_nan_loss")
    if loss is None or not (fails is None or isinstance(fails, ast.Constant)):
        raise NotNativeError(call, "NAT008", "the source does not say what this hook does")
    value = at.value(at.edited.source.plain(loss), "loss_value")
    fetched, isnan = {at.edited.source.plain(loss): value}, f"{value} != {value}"
    if isinstance(fails, ast.Constant) and not fails.value:
        return Acts(fetched=fetched, stops=isnan)
    error = "raise RuntimeError('NaN loss during training.')"
    return Acts(fetched=fetched, after=[f"if {isnan}:", f"{at.edited.source.indent_step}{error}"])


def _log_tensors(at: Monitored, call: ast.Call) -> Acts:
    given = named_arguments(call, ("tensors", "every_n_iter", "every_n_secs"))
    tensors, every = given.get("tensors"), given.get("every_n_iter")
    if isinstance(tensors, ast.Name):
        tensors = bound_once(at.edited, tensors)
    if not isinstance(tensors, ast.Dict) or every is None or given.keys() - {"tensors", "every_n_iter"}:
        raise NotNativeError(call, "NAT001", "a hook that logs needs a dict of tensors, and every_n_iter alone")
    edited, indent, text = at.edited, at.edited.source.indent_step, at.edited.source.plain
    keys = [key.value if isinstance(key, ast.Constant) else None for key in tensors.keys]
    tags = [key for key in keys if isinstance(key, str) and "%" not in key and "'" not in key]
    if len(tags) < len(keys):
        raise NotNativeError(call, "NAT008", "the source does not say the tags of this hook")
    if any(isinstance(value, ast.Constant) for value in tensors.values):
        raise NotNativeError(call, "NAT002", "this hook names tensors by text")
    fetched = {
        text(value): at.value(text(value), f"{_word(tag)}_value")
        for tag, value in zip(tags, tensors.values, strict=True)
    }
    number, moment, line = edited.free("run_number"), edited.free("log_time"), edited.free("log_line")
    shown = ", ".join(f"{tag} = %s" for tag in tags)
    clock = f"{edited.module('time')}.time()"
    values = ", ".join(fetched[text(value)] for value in tensors.values)
    return Acts(
        start=[f"{number}, {moment} = 0, None"],
        fetched=fetched,
        after=[
            f"if {number} % {text(every)} == 0:",
            f"{indent}{line} = '{shown}' % ({values}{',' if len(tags) == 1 else ''})",
            f"{indent}if {moment} is not None:",
            f"{indent}{indent}{line} += ' (%.3f sec)' % ({clock} - {moment})",
            f"{indent}{moment} = {clock}",
            f"{indent}{edited.tf}.logging.info('%s', {line})",
            f"{number} += 1",
        ],
    )


def _word(tag: str) -> str:
    """Returns a tag as a part of a name."""
    made = "".join(letter if letter.isalnum() else "_" for letter in tag).strip("_").lower()
    return made if made.isidentifier() else "logged"


def _save_checkpoints(at: Monitored, call: ast.Call) -> Acts:
    given = named_arguments(call, ("checkpoint_dir", "save_secs", "save_steps", "saver", "checkpoint_basename"))
    known = {"checkpoint_dir", "save_secs", "save_steps", "saver", "checkpoint_basename"}
    folder = given.get("checkpoint_dir")
    if given.keys() - known or folder is None:
        raise NotNativeError(call, "NAT001", "an option of this hook has no counterpart")
    steps, seconds = (_option(at, given.get(name)) for name in ("save_steps", "save_secs"))
    text = at.edited.source.plain
    saver, base = given.get("saver"), given.get("checkpoint_basename")
    if bool(steps) == bool(seconds):
        raise NotNativeError(call, "NAT008", "the source does not say when this hook saves")
    named = at.saver if at.edited.is_nothing(saver) or saver is None else text(saver)
    return saves(at, text(folder), named, steps, seconds, text(base) if base is not None else "'model.ckpt'")


def _save_summaries(at: Monitored, call: ast.Call) -> Acts:
    given = named_arguments(call, ("save_steps", "save_secs", "output_dir", "summary_writer", "scaffold", "summary_op"))
    if given.keys() - {"save_steps", "output_dir", "summary_writer", "summary_op"}:
        raise NotNativeError(call, "NAT001", "an option of this hook has no counterpart, such as seconds")
    steps, summary = _option(at, given.get("save_steps")), given.get("summary_op")
    folder, writer = given.get("output_dir"), given.get("summary_writer")
    if not steps or summary is None or (folder is None) == (writer is None) or isinstance(summary, ast.List):
        raise NotNativeError(call, "NAT008", "the source does not say which summaries this hook writes")
    text = at.edited.source.plain
    if writer is not None:
        return summarizes(at, text(summary), text(writer), steps)
    assert folder is not None
    name = at.edited.free("summary_writer")
    op = text(summary)
    beside = [f"{name} = {at.edited.tf}.summary.FileWriter({text(folder)})"]
    if isinstance(summary, ast.Call):
        op = at.edited.free("summary_op")
        beside.insert(0, f"{op} = {text(summary)}")
    acts = summarizes(at, op, name, steps)
    acts.beside = beside
    return acts


def _count_steps(at: Monitored, call: ast.Call) -> Acts:  # noqa: ARG001 - as all of them
    """Returns nothing: the hook only measured time."""
    return Acts()


def _option(at: Monitored, node: ast.expr | None) -> str:
    """Returns the text of an option; "" if it is left out."""
    return "" if node is None or at.edited.is_nothing(node) else at.edited.source.plain(node)


def bound_once(edited: Edited, name: ast.Name) -> ast.expr | None:
    """Returns the value that a name has, if one statement alone binds it, and nothing changes what it holds."""
    uses = [n for n in ast.walk(edited.tree) if isinstance(n, ast.Name) and n.id == name.id and n is not name]
    made = edited.names.parents[uses[0]] if len(uses) == 1 else None
    if isinstance(made, ast.Assign) and len(made.targets) == 1 and made.targets[0] is uses[0]:
        return made.value
    return None


_HOOKS: dict[str, Callable[[Monitored, ast.Call], Acts]] = {
    "StopAtStepHook": _stop_at_step,
    "NanTensorHook": _stop_at_nan,
    "LoggingTensorHook": _log_tensors,
    "CheckpointSaverHook": _save_checkpoints,
    "SummarySaverHook": _save_summaries,
    "StepCounterHook": _count_steps,
}

"""Rewrites a legacy tree, finds its checkpoints and graphs, and proves that its numbers are the same."""

from __future__ import annotations

import contextlib
import functools
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from codemods.engine import check_output, check_tree, copy_tree
from codemods.native.facts import Facts, facts_in
from codemods.native.programs import check_native, write_beside
from codemods.native.recorded_models import ModelWriter
from codemods.results import FileResult, mentions_tensorflow
from codemods.settings import Settings
from tf2bridge.errors import BridgeError, NoSuchFileError
from tf2bridge.migration import artifacts
from tf2bridge.migration.config import Project
from tf2bridge.migration.plans import Fit, fits
from tf2bridge.migration.refusals import NoTensorFlowCodeError
from tf2bridge.native.evidence import evidence
from tf2bridge.native.proving import map_beside, prove
from tf2bridge.native.refusals import ForeignMapError
from tf2bridge.program.replaying import replay
from tf2bridge.proof.replaying.outcomes import Replay
from tf2bridge.proof.replaying.process import require_tensorflow
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.systems import IS_WINDOWS


@dataclass(frozen=True)
class Migration:
    """The result of migrating a tree.

    Attributes:
        source: the legacy tree, which is not changed.
        output: the new tree.
        files: one result for each file that was checked.
        artifacts: the checkpoints and graphs found in the source.
        replay: the proof; None if there was no trace or no entry to run.
        unproven: why there is no proof; empty if there is one.
        fits: how the checkpoints fit the rewritten program; empty if the program did not run.
    """

    source: Path
    output: Path
    files: list[FileResult]
    artifacts: list[artifacts.Artifact]
    replay: Replay | None
    unproven: str
    fits: list[Fit] = field(default_factory=list)

    @property
    def proven(self) -> bool:
        return self.replay is not None and self.replay.proven

    def passes(self, accept_rounding: bool) -> bool:
        """Returns whether this is proven, or equal up to rounding if rounding is accepted."""
        return self.replay is not None and self.replay.passes(accept_rounding)


def migrate(
    source: Path,
    output: Path,
    project: Project,
    settings: Settings,
    *,
    on_start: Callable[[], None] | None = None,
    on_call: Callable[[int, int], None] | None = None,
    jobs: int | None = 1,
    search: bool = True,
    model_from_graph: bool = False,
) -> Migration:
    """Rewrites `source` into `output` and runs its entry against its trace.

    Args:
        source: the legacy tree.
        output: a directory that does not exist or is empty; it is written completely or not at all.
        project: the entry, the trace and the tolerances.
        settings: the settings of codemods.
        on_start: called before the program runs.
        on_call: called with the number of calls made so far, and the number in the trace.
        jobs: the number of processes that rewrite; None chooses it by the size of the tree.
        search: whether to search for the first op that differs, if tensors differ.
        model_from_graph: whether the recorded graph gives the model of a program whose source cannot give it, for the
            target native.

    Raises:
        BridgeError: the source does not exist, the trace is damaged, or TensorFlow is missing.
        CodemodsError: the output exists, overlaps the source, or cannot be written.
    """
    if not source.is_dir():
        raise NoSuchFileError(source, "directory")
    check_output(source, output)
    recorded = Trace(project.trace) if project.trace is not None else None
    if recorded is not None and project.entry:
        require_tensorflow("the proof")
    native = facts = None
    if settings.target == "native":
        facts = _facts(recorded, source)
        if facts is not None:
            settings = replace(settings, from_version=facts.known_release(settings.from_version))
        native = check_native(source, settings, jobs, facts, _model_writer(recorded) if model_from_graph else None)
    files = native.results if native is not None else check_tree(source, settings, jobs)
    if not any(mentions_tensorflow(result) for result in files):
        raise NoTensorFlowCodeError(source)
    files += copy_tree(source, output, files)
    if native is not None:
        write_beside(native, source, output)
    artifacts_found = artifacts.find(source)
    unproven = _why_unproven(project)
    if recorded is None or unproven:
        return Migration(source, output, files, artifacts_found, None, unproven)
    total = len(recorded.calls)
    if on_start is not None:
        on_start()
    if on_call is not None:
        on_call(0, total)
    with tempfile.TemporaryDirectory(prefix="tf2bridge-run-", ignore_cleanup_errors=IS_WINDOWS) as scratch:
        # The program writes logs and checkpoints where it runs; the new tree stays clean.
        run_in = Path(scratch, output.name)
        shutil.copytree(output, run_in, symlinks=True)
        chosen: dict[str, Any] = {"seeds": project.seeds, "tolerance": project.tolerance, "search": search}
        chosen["on_call"] = None if on_call is None else lambda calls: on_call(calls, total)
        proof = _proof(recorded, project, run_in, chosen)
        beside = functools.partial(_proof, recorded, project, chosen={**chosen, "on_call": None})
        proof = _beside_exact(proof, source, Path(scratch, "exact"), settings, facts, beside)
    return Migration(source, output, files, artifacts_found, proof, "", fits(source, artifacts_found, proof.variables))


def _model_writer(recorded: Trace | None) -> ModelWriter | None:
    """Returns what writes a model from a recorded graph.

    Raises:
        MissingExtraError: TensorFlow is not installed.
    """
    if recorded is None:
        return None
    require_tensorflow("--model-from-graph")
    from tf2bridge.native.recorded_model import writer_of

    return writer_of(recorded)


def _facts(recorded: Trace | None, source: Path) -> Facts | None:
    """Returns what a trace tells the rewriter."""
    return None if recorded is None else facts_in(evidence(recorded, source), str(recorded.path))


def _beside_exact(
    proof: Replay, source: Path, output: Path, settings: Settings, facts: Facts | None, run: Callable[[Path], Replay]
) -> Replay:
    """Returns a proof with that of the exact classes, which tells what choices of Keras change.

    Args:
        proof: The proof of a native program.
        source: The legacy tree.
        output: Where the program with the exact classes is written.
        settings: The settings of the rewriting.
        facts: What the trace tells the rewriter.
        run: Runs a program against the trace.
    """
    if not any(choice.keras for choice in proof.choices):
        return proof
    native = check_native(source, replace(settings, idiomatic=False), 1, facts)
    copy_tree(source, output, native.results)
    write_beside(native, source, output)
    with contextlib.suppress(BridgeError):  # the proof does not depend on it
        return replace(proof, exact=run(output))
    return proof


def _proof(recorded: Trace, project: Project, run_in: Path, chosen: Mapping[str, Any]) -> Replay:
    """Runs the new program against the trace: by its map, unless the map is of another program of the tree."""
    native_map = map_beside(run_in, project.entry)
    if native_map is not None:
        with contextlib.suppress(ForeignMapError):
            return prove(recorded, project.entry, run_in, native_map, feeds=project.feeds, **chosen)
    return replay(recorded, project.entry, run_in, feeds=project.feeds, **chosen)


def _why_unproven(project: Project) -> str:
    if project.trace is None:
        return (
            "there is no trace of what genuine TensorFlow computed: `tf2bridge recorder > recorder.py`, run it where "
            "the old TensorFlow still works, and give the result as --trace"
        )
    if not project.entry:
        return "the program's command line is unknown: give it as --entry 'train.py --steps 5'"
    return ""

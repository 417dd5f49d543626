"""Makes a plan: by the same name, by rules, by what the user says, by scopes and shapes, and asks about the rest."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tf2bridge.checkpoint.mapping import Plan
from tf2bridge.checkpoint.moves import Rule
from tf2bridge.checkpoint.planning.sorting import sort
from tf2bridge.checkpoint.planning.targets import target_of
from tf2bridge.checkpoint.planning.wishes import Wishes
from tf2bridge.checkpoint.planning.work import Work
from tf2bridge.formats.checkpoints.stored import Checkpoint


def plan(
    checkpoint: Checkpoint,
    target: Any,
    rules: Iterable[Rule | tuple[str, str]] = (),
    verify_with: str | Path | None = None,
    **wishes: Any,
) -> Plan:
    """Returns the plan that fills `target` from `checkpoint`; `rules` come before all else. See Wishes, target_of.

    What is not settled by them, by names, or by shapes that only one has, is a question of the plan. With verify_with,
    the .meta or other file of the legacy graph, a Keras model and the graph are run on the same random input: that
    settles questions and confirms what is not certain, and leaves the checkpoint's values in the model. Raises
    RuleError, NoTargetError, NotComparableError, NotVerifiedError.
    """
    said = Wishes(**wishes)
    wanted = target_of(target)
    work = Work(checkpoint, wanted, sort(checkpoint), said)
    work.apply_rules([each if isinstance(each, Rule) else Rule(*each) for each in rules])
    work.follow_saver()
    work.choose_averages()
    work.match(of_tensors_and_variables=True)
    work.match_opaque()
    work.match(of_tensors_and_variables=False)
    work.fill_lacking()
    work.match_slots()
    work.settle_forget_bias()
    found = work.plan()
    if verify_with is None:
        return found
    from tf2bridge.checkpoint.planning.verifying import verified

    return verified(found, wanted.made, Path(verify_with))

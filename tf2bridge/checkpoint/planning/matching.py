"""Makes a plan: by rules, by the user's options, by names, scopes and shapes; what is left becomes questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tf2bridge.checkpoint.mapping import Plan
from tf2bridge.checkpoint.moves import Rule
from tf2bridge.checkpoint.planning.named_targets import target_of
from tf2bridge.checkpoint.planning.plan_options import PlanOptions
from tf2bridge.checkpoint.planning.sorting import sort
from tf2bridge.checkpoint.planning.work import Work
from tf2bridge.formats.checkpoints.stored import Checkpoint


def plan(
    checkpoint: Checkpoint,
    target: Any,
    rules: Iterable[Rule | tuple[str, str]] = (),
    verify_with: str | Path | None = None,
    *,
    averages: bool = False,
    forget_bias: float | None = None,
    learning_rate: float | None = None,
    iterations: int | None = None,
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    lossy: bool = False,
    created: Sequence[str] = (),
) -> Plan:
    """Returns the plan that fills `target` from `checkpoint`.

    What rules, options, names and unique shapes do not settle becomes a question of the plan.

        with tf2bridge.checkpoint.open("model.ckpt-1000") as checkpoint:
            plan = tf2bridge.checkpoint.plan(checkpoint, model, drop=[".*/unused"])

    Args:
        checkpoint: The opened checkpoint.
        target: A Keras model, a tf.Module, a GraphModule, a list of variables, {name: shape}, or the path of a graph, a
            checkpoint or a file of shapes.
        rules: Rules that rename tensors, or pairs of a pattern and its replacement. They come before everything else.
        verify_with: The .meta or another file of the legacy graph. A Keras model and the graph are then run on the same
            random input, which settles questions and confirms uncertain moves. The model has the checkpoint's values
            afterwards.
        averages: Take moving averages where the checkpoint has them.
        forget_bias: What the legacy LSTM cells added to their forget gate. Without it, the value in the .meta beside
            the checkpoint counts, or 1.
        learning_rate: The learning rate for Keras's momentum, if the target's optimizer has a schedule.
        iterations: The number of steps that were taken, if no counter in the checkpoint has it.
        drop: Patterns of whole names of tensors that have no place in the target.
        keep: Patterns of whole names of variables that keep their value.
        lossy: Cast also where this loses digits.
        created: Names of the checkpoint's variables in the order of their creation, if no .meta beside it has it.

    Raises:
        RuleError: A rule or a pattern is no regular expression, or fits nothing.
        NoTargetError: There is nothing to fill.
        NotComparableError: The model and the graph cannot be run on the same input.
        NotVerifiedError: They compute different values.
    """
    options = PlanOptions(averages, forget_bias, learning_rate, iterations, drop, keep, lossy, created)
    wanted = target_of(target)
    work = Work(checkpoint, wanted, sort(checkpoint), options)
    work.apply_rules([rule if isinstance(rule, Rule) else Rule(*rule) for rule in rules])
    work.follow_saver()
    work.choose_averages()
    work.match(of_tensors_and_variables=True)
    work.match_opaque()
    work.match(of_tensors_and_variables=False)
    work.fill_lacking()
    work.match_slots()
    work.settle_forget_bias()
    made = work.plan()
    if verify_with is None:
        return made
    from tf2bridge.checkpoint.planning.verifying import verified

    return verified(made, wanted.made, Path(verify_with))

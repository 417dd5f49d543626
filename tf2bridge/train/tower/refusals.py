"""Errors of towers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tf2bridge.errors import BridgeError


class TowerResultError(BridgeError):
    """A tower function returned no loss."""

    def __init__(self, returned: object) -> None:
        super().__init__(
            f"the tower function returned {returned!r} where its loss is expected: return the loss of the tower, one "
            "number of a floating type, or a tuple that begins with it"
        )


class TowerOptionError(BridgeError):
    """An argument of `towers` has a value that is not possible, or not possible together with another argument."""

    def __init__(self, name: str, value: object, why: str) -> None:
        super().__init__(f"towers({name}={value!r}): {why}")


class NoGradientError(BridgeError):
    """A loss does not depend on a variable that it trains."""

    def __init__(self, tower: int, names: Sequence[str]) -> None:
        many = len(names) > 1
        super().__init__(
            f"tower {tower} has no gradient for {', '.join(names)}: its loss does not depend on "
            f"{'them' if many else 'it'}, and there is nothing to average. Leave {'them' if many else 'it'} out with "
            'var_list=[...], or give none_gradients="skip", as an average_gradients with `if g is None: continue` did'
        )


class UnevenGradientsError(BridgeError):
    """Towers have gradients for different variables."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(
            f"only some towers have a gradient for {', '.join(names)}: under a strategy all towers must compute the "
            "same gradients; build the same operations in each tower, whatever tower.number is"
        )


class OwnVariableError(BridgeError):
    """A tower function makes a variable for each tower and does not share it."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(
            f"the tower function makes {', '.join(names)} with tf.Variable, which gives each tower one of its own: "
            "use tf.get_variable, which the towers share"
        )


class NoInputsError(BridgeError):
    """An eager program does not describe its inputs, which towers need before the first batch."""

    def __init__(self) -> None:
        super().__init__(
            "this program is eager and its towers are built before the first batch: describe a whole batch, "
            "towers(..., inputs=(tf.TensorSpec([None, 28, 28, 1]), tf.TensorSpec([None], tf.int64)))"
        )


class NoStrategyError(BridgeError):
    """Towers without a strategy were asked for in eager code; they need a graph and sessions."""

    def __init__(self) -> None:
        super().__init__(
            "towers(strategy=None) builds the towers in the default graph, and this program is eager: give it "
            "strategy=tf.distribute.MirroredStrategy(), or call it inside `with tf.Graph().as_default():`"
        )


class UnevenBatchError(BridgeError):
    """A batch cannot be split into equal parts for the towers."""

    def __init__(self, size: int | None, count: int) -> None:
        size_text = "has no first dimension" if size is None else f"has {size} examples"
        super().__init__(
            f"a batch {size_text}, which {count} towers cannot share equally; their losses are means, so all towers "
            "need the same number: use a batch size that is a multiple, or drop what remains (drop_remainder=True)"
        )


class ZeroDebiasError(BridgeError):
    """A tower under a strategy keeps a moving average that is corrected for its start."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the tower function keeps a moving average in {name} with zero_debias=True, and no strategy shares the "
            "counters of zero_debias; set zero_debias=False (zero_debias_moving_mean=False of batch_norm), or give no "
            "strategy"
        )


class OtherVariablesError(BridgeError):
    """A checkpoint does not hold all variables of the towers."""

    def __init__(self, checkpoint: object, names: Sequence[str]) -> None:
        super().__init__(
            f"{checkpoint}: it holds no {', '.join(names)}, which these towers have: name a checkpoint of the same "
            "model and optimizer, or write one with tf2bridge.checkpoint.convert and a plan of the names"
        )

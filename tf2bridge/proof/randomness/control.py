"""`controlled_random`: every random op of a block draws what the seed and its place, or its name, say."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tf2bridge.patching import PatchSet
from tf2bridge.proof.randomness.counting import Counting, Site
from tf2bridge.proof.randomness.draws import Draw
from tf2bridge.proof.randomness.lines import calling_line
from tf2bridge.proof.randomness.refusals import DrawInThreadError, NestedControlError

_entered = threading.Lock()
_where = ""


class ControlledRandom(contextlib.ContextDecorator):
    """See `controlled_random`."""

    def __init__(
        self,
        seed: int = 0,
        by: str = "order",
        *,
        fresh_per_run: bool = True,
        names: Mapping[str, str] | None = None,
        allow_ops: Collection[str] = (),
    ) -> None:
        if by not in ("order", "name"):
            raise ValueError(f'by={by!r}: say by="order" or by="name"')
        self._arguments = (seed, by, fresh_per_run, dict(names or {}))
        self.by, self.allow_ops = by, tuple(allow_ops)
        self.counting = Counting(*self._arguments)
        self._patches = PatchSet("random ops under control")
        self._local = threading.local()
        self._thread = 0

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws in order: the first 65,536 executions of random ops."""
        return self.counting.draws()

    @property
    def total(self) -> int:
        """How many times a random op was run."""
        return self.counting.total

    def aside(self) -> contextlib.AbstractContextManager[None]:
        """Makes draws within the block take no number: for an evaluation whose masks have no effect (keep_prob=1)."""
        return self.counting.aside()

    def __enter__(self) -> ControlledRandom:
        global _where
        if not _entered.acquire(blocking=False):
            raise NestedControlError(_where)
        _where, self._thread = calling_line(2), threading.get_ident()
        self.counting = Counting(*self._arguments)
        try:
            self._install()
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()

    def _recreate_cm(self) -> ControlledRandom:
        return self

    def _install(self) -> None:
        from tf2bridge.proof.randomness import keras_draws, ops, sessions
        from tf2bridge.proof.replaying.process import require_tensorflow

        require_tensorflow("controlling random ops")
        with self._patches.collecting():
            for part in (ops, sessions, keras_draws):
                part.install(self)

    def _leave(self) -> None:
        self._patches.undo()
        _entered.release()

    def seed(self, key: str, identity: Any, name: str) -> Any:
        """Returns the two seeds, int32 [2], for the op that is made or run next, and counts it.

        Args:
            key: by name, what it draws for.
            identity: what tells that a later draw is the same op run again; None where nothing does.
            name: what to call it in `draws`.
        """
        from tf2bridge.internals.eager import context
        from tf2bridge.internals.framework import constant_op, ops
        from tf2bridge.proof.randomness import graphs

        self.check_thread()
        site = self.counting.site(key, identity, name, calling_line(2))
        self.pending = (site, None)
        if context.executing_eagerly():
            return constant_op.constant(self.counting.take(site), dtype="int32")
        if ops.executing_eagerly_outside_functions():
            graphs.refuse_xla(ops.get_default_graph(), site)
            if site.slot is None:
                site.slot = self.counting.slot(site)
            seeds, number = self.counting.take_later(site)
            self.pending = (site, number)
            return seeds
        return graphs.fed_seeds(self, site)

    @property
    def pending(self) -> tuple[Site | None, Any]:
        """The draw of this thread whose seeds are given and whose op is not made yet, and its number."""
        return getattr(self._local, "pending", (None, None))

    @pending.setter
    def pending(self, value: tuple[Site | None, Any]) -> None:
        self._local.pending = value

    def drew(self, kind: str, value: Any) -> None:
        """Says what the op made of the last seeds."""
        site, number = self.pending
        self.pending = (None, None)
        if site is None:
            return
        shape = value.shape
        site.kind, site.dtype = kind, value.dtype.base_dtype.name
        site.shape = None if shape.rank is None else tuple(shape.as_list())
        if number is not None and (site.shape is None or None in site.shape):
            from tf2bridge.internals.ops import array_ops

            self.counting.sized(number, array_ops.size(value))

    def check_thread(self, where: str = "") -> None:
        """Raises DrawInThreadError where the order of draws is chance."""
        if self.by == "order" and threading.get_ident() != self._thread:
            raise DrawInThreadError(where or calling_line(2))

    @contextlib.contextmanager
    def within_data(self) -> Iterator[None]:
        """Marks, within the block, that a function of tf.data is traced, which runs ahead in threads of its own."""
        depth = getattr(self._local, "data", 0)
        self._local.data = depth + 1
        try:
            yield
        finally:
            self._local.data = depth

    @property
    def in_data(self) -> bool:
        """Whether a function of tf.data is being traced."""
        return bool(getattr(self._local, "data", 0))


def controlled_random(
    seed: int = 0,
    by: str = "order",
    *,
    fresh_per_run: bool = True,
    names: Mapping[str, str] | None = None,
    allow_ops: Collection[str] = (),
) -> ControlledRandom:
    """Returns a context manager and decorator under which TF 1.x graphs, eager code and Keras 3 draw the same numbers.

        with proof.controlled_random(seed=0) as old:
            ...  # build a graph and run its sessions
        with proof.controlled_random(seed=0) as new:
            ...  # its Keras 3 rewriting: the same initial values, the same dropout masks
        proof.same_draws(old, new)  # or an error that names the first draw that differs, and both lines

    by="order": the numbers follow from the seed, the shape, type and distribution, and the place among all executions
    of random ops. Eager code and a tf.function execute them as they stand; of one `Session.run`, the ops that it runs
    count in the order in which they were made. So an initializer of a graph counts when it runs, as in Keras when a
    layer is built. Of a `tf.cond` in a graph for sessions both branches count.

    by="name": they follow from the name instead: that of the variable an op initializes, else its name scope or the
    path of its Keras layer; and from how often the name was drawn for before. Names of older releases, and what TF 1.x
    and Keras call the same weight, are one ("RNN/GRUCell/Gates/Linear/Matrix", "fc/weights" and "fc/kernel"); `names`
    gives others that belong together, {"conv1": "features"}. Keras numbers its layers from the start in each block,
    as each graph does ("dense", "dense_1").

    fresh_per_run: a second run of an op, a SeedGenerator or a layer draws the next numbers; False: the same again.
    allow_ops: types of random ops that may run uncontrolled ("LogUniformCandidateSampler").
    A dropout that a graph runs to no effect (keep_prob fed as 1) draws nevertheless: `with control.aside(): ...`.

    Initial values are then equal bit for bit, save where the two libraries scale otherwise: xavier_initializer(uniform=
    False) and variance_scaling_initializer of contrib are wider than Keras's by sqrt(1.3) * 0.8796, 0.3 %. A dropout of
    1.12 and earlier keeps where floor(keep_prob + uniform) is 1, Keras where uniform >= rate: the same up to rounding.

    Random functions of tf.data, and what numpy and random draw, take no part: the first are seeded one by one.
    Functions made within the block go on drawing controlled numbers after it; graphs run in sessions within it only.

    Raises NestedControlError where a block is in force, and from within DrawInThreadError, DrawInLoopError,
    UncontrolledDrawError, UncontrolledCallError, MissingExtraError.
    """
    return ControlledRandom(seed, by, fresh_per_run=fresh_per_run, names=names, allow_ops=allow_ops)


__all__ = ["ControlledRandom", "Site", "controlled_random"]

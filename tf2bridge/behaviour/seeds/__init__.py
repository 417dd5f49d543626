"""Op seeds as TensorFlow 0.12 to 1.15 chose them, in graph mode on TensorFlow 2.

With a graph seed (`tf.set_random_seed(n)`) and no op seed, TensorFlow 1.x took the number of operations in the graph as
op seed (`Graph._last_id` in python/framework/random_seed.py); TensorFlow 2 counts random calls. The kernels are the
same, so equal seeds give equal numbers; only 0.12.1 rounds `random_normal` and `truncated_normal` differently, so that
one value in eight differs in its last bit (13.5 % and 10.5 % of 1,000 measured, by at most 2.4e-7). `install` makes
`random_seed.get_seed` answer with the number of operations that the older release would have created by then: this
TensorFlow's own number, corrected by the measured differences of its functions (`table.json`, built by
fixtures/seeds.py on genuine 0.12.1, 1.4.1, 1.12.3 and 1.15.5). Where a number is not enough, because later gradients
depend on the operations, they are built as the release built them (dropout.py, backward.py, broadcasting.py,
reducing.py, rules.py, early.py, checked.py, flow.py, loops.py, resources.py), and so are results that programs fetch by
name (named.py; fixtures/op_names compares the names).

Known differences are listed under "unequal" in fixtures/seeds_expected, and for whole programs in
fixtures/seeds_programs/unequal.json. Not measured: data sets before 1.13, Keras before 1.15 (old_keras/counts.py has
1.15's), and functions of contrib without a case in fixtures/seeds_battery. The first default seed after an unmeasured
call in a graph gives a warning (doubt.py); `uncertain` names such calls. Unmeasured calls are noticed only for
functions that are watched.
"""

from __future__ import annotations

from typing import Any

from tf2bridge.behaviour.seeds import counter, installation, table

__all__ = ["install", "installed", "op_count", "uncertain", "uninstall"]


def install(release: str) -> None:
    """Makes graphs take the op seeds of `release`, any 0.x or 1.x.

    A release that was not measured counts as the latest measured one before it (`table.MEASURED`). Call this after
    `disable_v2_behavior()` and before the program adds operations. A second call replaces the first. Raises
    UnknownReleaseError.
    """
    measured = table.measured_release(release)
    if installation.current() != measured:
        uninstall()
        installation.install(measured, table.FAMILIES[measured], table.read(measured))


def uninstall() -> None:
    """Restores TensorFlow's own functions; does nothing if none was replaced."""
    installation.uninstall()
    counter.forget()


def installed() -> str | None:
    """Returns the measured release whose op seeds graphs take now, or None."""
    return installation.current()


def op_count(graph: Any) -> int:
    """Returns how many operations the installed release would have created in `graph` by now."""
    return counter.virtual_count(graph)


def uncertain(graph: Any) -> tuple[str, ...]:
    """Returns the calls in `graph` that no measurement covers: op seeds taken after one of them may be wrong.

    Only functions known to differ between releases are watched, so an empty result is not a proof.
    """
    return tuple(sorted(counter.of(graph).unmeasured))

"""What was one object by two names in a genuine release is one object here.

A private module shows what it took from others by its own names, and public names are those of private modules.
TensorFlow 2 has modules of the same names that hold something new by an old name: each such name that is not told
apart computes something else, silently. The names are those of tf2bridge/v1/genuine and tf2bridge/v1/private, which
scripts in fixtures/ took from the genuine releases.
"""

from __future__ import annotations

import json

import pytest

from tests.forked import run
from tf2bridge.behaviour.release import MEASURED

_PROGRAM = """
import difflib, json, sys
from tf2bridge import v0, v1
from tf2bridge.v0.catalog import TREE as V0
from tf2bridge.v1 import genuine
from tf2bridge.v1.catalog import TREE as V1
from tf2bridge.v1.namespace import resolve
from tf2bridge.v1.private import home
from tf2bridge.v1.refusals import UnavailableNameError

difflib.get_close_matches = lambda *_, **__: []
release = sys.argv[1]
package, tree = (v0, V0) if release.startswith("0") else (v1, V1)
package.enable(api=release)

def meant(dotted):
    try:
        return resolve(tree, dotted)
    except UnavailableNameError:
        return None

def is_one(first, second):
    # A function that takes old arguments is wrapped anew at each look-up.
    place = [(getattr(value, "__module__", 0), getattr(value, "__qualname__", 1)) for value in (first, second)]
    return first is second or (callable(first) and place[0] == place[1])

compared, differing = 0, []
for path in genuine.modules(release):
    if path.startswith(("contrib", "compat")):
        continue
    for name in genuine.names(path, release):
        dotted = f"{path}.{name}".lstrip(".")
        source, own = genuine.origin(path, name, release) or ("", "")
        others = [f"{source}.{own}"] if own and not source.startswith(("/", "contrib")) else []
        others += [public] if (public := home(path, name, release)) and not public.startswith("contrib") else []
        for other in others:
            values = [meant(dotted), meant(other)]
            if None not in values:
                compared += 1
                if not is_one(*values):
                    differing.append(f"{dotted} {other}")
print(json.dumps([compared, differing]))
"""

_PFOR = "python.ops.parallel_for.pfor python.ops.parallel_for.control_flow_ops.pfor"  # a function hides the module
_TENSORBOARDS = "keras.callbacks.TensorBoard python.keras.callbacks.TensorBoard"  # two classes, as 1.15 had
_HE_AND_LECUN = {
    f"keras.initializers.{name} python.ops.init_ops.{name}"  # classes of tf_keras
    for name in ("he_normal", "he_uniform", "lecun_normal", "lecun_uniform")
}
_KNOWN: dict[str, set[str]] = {
    "0.12.1": {f"{name} python.ops.gen_math_ops.{name[:3]}" for name in ("multiply", "subtract")},  # they take as much
    "1.4.1": {"python.keras.callbacks.TensorBoard python.keras._impl.keras.callbacks.TensorBoard"},
    "1.12.3": _HE_AND_LECUN
    | {_TENSORBOARDS, " ".join(reversed(_TENSORBOARDS.split())), _PFOR}
    | {"strings.substr python.ops.gen_string_ops.substr"},  # it takes as much
    "1.15.5": {_PFOR},
}
"""What differs with a reason: a name that differs, and the other one."""
_AT_LEAST = {"0.12.1": 2_600, "1.4.1": 4_500, "1.12.3": 8_500, "1.15.5": 13_500}
"""How many pairs there are, of some 2,700, 4,600, 8,700 and 13,800."""


@pytest.mark.parametrize("release", MEASURED)
def test_two_names_of_one_object_are_one_object_here(release: str) -> None:
    ended = run(_PROGRAM, release)
    assert ended.returncode == 0, ended.stderr[-2000:]
    compared, differing = json.loads(ended.stdout.splitlines()[-1])
    assert set(differing) == _KNOWN.get(release, set())
    assert compared >= _AT_LEAST[release]

"""What SciPy removed computes as it did in SciPy 1.7.3, beside genuine TensorFlow 1.15.5."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests import forked, oracles

CALLS = """
scipy.sparse.csr_matrix([[0, 1], [2, 0]]).A, scipy.sparse.coo_matrix([[1j, 0]]).H.toarray()
scipy.misc.derivative(lambda x: x**3 + x, 1.0, dx=0.5), scipy.misc.derivative(lambda x: x**3, 1.0, dx=0.5, n=2, order=5)
scipy.misc.central_diff_weights(5, 2)
scipy.stats.binom_test(3, 10, 0.4), scipy.stats.binom_test([3, 7]), scipy.stats.binom_test(3, n=9, alternative="less")
scipy.stats.itemfreq([3, 1, 3]), scipy.stats.gilbrat.mean(), scipy.stats.trapz(0.2, 0.8).mean()
scipy.stats.median_absolute_deviation([1, 2, 7, 9.0]), scipy.stats.median_absolute_deviation([1, 2, 7.0], scale=2.0)
scipy.signal.ricker(5, 2.0), scipy.signal.morlet(4), scipy.signal.morlet2(4, 2.0), scipy.signal.hann(5)
scipy.signal.cwt([1, 2, 3, 4.0], scipy.signal.ricker, [1, 2]), scipy.signal.gaussian(3, 1.0)
scipy.signal.cwt([1, 2, 3, 4.0], scipy.signal.morlet2, [1, 2])
scipy.linalg.pinv2([[1.0, 2], [3, 4], [5, 6]]), scipy.linalg.tril([[1, 2], [3, 4]]), scipy.linalg.triu([[1, 2]], 1)
scipy.linalg.tril([[1, numpy.inf], [3, 4]]) == 0, scipy.linalg.triu([[1.5, 2], [numpy.inf, 4]]) == 0
scipy.linalg.tril([[1, 2, 3]], 1), scipy.linalg.triu([[1, 2, 3]])
scipy.linalg.kron(numpy.eye(2), numpy.ones((1, 2))), scipy.linalg.tri(2)
scipy.special.sph_harm(1, 2, 0.3, 0.7), scipy.special.btdtr(1.0, 2.0, 0.3), scipy.special.btdtri(1.0, 2.0, 0.3)
scipy.spatial.distance.wminkowski([1, 2], [3, 5], 3, [0.5, 2]), scipy.spatial.distance.matching([1, 0], [1, 1])
scipy.integrate.trapz([1, 2, 4.0]), scipy.integrate.cumtrapz([1, 2, 4.0]), scipy.integrate.simps([1, 2, 4.0])
"""
SCRIPT = """
import json, warnings
warnings.simplefilter("ignore")
import numpy, scipy
import scipy.integrate, scipy.linalg, scipy.misc, scipy.signal, scipy.sparse, scipy.spatial.distance, scipy.special
import scipy.stats
{head}
def plain(value):
    value = numpy.asarray(value)
    return [list(value.shape), value.real.ravel().tolist(), value.imag.ravel().tolist()]
print(json.dumps([plain(value) for row in [
{calls}
] for value in row]))
"""
HEAD = "from tf2bridge.program.old_libraries import add_what_is_gone\nadd_what_is_gone('scipy')"


def _script(head: str = "") -> str:
    rows = [f"    [{line}]," for line in CALLS.strip().splitlines()]
    return SCRIPT.format(head=head, calls="\n".join(rows))


@pytest.mark.oracle
def test_each_call_computes_the_same() -> None:
    pytest.importorskip("scipy")
    command = [str(oracles.interpreter("1.15.5")), "-c", _script()]
    genuine = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    done = forked.run(_script(HEAD))
    assert done.returncode == 0, done.stderr
    for (shape, real, imaginary), (shape_then, *parts) in zip(json.loads(done.stdout), genuine, strict=True):
        assert shape == shape_then
        assert [real, imaginary] == [pytest.approx(part, rel=1e-9, abs=1e-12) for part in parts]

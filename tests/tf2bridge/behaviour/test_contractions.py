"""`tf.einsum` of 1.x: every line that is expected here was printed by the genuine release, of the same program."""

from __future__ import annotations

import pytest

from tests import forked

PROGRAM = """
from tf2bridge import v1 as tf
import numpy as np
tf.enable(api={api!r})

def tried(equation, *shapes, **keywords):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(3)
        inputs = [tf.placeholder(tf.float32, shape) for shape in shapes]
        fed = {{x: np.arange(1, 1 + np.prod(shape)).reshape(shape) for x, shape in zip(inputs, shapes)}}
        try:
            result = tf.einsum(equation, *inputs, **keywords)
        except (TypeError, ValueError) as error:
            return print(type(error).__name__, error)
        gradients = tf.gradients(result, inputs) if len(inputs) > 1 else []
        later = tf.random_uniform([])
        print(result.name, session.run(result, fed).ravel()[:4].tolist(), session.run(later))

tried("bfd,dnh->bfnh", (2, 3, 4), (4, 5, 6))
tried("ibnd,jbnd->ijbn", (2, 3, 4, 5), (6, 3, 4, 5))
tried("ij,jk,kl->il", (2, 3), (3, 4), (4, 5))
tried("ij,j", (2, 3), (3,))
tried("ij,ij->ij", (2, 1), (2, 3))
tried("ijk,ijl,ikl->i", (2, 3, 4), (2, 3, 5), (2, 4, 5))
tried("ijji", (2, 3, 3, 2))
tried("ii", (3, 3))
tried("ii->", (2, 2))
tried("...ij,...jk->...ik", (2, 3, 4), (4, 5))
tried("ij,jk->ik", (2, 3), (3, 4), first=1, again=2)
"""

OF_1_15 = """\
einsum/transpose_1:0 [610.0, 620.0, 630.0, 640.0] 0.63642573
einsum/transpose_2:0 [55.0, 330.0, 855.0, 1630.0] 0.0067261457
einsum/MatMul_1:0 [1748.0, 1936.0, 2124.0, 2312.0] 0.74321246
einsum/Reshape_1:0 [14.0, 32.0] 0.7661532
einsum/Mul:0 [1.0, 2.0, 3.0, 8.0] 0.86616206
einsum/Reshape_2:0 [44940.0, 813910.0] 0.8754386
einsum/Trace:0 [5.0, 17.0, 29.0, 41.0] 0.7300215
einsum/Trace:0 [15.0] 0.7300215
ValueError Subscript not supported: an axis appears more than once: ii
einsum/Reshape_1:0 [110.0, 120.0, 130.0, 140.0] 0.7661532
TypeError invalid keyword arguments for this function: again, first
"""

TO_1_12 = """\
einsum/transpose_2:0 [610.0, 620.0, 630.0, 640.0] 0.55487525
einsum/transpose_2:0 [55.0, 330.0, 855.0, 1630.0] 0.8848901
einsum/transpose_4:0 [1748.0, 1936.0, 2124.0, 2312.0] 0.55487525
einsum/transpose_2:0 [14.0, 32.0] 0.63642573
einsum/transpose_2:0 [1.0, 2.0, 3.0, 8.0] 0.96281314
einsum/transpose_4:0 [44940.0, 813910.0] 0.7019311
einsum/transpose:0 [666.0] 0.36016488
einsum/transpose:0 [45.0] 0.36016488
einsum/transpose:0 [10.0] 0.36016488
ValueError Subscripts with ellipses are not yet supported.
TypeError invalid keyword arguments for this function: again, first
"""

OF_0_12 = TO_1_12.replace("einsum/", "")


@pytest.mark.parametrize(
    ("api", "expected"), [("1.15", OF_1_15), ("1.12", TO_1_12), ("1.4", TO_1_12), ("0.12", OF_0_12)]
)
def test_names_values_errors_and_later_random_numbers(api: str, expected: str) -> None:
    done = forked.run(PROGRAM.format(api=api))
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == expected

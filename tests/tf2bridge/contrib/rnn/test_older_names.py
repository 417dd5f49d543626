"""Variables of cells under `--api 1.4`, as genuine 1.4.1 lists them."""

from __future__ import annotations

from tests import forked

PROGRAM = """
from tf2bridge import v1 as tf
tf.enable(api="1.4")
rnn = tf.contrib.rnn
cells = (rnn.GLSTMCell(4, number_of_groups=2, num_proj=2), rnn.GRUBlockCell(4), rnn.GRUBlockCellV2(4))
for cell, size in zip(cells, (2, 6, 6)):
    cell(tf.zeros([2, size]), cell.zero_state(2, tf.float32))
for variable in tf.global_variables():
    print("==", variable.op.name, *variable.shape.as_list())
"""

GENUINE = """
glstm_cell/group0/kernel 2 8
glstm_cell/bias_i 4
glstm_cell/bias_j 4
glstm_cell/bias_f 4
glstm_cell/bias_o 4
glstm_cell/projection/kernel 4 2
GRUBlockCell/w_ru 10 8
GRUBlockCell/b_ru 8
GRUBlockCell/w_c 10 4
GRUBlockCell/b_c 4
GRUBlockCellV2/gates/kernel 10 8
GRUBlockCellV2/gates/bias 8
GRUBlockCellV2/candidate/kernel 10 4
GRUBlockCellV2/candidate/bias 4
"""


def test_variables_have_the_names_of_1_4() -> None:
    done = forked.run(PROGRAM)
    assert done.returncode == 0, done.stderr
    result = [line.removeprefix("== ") for line in done.stdout.splitlines() if line.startswith("==")]
    assert result == GENUINE.strip().splitlines()

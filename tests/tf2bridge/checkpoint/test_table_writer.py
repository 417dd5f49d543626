"""Tables are written as TensorFlow writes them, byte for byte."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest

from tests import oracles
from tests.tf2bridge.checkpoint import recorded
from tf2bridge.checkpoint.writing.table_writer import write_table
from tf2bridge.formats.checkpoints.table import Table

FIXTURES = Path(__file__).parents[3] / "fixtures"

MANY_VARIABLES = """
import sys
import tensorflow as tf
from tensorflow.python.ops import gen_io_ops
names = ["scope_%d/layer_%d/%s" % (n % 7, n // 3, ("kernel", "bias", "kernel/Adam")[n % 3]) for n in range(40000)]
save = getattr(gen_io_ops, "save_v2", None) or gen_io_ops._save_v2
with tf.Graph().as_default(), tf.Session() as session:
    one = tf.constant(1.0)
    session.run(save(sys.argv[1], names, [""] * len(names), [one] * len(names)))
"""


def check_rewritten(index: Path) -> None:
    table, written = Table(index), io.BytesIO()
    write_table(written, table.items())
    table.close()
    assert written.getvalue() == index.read_bytes(), index


@pytest.mark.parametrize("release", recorded.RELEASES)
def test_every_recorded_index(release: str, tmp_path: Path) -> None:
    names = [name for name in recorded.ALL if name.startswith(f"{release}/")]
    result = [index for name in names for index in recorded.unpacked(name, tmp_path).folder.rglob("*.index")]
    assert len(result) > 20
    for index in result:
        check_rewritten(index)


def test_an_index_of_slices_and_one_of_objects() -> None:
    check_rewritten(FIXTURES / "estimator/model.ckpt-5.index")
    check_rewritten(FIXTURES / "keras_files/weights.index")


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["0.12.1", "1.15.5"])
def test_an_index_of_several_blocks(release: str, tmp_path: Path) -> None:
    python = oracles.interpreter(release)
    prefix = tmp_path / "many"
    subprocess.run([str(python), "-c", MANY_VARIABLES, str(prefix)], check=True, capture_output=True)
    assert prefix.with_suffix(".index").stat().st_size > 1 << 20
    check_rewritten(prefix.with_suffix(".index"))


def test_keys_must_be_in_order() -> None:
    with pytest.raises(ValueError, match=r"b'a' does not follow b'b'"):
        write_table(io.BytesIO(), [(b"b", b""), (b"a", b"")])

"""The wrapper of an op as 1.x generated it: the same text on genuine 1.15.5 and here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import oracles, under_run

PROGRAM = """
import tensorflow as tf
from tensorflow.core.framework import op_def_pb2
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.framework import op_def_library, op_def_registry
from tensorflow.python.ops import gen_math_ops

listed = op_def_pb2.OpList()
listed.op.add(name="Abs").CopyFrom(op_def_registry.get_registered_ops()["Abs"])
op_def_registry.register_op_list(listed)
library = op_def_library.OpDefLibrary()
library.add_op_list(listed)
y = library.apply_op("Abs", x=tf.constant([-2.0]), name="size")
structure, stateful, operation = library._apply_op_helper("Abs", "again", x=y)
print(y.name, stateful, operation.type, gen_math_ops._op_def_lib.apply_op("Neg", x=y).op.type)
with tf.Session() as session:
    print(session.run(operation.outputs[0]))


def told(make):
    try:
        make()
    except (TypeError, ValueError, RuntimeError) as error:
        print(type(error).__name__, error)


told(lambda: library.add_op(listed.op[0]))
told(lambda: library.add_op_list([]))
told(lambda: library.apply_op("NoSuchOp"))
told(lambda: library.apply_op("Abs"))
op = op_def_pb2.OpDef(name="Own")
op.input_arg.add(name="a", type_attr="T")
told(lambda: library.add_op(op))
op.attr.add(name="T", type="int")
told(lambda: library.add_op(op))
op.input_arg[0].number_attr = "T"
op.input_arg[0].type_attr = ""
told(lambda: library.add_op(op))
print(config_pb2.RPCOptions(use_rpc_for_inprocess_master=True))
"""
PRINTED = """\
size:0 False Abs Neg
[2.]
RuntimeError Op name Abs registered twice.
TypeError [] is <class 'list'>, not an op_def_pb2.OpList
RuntimeError Unrecognized Op name NoSuchOp
TypeError No argument for input x
TypeError Inconsistent OpDef for 'Own', missing attr 'T'
TypeError Attr 'T' of 'Own' used as a type_attr but has type int
TypeError Arg 'a' of 'Own' must have one type field not 0
use_rpc_for_inprocess_master: true

"""


def test_a_generated_wrapper_works(tmp_path: Path) -> None:
    done = under_run.run(PROGRAM, tmp_path, "1.15")
    assert done.stdout == PRINTED, done.stderr


@pytest.mark.oracle
def test_the_genuine_release_prints_this() -> None:
    done = oracles.run("1.15.5", PROGRAM)
    assert done.stdout == PRINTED, done.stderr

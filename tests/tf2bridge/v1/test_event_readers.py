"""Readers of event files in a program of 0.12, as genuine 0.12.1 read them."""

from __future__ import annotations

import pytest

from tests import forked, oracles

PROGRAM = """
import os, tempfile
from tensorflow.python.summary import event_accumulator, event_multiplexer
from tensorflow.python.summary.impl import event_file_loader, io_wrapper
from tensorflow.python.util import all_util

top = tempfile.mkdtemp()
with tf.Session() as session:
    loss = tf.scalar_summary("loss", tf.constant(2.5))
    weights = tf.histogram_summary("weights", tf.constant([1.0, 2.0, 3.0]))
    writer = tf.train.SummaryWriter(os.path.join(top, "run"), session.graph)
    for step in range(3):
        for summary in session.run([loss, weights]):
            writer.add_summary(summary, step)
    writer.close()

reader = event_accumulator.EventAccumulator(os.path.join(top, "run"))
reader.Reload()
print(sorted((kind, value) for kind, value in reader.Tags().items() if kind != "graph"))
print(reader.Tags()[event_accumulator.COMPRESSED_HISTOGRAMS])
print([(event.step, event.value) for event in reader.Scalars("loss")])
print([histogram.histogram_value.num for histogram in reader.Histograms("weights")])
print(type(reader.Graph()) is tf.GraphDef, sorted(node.op for node in reader.Graph().node))
print(type(reader.MetaGraph()).__module__)
runs = event_multiplexer.EventMultiplexer().AddRunsFromDirectory(top)
runs.Reload()
print(runs.Runs()["run"]["scalars"], [event.step for event in runs.Scalars("run", "loss")])
pairs = [(name, list(paths)) for name, paths in io_wrapper.ListRecursively(top)]
[(folder, files)] = [pair for pair in pairs if pair[1]]
print(os.path.relpath(folder, top), len(files))
events = list(event_file_loader.EventFileLoader(os.path.join(folder, os.path.basename(files[0]))).Load())
print(len(events), events[0].file_version, isinstance(events[0], tf.Event))
try:
    all_util.reveal_undocumented("tensorflow.python.summary.no_such_name")
except Exception as error:
    print(type(error).__name__)
"""
GIVEN = """[('audio', []), ('compressedHistograms', ['weights']), ('histograms', ['weights']), ('images', []), \
('meta_graph', True), ('run_metadata', []), ('scalars', ['loss'])]
['weights']
[(0, 2.5), (1, 2.5), (2, 2.5)]
[3.0]
True ['Const', 'Const', 'Const', 'Const', 'HistogramSummary', 'ScalarSummary']
tensorflow.core.protobuf.meta_graph_pb2
['loss'] [0, 1, 2]
run 1
9 brain.Event:2 True
LookupError
"""


def test_a_program_of_0_12_reads_event_files() -> None:
    program = PROGRAM.replace("tensorflow.python", "tf2bridge.v0.python")
    done = forked.run(f"from tf2bridge import v0 as tf\n{program}")
    assert done.stdout == GIVEN, done.stderr


@pytest.mark.oracle
def test_genuine_0_12_1_read_them_so() -> None:
    done = oracles.run("0.12.1", f"import tensorflow as tf\n{PROGRAM}")
    assert done.stdout == GIVEN, done.stderr

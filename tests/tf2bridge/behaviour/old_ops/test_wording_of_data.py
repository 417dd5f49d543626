"""Errors of tf.data have the words of genuine TensorFlow 1.15.5, which gave these lines for this program."""

from __future__ import annotations

import importlib
import inspect
import re

from tests import forked
from tf2bridge.behaviour.old_ops import wording

PROGRAM = """
import os, tempfile
import numpy as np
from tf2bridge import v1 as tf
tf.enable(api="1.15")
D, E = tf.data.Dataset, tf.data.experimental
R = D.range
folder = tempfile.mkdtemp()
def csv(text, second=None, **settings):
    names = []
    for number, lines in enumerate(filter(None, (text, second))):
        names.append(os.path.join(folder, "%d.csv" % number))
        open(names[-1], "w").write(lines)
    return E.make_csv_dataset(names, 2, **settings)
def pair(function):
    return E.Reducer(lambda _: tf.constant(0), function, lambda x: x)
cases = [
    lambda: E.choose_from_datasets([R(2), R(2)], D.from_tensors(1.0)),
    lambda: E.choose_from_datasets([R(2), R(2)], D.from_tensors([1])),
    lambda: E.sample_from_datasets([R(2), D.from_tensors(0.5)]),
    lambda: E.sample_from_datasets([R(2), R(3)], [1, 1]),
    lambda: E.sample_from_datasets([R(2), R(3)], [0.5, 0.25, 0.25]),
    lambda: R(3).filter(lambda x: x),
    lambda: R(3).apply(E.take_while(lambda x: x)),
    lambda: R(3).apply(E.parallel_interleave(lambda x: x, 2)),
    lambda: R(3).reduce(0, lambda state, x: x),
    lambda: R(3).apply(E.bucket_by_sequence_length(lambda x: x, [2], [1])),
    lambda: iter(R(3)),
    lambda: tf.compat.v1.data.get_output_types(3),
    lambda: D.from_generator(3, tf.int32),
    lambda: R(3).apply(E.group_by_window(lambda x: x, lambda key, window: window)),
    lambda: R(3).apply(E.group_by_window(lambda x: x, lambda key, window: key, 2)),
    lambda: R(3).apply(E.group_by_reducer(lambda x: 1.5, pair(lambda s, x: s))),
    lambda: R(3).apply(E.group_by_reducer(lambda x: x, pair(lambda s, x: x))),
    lambda: R(3).apply(E.group_by_reducer(lambda x: x, pair(lambda s, x: SPARSE))),
    lambda: R(3).apply(E.scan(tf.constant(0), lambda s, x: x)),
    lambda: R(3).apply(E.scan(tf.constant(0), lambda s, x: (x, x))),
    lambda: D.zip([R(3), R(3)]),
    lambda: D.zip((R(3), 3)),
    lambda: R(3).make_one_shot_iterator().initializer,
    lambda: R(3).concatenate(D.from_tensors(0.5)),
    lambda: R(3).padded_batch(2, np.zeros((2, 2), np.int64)),
    lambda: R(3).padded_batch(2, tf.constant([1.5])),
    lambda: R(3).padded_batch(2, [3]),
    lambda: D.from_tensors(SPARSE).padded_batch(2, [2]),
    lambda: tf.data.TextLineDataset(R(3)),
    lambda: tf.data.TextLineDataset(D.from_tensors(["a"])),
    lambda: D.from_tensors(([1, 2], [1])).apply(E.unbatch()),
    lambda: D.from_tensors(0.5).apply(E.unique()),
    lambda: R(3).apply(E.map_and_batch(lambda x: x, 2, num_parallel_batches=1, num_parallel_calls=1)),
    lambda: E.get_single_element(3),
    lambda: E.TFRecordWriter("x").write(3),
    lambda: E.TFRecordWriter("x").write(R(3)),
    lambda: R(3).apply(E.parse_example_dataset({"a": tf.FixedLenFeature([], tf.int64)})),
    lambda: R(3).apply(E.parse_example_dataset(None)),
    lambda: csv("a,b\\n1,2\\n1,2,3\\n"),
    lambda: csv("a,b\\n1,2\\n", "a,c\\n1,2\\n"),
    lambda: csv("a,b\\n1,2\\n", select_columns=[7]),
    lambda: csv("a,b\\n1,2\\n", select_columns=["c"]),
    lambda: csv("a,b\\n1,2\\n", select_columns=["a", "a"]),
    lambda: csv("a,b\\n1,2\\n", compression_type="ZLIB"),
    lambda: csv("a,b\\n1,2\\n", compression_type="no"),
    lambda: csv("a,b\\n1,2\\n", header=False),
    lambda: csv("a,b\\n1,2\\n", column_names=["a", "a"]),
    lambda: csv("a,b\\n1,2\\n", select_columns=["a"], column_defaults=[1, 2]),
    lambda: csv("a,b\\n1,2\\n", label_name="c"),
    lambda: E.make_csv_dataset("", 2),
    lambda: E.make_batched_features_dataset(["x"], 2, {"a": tf.FixedLenFeature([], tf.int64)}, label_key="b"),
    lambda: setattr(tf.data.Options(), "nothing", 1),
]
for case in cases:
    with tf.Graph().as_default():
        SPARSE = tf.SparseTensor([[0]], [1], [2])
        try:
            print(case())
        except Exception as error:
            text = str(error).splitlines()[0].replace(folder + os.sep, "")
            print(type(error).__name__, text)
"""
GENUINE = """\
TypeError `choice_dataset` must be a dataset of scalar `tf.int64` tensors.
TypeError `choice_dataset` must be a dataset of scalar `tf.int64` tensors.
TypeError All datasets must have the same type and class.
TypeError `weights` must be convertible to a tensor of `tf.float32` or `tf.float64` elements.
ValueError `weights` must be a vector of length `len(datasets)`.
ValueError `predicate` return type must be convertible to a scalar boolean tensor. Was TensorSpec(shape=(), \
dtype=tf.int64, name=None).
ValueError `predicate` must return a scalar boolean tensor.
TypeError `map_func` must return a `Dataset` object.
TypeError The element types for the new state must match the initial state. Expected <dtype: 'int32'>; got <dtype: \
'int64'>.
ValueError len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1
RuntimeError __iter__() is only supported inside of tf.function or when eager execution is enabled.
TypeError `dataset_or_iterator` must be a Dataset or Iterator object, but got <class 'int'>.
TypeError `generator` must be callable.
ValueError Must pass either window_size or window_size_func.
TypeError `reduce_func` must return a `Dataset` object.
ValueError `key_func` must return a single tf.int64 tensor. Got type=<dtype: 'float32'> and shape=()
TypeError The element types for the new state must match the initial state. Expected <dtype: 'int32'>; got <dtype: \
'int64'>.
AttributeError '_GroupByReducerDataset' object has no attribute '_state_classes'
TypeError The scan function must return a pair comprising the new state and the output value.
TypeError The element types for the new state must match the initial state. Expected <dtype: 'int32'>; got <dtype: \
'int64'>.
TypeError The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects. Nested structures do not \
support Python lists; please use a tuple instead.
TypeError The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects.
ValueError Iterator does not have an initializer.
TypeError Two datasets to concatenate have different types <dtype: 'int64'> and <dtype: 'float32'>
ValueError Padded shape [[0 0]
TypeError Padded shape Tensor("Const:0", shape=(1,), dtype=float32) must be a 1-D tensor of tf.int64 values, but its \
element type was float32.
ValueError The padded shape (3,) is not compatible with the corresponding input component shape ().
TypeError Batching of padded sparse tensors is not currently supported
TypeError `filenames` must be a `tf.data.Dataset` of `tf.string` elements.
TypeError `filenames` must be a `tf.data.Dataset` of scalar `tf.string` elements.
ValueError Cannot unbatch an input whose components have different batch sizes.
TypeError `tf.data.experimental.unique()` only supports inputs with a single `tf.int32`, `tf.int64`, or `tf.string` \
component.
ValueError The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive.
TypeError `dataset` must be a `tf.data.Dataset` object.
TypeError `dataset` must be a `tf.data.Dataset` object.
TypeError `dataset` must produce scalar `DT_STRING` tensors whereas it produces shape () and types <dtype: 'int64'>
TypeError Input dataset should be a dataset of vectors of strings
ValueError Missing: features was None.
ValueError Problem inferring types: CSV row has different number of fields than expected.
ValueError Files have different column names in the header row.
ValueError Column index 7 specified in select_columns out of valid range.
ValueError Value 'c' specified in select_columns not a valid column index or name.
ValueError select_columns contains duplicate columns
ValueError compression_type (ZLIB) is not supported for probing columns
ValueError compression_type (no) is not supported
ValueError Cannot infer column names without a header line.
ValueError Cannot have duplicate column names.
ValueError If specified, column_defaults and select_columns must have same length.
ValueError `label_name` provided must be one of the columns.
ValueError No files match .
ValueError The `label_key` provided ('b') must be one of the `features` keys.
AttributeError Cannot set the property nothing on Options.
"""


def test_errors_are_those_of_1_15() -> None:
    done = forked.run(PROGRAM)
    assert done.stdout.splitlines() == GENUINE.splitlines(), done.stderr


def test_each_row_is_about_a_function_that_is_there_and_fills_what_its_pattern_finds() -> None:
    for place, rows in wording.texts(wording.OF_DATA).items():
        module, _, path = place.partition(":")
        owner = importlib.import_module(module)
        for name in path.split("."):
            owner = inspect.getattr_static(owner, name)
        for pattern, then in rows.items():
            assert {int(number) for number in re.findall(r"\\(\d)", then)} <= set(range(re.compile(pattern).groups + 1))

"""The parts of tf.data."""

from tf2bridge.internals.loading import loader

NAMES = {
    "cardinality": "tensorflow.python.data.experimental.ops.cardinality",
    "dataset_ops": "tensorflow.python.data.ops.dataset_ops",
    "from_generator_op": "tensorflow.python.data.ops.from_generator_op",
    "iterator_ops": "tensorflow.python.data.ops.iterator_ops",
    "optional_ops": "tensorflow.python.data.ops.optional_ops",
    "options": "tensorflow.python.data.ops.options",
    "readers": "tensorflow.python.data.ops.readers",
    "structured_function": "tensorflow.python.data.ops.structured_function",
    "util_options": "tensorflow.python.data.util.options",
}

__getattr__ = loader(NAMES, globals())

"""TensorFlow's messages: graphs, nodes, types, configurations."""

from tf2bridge.internals.loading import loader

NAMES = {
    "QueueRunnerDef": "tensorflow.core.protobuf.queue_runner_pb2:QueueRunnerDef",
    "SessionLog": "tensorflow.core.util.event_pb2:SessionLog",
    "attr_value_pb2": "tensorflow.core.framework.attr_value_pb2",
    "config_pb2": "tensorflow.core.protobuf.config_pb2",
    "event_pb2": "tensorflow.core.util.event_pb2",
    "function_pb2": "tensorflow.core.framework.function_pb2",
    "graph_pb2": "tensorflow.core.framework.graph_pb2",
    "meta_graph_pb2": "tensorflow.core.protobuf.meta_graph_pb2",
    "node_def_pb2": "tensorflow.core.framework.node_def_pb2",
    "op_def_pb2": "tensorflow.core.framework.op_def_pb2",
    "rewriter_config_pb2": "tensorflow.core.protobuf.rewriter_config_pb2",
    "saved_model_pb2": "tensorflow.core.protobuf.saved_model_pb2",
    "types_pb2": "tensorflow.core.framework.types_pb2",
    "variable_pb2": "tensorflow.core.framework.variable_pb2",
}

__getattr__ = loader(NAMES, globals())

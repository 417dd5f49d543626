"""Eager execution and functions."""

from tf2bridge.internals.loading import loader

NAMES = {
    "AtomicFunction": "tensorflow.python.eager.polymorphic_function.atomic_function:AtomicFunction",
    "ConcreteFunction": "tensorflow.python.eager.polymorphic_function.concrete_function:ConcreteFunction",
    "concrete_function": "tensorflow.python.eager.polymorphic_function.concrete_function",
    "context": "tensorflow.python.eager.context",
    "core": "tensorflow.python.eager.core",
    "from_func_graph": "tensorflow.python.eager.polymorphic_function.atomic_function:from_func_graph",
    "from_structured_signature": "tensorflow.core.function.polymorphism.function_type:from_structured_signature",
    "polymorphic_function": "tensorflow.python.eager.polymorphic_function.polymorphic_function",
    "tracing_compilation": "tensorflow.python.eager.polymorphic_function.tracing_compilation",
}

__getattr__ = loader(NAMES, globals())

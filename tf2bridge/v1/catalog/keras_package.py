"""Names of the package keras, releases 2.0 to 2.3, that the Keras within TensorFlow 1.x did not have.

`import keras` means `tensorflow.python.keras` here, in programs run unchanged and in rewritten ones. Where the package
had another object of the same name, programs run unchanged get that of `tensorflow.python.keras_package`, a module of
ours. Fact source: the sources of Keras 2.0.8, 2.2.5 and 2.3.1.
"""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "python.keras"
PACKAGE = "python.keras_package"
"""The module that `import keras` means in programs run unchanged; other names than those below are of `_PATH`."""

_NODES = "tf_keras.src.engine.node"
_SOURCES = "tf_keras.src.utils.layer_utils"
_LISTS = "unpack_singleton object_list_uid transpose_shape"
_INTERFACES = (
    "generate_legacy_interface generate_legacy_method_interface legacy_add_weight_support legacy_batchnorm_support "
    "legacy_conv1d_support legacy_conv2d_support legacy_dense_support legacy_dropout_support legacy_embedding_support "
    "legacy_gaussiannoise_support legacy_generator_methods_support legacy_get_updates_support "
    "legacy_model_constructor_support legacy_pooling1d_support legacy_pooling2d_support legacy_recurrent_support"
)

OWN = {
    **names(f"{_PATH}.engine.topology", _NODES, "Node"),
    **names(f"{_PATH}.engine.topology", "tf_keras.src.engine.input_spec", "InputSpec"),
    **names(f"{_PATH}.engine.topology", _SOURCES, "get_source_inputs"),
    **names(f"{_PATH}.engine.network", _SOURCES, "get_source_inputs"),
    **names(f"{_PATH}.engine.base_layer", _NODES, "Node"),
    **names(f"{_PATH}.utils.generic_utils", "tf2bridge.behaviour.old_keras.lists", _LISTS),
    **names(f"{PACKAGE}.optimizers", "tf2bridge.behaviour.old_keras.package_optimizers", "get deserialize"),
    **names(f"{_PATH}.legacy.interfaces", "tf2bridge.behaviour.old_keras.interfaces", _INTERFACES),
}

ALIASES = {
    f"{_PATH}.utils.training_utils.multi_gpu_model": "keras.utils.multi_gpu_model",
    f"{_PATH}.engine.topology.Container": f"{_PATH}.engine.network.Network",
    f"{_PATH}.engine.topology.Network": f"{_PATH}.engine.network.Network",
}

MOVED = {
    PACKAGE: _PATH,
    f"{_PATH}.objectives": "keras.losses",
    f"{_PATH}.backend.tensorflow_backend": "keras.backend",
}

HELD = {PACKAGE: "tf_keras.src"}

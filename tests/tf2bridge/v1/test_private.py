"""Private modules of TensorFlow 1.x: `tensorflow.python...` and `tensorflow.contrib.AREA.python...`."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest
import tensorflow as tf

from tf2bridge import v1
from tf2bridge.v1.catalog import TREE
from tf2bridge.v1.genuine import is_module, submodules
from tf2bridge.v1.namespace import resolve
from tf2bridge.v1.private import candidates, home
from tf2bridge.v1.refusals import UnavailableNameError


@pytest.mark.parametrize(
    ("private", "public"),
    [
        ("python.framework.graph_util.convert_variables_to_constants", "graph_util.convert_variables_to_constants"),
        ("python.training.saver.Saver", "train.Saver"),
        ("python.training.server_lib.Server", "train.Server"),
        ("python.framework.ops.enable_eager_execution", "enable_eager_execution"),
        ("python.ops.image_ops_impl.adjust_jpeg_quality", "image.adjust_jpeg_quality"),
        ("python.tpu.tpu_optimizer.CrossShardOptimizer", "tpu.CrossShardOptimizer"),
        ("python.ops.rnn_cell_impl.GRUCell", "nn.rnn_cell.GRUCell"),
        ("python.layers.core.Dense", "layers.Dense"),
        (
            "python.layers.dense",
            "layers.dense",
        ),  # of `from tensorflow.python import layers`
        ("python.summary.scalar", "summary.scalar"),
        ("python.ops.GraphKeys", "GraphKeys"),
        ("python.pywrap_tensorflow.NewCheckpointReader", "train.NewCheckpointReader"),
        ("python.keras.layers.core.Lambda", "keras.layers.Lambda"),
        ("python.keras._impl.keras.models.Sequential", "keras.models.Sequential"),
        ("contrib.layers.python.layers.regularizers.l2_regularizer", "contrib.layers.l2_regularizer"),
        ("contrib.framework.python.ops.add_arg_scope", "contrib.framework.add_arg_scope"),
        ("contrib.rnn.python.ops.core_rnn_cell.BasicLSTMCell", "nn.rnn_cell.BasicLSTMCell"),
        ("contrib.learn.python.learn.datasets.mnist.read_data_sets", "contrib.learn.datasets.mnist.read_data_sets"),
    ],
)
def test_a_private_module_shows_the_public_object(private: str, public: str) -> None:
    assert resolve(TREE, private) is resolve(TREE, public)


def test_an_attribute_may_hide_the_module_that_an_import_means() -> None:
    # The package's __init__ imported the function over the module of its name (1.15.5).
    assert v1.contrib.framework.python.ops.arg_scope is v1.contrib.framework.arg_scope
    module = resolve(TREE, "contrib.framework.python.ops.arg_scope")
    assert module.add_arg_scope is v1.contrib.framework.add_arg_scope


def test_what_tensorflow_2_still_holds_is_found_there() -> None:
    import tensorflow.python.framework.function as real

    assert v1.python.framework.function._DefinedFunction is real._DefinedFunction
    assert v1.python.ops.rnn_cell_impl._WEIGHTS_VARIABLE_NAME == "kernel"
    assert v1.python.ops.gen_nn_ops._max_pool_grad is v1.python.ops.gen_nn_ops.max_pool_grad  # hidden up to 1.8


@pytest.mark.parametrize(
    "wrong", ["python.ops.array_ops.no_such_name", "python.no_such_module", "contrib.layers.python.layers.layers.nope"]
)
def test_a_wrong_name_is_one_error(wrong: str) -> None:
    with pytest.raises(UnavailableNameError, match=wrong.rpartition(".")[2]):
        resolve(TREE, wrong)


def test_a_name_that_is_replaced_is_replaced_in_tensorflow(monkeypatch: pytest.MonkeyPatch) -> None:
    from tensorflow.python.framework import random_seed

    monkeypatch.setattr(random_seed, "DEFAULT_GRAPH_SEED", random_seed.DEFAULT_GRAPH_SEED)
    v1.python.framework.random_seed.DEFAULT_GRAPH_SEED = 5
    assert random_seed.DEFAULT_GRAPH_SEED == 5
    del v1.python.framework.random_seed.__dict__["DEFAULT_GRAPH_SEED"]


def test_a_replaced_function_reaches_its_module_and_is_given_back() -> None:
    from tensorflow.python.checkpoint import checkpoint_management

    original = checkpoint_management.latest_checkpoint
    with mock.patch.object(v1.python.training.checkpoint_management, "latest_checkpoint", lambda _: "replaced"):
        assert checkpoint_management.latest_checkpoint("anywhere") == "replaced"
    assert checkpoint_management.latest_checkpoint is original
    assert v1.python.training.checkpoint_management.latest_checkpoint is original


def test_the_list_of_modules() -> None:
    assert is_module("contrib.slim.python.slim.nets.vgg")
    assert not is_module("contrib.slim.python.slim.nets.vgg.vgg_16")
    assert "learning" in submodules("contrib.slim.python.slim")
    assert home("python.training.saver", "no_such_name") is None
    assert next(candidates("contrib.slim.python.slim.nets.vgg", "vgg_16")) == "contrib.slim.nets.vgg.vgg_16"


@pytest.mark.parametrize(
    "name",
    [
        "python.ops.variables.RefVariable",
        "contrib.cudnn_rnn.python.ops.cudnn_rnn_ops.CUDNN_RNN_BIDIRECTION",
        "python.ops.variable_scope.default_variable_creator",
        "python.eager.tape.stop_recording",
        "python.estimator.util.fn_args",
        "python.framework.ops.register_dense_tensor_like_type",
        "python.training.experimental.mixed_precision.enable_mixed_precision_graph_rewrite",
        "python.training.experimental.mixed_precision.disable_mixed_precision_graph_rewrite",
        "python.ops.rnn_cell_impl.ASSERT_LIKE_RNNCELL_ERROR_REGEXP",
        "contrib.layers.python.layers.feature_column._SparseIdLookupConfig",
    ],
)
def test_a_private_name_that_has_moved_is_found(name: str) -> None:
    assert resolve(TREE, name) is not None


def test_variables_between_nested_tensors_are_found() -> None:
    found = resolve(TREE, "python.ops.custom_gradient.get_dependent_variables")
    with tf.Graph().as_default():
        given = tf.constant(2.0)
        variable = tf.compat.v1.get_variable("v", [], use_resource=True)
        assert found({"x": given}, {"y": [given + 1.0 + variable]}) == [variable]


def test_data_sets_by_their_private_classes() -> None:
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        for name, arguments in (("MapDataset", ()), ("ParallelMapDataset", (2,))):
            mapped = resolve(TREE, f"python.data.ops.dataset_ops.{name}")
            numbers = mapped(tf.compat.v1.data.Dataset.range(3), lambda x: x + 1, *arguments)
            value = tf.compat.v1.data.make_one_shot_iterator(numbers).get_next()
            assert [session.run(value) for _ in range(3)] == [1, 2, 3]


def test_shapes_of_up_to_two_dimensions() -> None:
    assert resolve(TREE, "python.framework.tensor_shape.scalar")() == []
    assert resolve(TREE, "python.framework.tensor_shape.vector")(3) == [3]
    assert resolve(TREE, "python.framework.tensor_shape.matrix")(3, None).as_list() == [3, None]
    function = resolve(TREE, "python.framework.ops.RegisterShape")("Own")(len)
    assert function is len


def test_forward_gradients() -> None:
    fwd_gradients = resolve(TREE, "contrib.nn.python.ops.fwd_gradients.fwd_gradients")
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.constant(3.0)
        (result,) = fwd_gradients([x**3], [x], [tf.constant(2.0)], assert_unused=True)
        assert session.run(result) == 54.0  # 3 * 3**2 * 2


def test_messages_go_to_the_events_file(tmp_path: Path) -> None:
    logging = resolve(TREE, "python.training.tensorboard_logging.log").__globals__
    with pytest.raises(RuntimeError, match="Must call set_summary_writer before"):
        logging["info"]("too early")
    with tf.Graph().as_default(), tf.compat.v1.summary.FileWriter(str(tmp_path)) as writer:
        logging["set_summary_writer"](writer)
        logging["info"]("below the verbosity")
        logging["warn"]("%d steps", 7)
        with pytest.raises(ValueError, match="Level LOUD is not a valid tensorboard_logging level"):
            logging["log"]("LOUD", "x")
    logging["_clear_summary_writer"]()
    _, event = tf.compat.v1.train.summary_iterator(str(next(tmp_path.iterdir())))
    assert (event.log_message.level, event.log_message.message) == (30, "7 steps")  # 30 is WARN in event.proto


def test_a_callback_is_told_of_the_ops_that_are_made() -> None:
    op_callback = resolve(TREE, "python.framework.op_callbacks.op_callback")
    names = []
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, name="x")
        with op_callback(lambda *_, op_name, **__: names.append(op_name)):
            tf.square(x, name="y")
        tf.square(x, name="z")
    assert names == ["y"]
    with pytest.raises(ValueError, match=r"expected to be callable, but is not\. Recevied 3"):
        op_callback(3)

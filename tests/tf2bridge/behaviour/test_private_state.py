"""The objects of TensorFlow have the attributes that they had in genuine 1.4.1, 1.12.3 and 1.15.5, or a reason."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests import forked

FIXTURES = Path(__file__).parents[3] / "fixtures"
RELEASES = ("1.4.1", "1.12.3", "1.15.5")
ABSENT = {
    "_list_*": "the checkpoints of objects find their parts in another way since 2.6",
    "*_restor*": "as above",
    "*checkpointable*": "as above",
    "*_self_*": "as above",
    "*checkpoint_dependencies": "as above",
    "*dependency_names": "as above",
    "*deferred_dependencies": "as above",
    "*name_based_restores": "as above",
    "*update_uid": "as above",
    "_tracking_metadata": "as above",
    "_variant_tracker": "as above",
    "_maybe_initialize_*": "as above",
    "_component_metadata": "composite tensors were replaced by tf.TypeSpec before they were public",
    "_from_components": "as above",
    "_to_components": "as above",
    "_is_graph_tensor": "as above",
    "_scoped_c_graph": "the graph itself is the object of C++ since 2.9",
    "_tf_output": "as above",
    "_add_input": "an operation is made with its inputs since 1.8",
    "_create_c_op": "as above",
    "_recompute_node_def": "as above",
    "_InputList": "the inputs are a tuple",
    "_reconstruct_sequence_inputs": "as above",
    "traceback_with_start_lines": "frames no longer know where their function starts",
    "_convert_stack": "as above",
    "_extract_*": "as above",
    "_next_id": "it would use a number up, which only the maker of an operation may",
    "_make_colocation_conflict_message": "a text of an error",
    "_enable_auto_casting_variables": "mixed precision of Keras, which tf_keras keeps elsewhere",
    "_auto_cast_variable_read_dtype": "as above",
    "_bcast_grad_args_cache": "a cache of gradients that are computed in another way",
    "_disallow_*": "texts of errors",
    "_get_input_ops_without_shapes": "all shapes are known since 1.8",
    "_handle_data": "a resource's description is in the C++ graph",
    "_add_consumer": "the C++ graph knows the consumers",
    "_dup": "as above",
    "_handle_deleter": "a resource is freed by its graph",
    "_handle_device": "as above",
    "_resource_deleter": "as above",
    "*_value_from_*": "initial values are guarded by other functions",
    "_find_initialized_value_for_variable": "as above",
    "_build_initializer_expr": "as above",
    "_try_guard_against_uninitialized_dependencies": "as above",
    "_l2_regularization_strength_tensor": "FTRL of 2.x makes its adjusted strength alone, so that no other op is there",
    "_current_version": "a session follows its graph in C++, from the first run on",
    "_opened": "as above",
    "_colocate_with*": "the implementation keeps it",
    "_maybe_colocate_with": "as above",
    "_element_shape": "as above",
    "_merge_element_shape": "as above",
    "_MetaGraphFilename": "a function of the module now",
    "_delete_file_if_exists": "as above",
    "_ndims": "dims is the one representation",
    "_apply_options": "options are applied in C++",
    "_has_captured_ref": "as above",
    "_use_inter_op_parallelism": "as above",
    "_enumerate": "it is dataset.enumerate",
    "_add_inbound_node": "Keras keeps its nodes in another way since 2.4",
    "_set_connectivity_metadata*": "as above",
    "_inputs_from_call_args": "as above",
    "_call_*": "as above",
    "_in_call": "as above",
    "_get_call_arg_value": "as above",
    "_dtype_defaulted_to_floatx": "as above",
    "_warn_about_input_casting": "as above",
    "_eager_add_metric": "as above",
    "_unique_trainable_weights": "as above",
    "_compute_previous_mask": "as above",
    "_set_learning_phase_metadata": "as above",
    "_per_input_*": "losses and updates are kept in one list",
    "_graph": "a layer belongs to no graph",
    "*_linear": "a cell of 1.4 made its weights in an object; those of later releases are its own",
}
"""Pattern of an attribute -> why it is not there."""


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Object -> what it lacks of what any release had."""
    folder = tmp_path_factory.mktemp("state")
    asked, result = folder / "asked.json", folder / "found.json"
    asked.write_text(json.dumps({name: sorted(attributes) for name, attributes in genuine().items()}))
    program = f"""
import json, sys, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, {str(FIXTURES)!r})
from tf2bridge import v1 as tf
tf.enable(api="1.15")
from private_state import has, makers
made, lacking = makers(tf), {{}}
for name, attributes in json.load(open({str(asked)!r})).items():
    with tf.Graph().as_default():
        object = made[name]()
        lacking[name] = [each for each in attributes if not has(object, each)]
json.dump(lacking, open({str(result)!r}, "w"))
"""
    done = forked.run(program)
    assert done.returncode == 0, done.stderr
    lacking: dict[str, list[str]] = json.loads(result.read_text())
    return lacking


def genuine() -> dict[str, set[str]]:
    """Object -> the attributes that it had in any release."""
    content: dict[str, set[str]] = {}
    for release in RELEASES:
        rows = json.loads((FIXTURES / "private_state" / f"{release}.json").read_text())
        for name, attributes in rows.items():
            content.setdefault(name, set()).update(attributes.split())
    return content


@pytest.mark.parametrize("name", sorted(genuine()))
def test_what_it_lacks_has_a_reason(name: str, ours: dict[str, list[str]]) -> None:
    unknown = [item for item in ours[name] if not any(fnmatchcase(item, pattern) for pattern in ABSENT)]
    assert unknown == []


def test_no_reason_is_left_over(ours: dict[str, list[str]]) -> None:
    lacking = {attribute for attributes in ours.values() for attribute in attributes}
    left_over = [pattern for pattern in ABSENT if not any(fnmatchcase(item, pattern) for item in lacking)]
    assert left_over == [], left_over

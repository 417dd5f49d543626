"""`tf.contrib.graph_editor`, with the modules that its names are of."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.graph_editor"
_HERE = "tf2bridge.contrib.graph_editor"

_UTIL = (
    "ControlOutputs get_consuming_ops get_generating_ops get_tensors make_list_of_op make_list_of_t "
    "make_placeholder_from_dtype_and_shape make_placeholder_from_tensor placeholder_name"
)
_SELECT = (
    "can_be_regex check_cios compute_boundary_ts filter_ops filter_ops_from_regex filter_ts filter_ts_from_regex "
    "get_backward_walk_ops get_forward_walk_ops get_name_scope_ops get_ops_ios get_walks_intersection_ops "
    "get_walks_union_ops get_within_boundary_ops make_regex select_ops select_ops_and_ts select_ts"
)
_SUBGRAPH = "SubGraphView make_view make_view_from_scope"
_EDIT = "bypass connect detach detach_control_inputs detach_control_outputs detach_inputs detach_outputs"
_REROUTE = (
    "add_control_inputs remove_control_inputs reroute_inputs reroute_ios reroute_outputs reroute_ts "
    "swap_inputs swap_ios swap_outputs swap_ts"
)
_HANDLERS = (
    "assign_renamed_collections_handler copy_op_handler keep_t_if_possible_handler replace_t_with_placeholder_handler "
    "transform_op_if_inside_handler"
)
_COPIES = "copy copy_with_input_replacements graph_replace"
_SECOND_TO_FIRST = "reroute_b2a reroute_b2a_inputs reroute_b2a_outputs reroute_b2a_ts"

OWN = {
    **names(
        f"{_PATH}.util",
        f"{_HERE}.util.elements",
        "ControlOutputs check_graphs get_consuming_ops get_generating_ops get_tensors get_unique_graph make_list_of_op "
        "make_list_of_t",
    ),
    **names(
        f"{_PATH}.util", f"{_HERE}.util.trees", "ListView concatenate_unique flatten_tree is_iterable transform_tree"
    ),
    **names(
        f"{_PATH}.util",
        f"{_HERE}.util.scopes",
        "find_corresponding find_corresponding_elem get_predefined_collection_names make_placeholder_from_tensor "
        "make_placeholder_from_dtype_and_shape placeholder_name scope_basename scope_dirname scope_finalize",
    ),
    **names(
        f"{_PATH}.select",
        f"{_HERE}.select.filters",
        "can_be_regex filter_ops filter_ops_from_regex filter_ts filter_ts_from_regex get_name_scope_ops make_regex",
    ),
    **names(
        f"{_PATH}.select",
        f"{_HERE}.select.boundaries",
        "check_cios compute_boundary_ts get_ops_ios get_within_boundary_ops",
    ),
    **names(
        f"{_PATH}.select",
        f"{_HERE}.select.walks",
        "get_backward_walk_ops get_forward_walk_ops get_walks_intersection_ops get_walks_union_ops",
    ),
    f"{_PATH}.select.string_types": "six:string_types",
    f"{_PATH}.select._get_input_ts": f"{_HERE}.select.filters:input_tensors",
    f"{_PATH}.select._get_output_ts": f"{_HERE}.select.filters:output_tensors",
    **names(f"{_PATH}.select", f"{_HERE}.select.selection", "select_ops select_ops_and_ts select_ts"),
    **names(f"{_PATH}.subgraph", f"{_HERE}.subgraph", _SUBGRAPH),
    **names(f"{_PATH}.edit", f"{_HERE}.edit", _EDIT),
    **names(f"{_PATH}.reroute", f"{_HERE}.reroute", f"{_REROUTE} {_SECOND_TO_FIRST}"),
    **names(f"{_PATH}.transform", f"{_HERE}.transform.handlers", _HANDLERS),
    **names(f"{_PATH}.transform", f"{_HERE}.transform.copies", _COPIES),
    f"{_PATH}.transform.Transformer": f"{_HERE}.transform.transformer:Transformer",
    f"{_PATH}.transform.TransformerInfo": f"{_HERE}.transform.transformed:TransformerInfo",
    **names(f"{_PATH}.match", f"{_HERE}.match", "OpMatcher op_type"),
}

_A2B = {"reroute_a2b": "reroute_ios"} | {
    f"reroute_a2b_{part}": f"reroute_{part}" for part in ("inputs", "outputs", "ts")
}
"""Names of 0.12 -> those that they had later."""

ALIASES = {
    **same(_PATH, f"{_PATH}.util", _UTIL),
    **same(_PATH, f"{_PATH}.select", _SELECT),
    **same(_PATH, f"{_PATH}.subgraph", _SUBGRAPH),
    **same(_PATH, f"{_PATH}.edit", _EDIT),
    **same(_PATH, f"{_PATH}.reroute", f"{_REROUTE} {_SECOND_TO_FIRST}"),
    **same(_PATH, f"{_PATH}.transform", f"{_HANDLERS} {_COPIES} Transformer TransformerInfo"),
    **same(_PATH, f"{_PATH}.match", "OpMatcher op_type"),
    **{f"{_PATH}.{module}.string_types": f"{_PATH}.select.string_types" for module in ("match", "transform")},
    f"{_PATH}.ph": f"{_PATH}.util.make_placeholder_from_dtype_and_shape",
    f"{_PATH}.sgv": f"{_PATH}.subgraph.make_view",
    f"{_PATH}.sgv_scope": f"{_PATH}.subgraph.make_view_from_scope",
    f"{_PATH}.ts": f"{_PATH}.select.select_ts",
    f"{_PATH}.ops": f"{_PATH}.select.select_ops",
    f"{_PATH}.matcher": f"{_PATH}.match.OpMatcher",
    f"{_PATH}.swap": f"{_PATH}.reroute.swap_ios",
    f"{_PATH}.reroute.swap": f"{_PATH}.reroute.swap_ios",
    **{f"{_PATH}.{old}": f"{_PATH}.reroute.{new}" for old, new in _A2B.items()},
    **{f"{_PATH}.reroute.{old}": f"{_PATH}.reroute.{new}" for old, new in _A2B.items()},
}

"""What calls of TensorFlow 1 are called in TensorFlow 2: names, and the parameters that changed.

A row is `old name: "new name | parameters of TensorFlow 1 in their order"`. A parameter `dim>axis` is called axis
today. `name-` is gone: a call that gives it has no counterpart. `x*` is the last one that still has its old position.
Without parameters, all are as they were. The facts are the signatures of TensorFlow 1.15.5 and of 2.21.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_RANDOM = "shape mean stddev dtype seed name*"
_REDUCE = "input_tensor axis keepdims name* reduction_indices>axis keep_dims>keepdims"
_POOL = "value>input ksize strides padding data_format name*"
_ARG = "input axis* name dimension>axis output_type"
_CROSS = "_sentinel- labels logits dim>axis name axis"
_RESIZED = ("BILINEAR", "NEAREST_NEIGHBOR", "BICUBIC", "AREA")
_SAME = (
    "Assert TensorShape abs acos add add_n argmax argmin argsort asin atan batch_to_space bitcast boolean_mask "
    "broadcast_to case cast clip_by_global_norm clip_by_norm clip_by_value complex concat cond constant "
    "convert_to_tensor cos cosh cumsum device dynamic_partition dynamic_stitch einsum equal executing_eagerly exp "
    "expand_dims eye fill floor foldl foldr gather gather_nd get_static_value greater greater_equal group "
    "histogram_fixed_width identity identity_n is_tensor less less_equal linspace logical_and logical_not "
    "logical_or map_fn matmul maximum meshgrid minimum multiply name_scope negative no_op norm not_equal "
    "numpy_function one_hot ones ones_like pad pow print py_function range rank reduce_all reduce_any "
    "reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_sum repeat reshape reverse "
    "reverse_sequence round saturate_cast scalar_mul scan scatter_nd searchsorted sequence_mask shape shape_n "
    "sigmoid sign sin sinh size slice sort space_to_batch split sqrt square squeeze stack stop_gradient "
    "strided_slice subtract tan tanh tensor_scatter_nd_update tensordot tile timestamp transpose truediv tuple "
    "unique unique_with_counts unstack vectorized_map where while_loop zeros zeros_like acosh asinh atan2 atanh divide "
    "edit_distance ensure_shape realdiv truncatediv truncatemod roll switch_case unravel_index parallel_stack "
    "broadcast_dynamic_shape space_to_batch_nd tensor_scatter_nd_add tensor_scatter_nd_sub "
)
"""Names of the module itself that are functions of tensors today."""
MODULES = (
    "math",
    "nn",
    "image",
    "linalg",
    "random",
    "strings",
    "signal",
    "sparse",
    "bitwise",
    "raw_ops",
    "io",
    "debugging",
)
"""Modules of functions of tensors."""

SAME = frozenset(_SAME.split())

_OF_MODULES: Mapping[str, str] = {
    "math": (
        "accumulate_n angle betainc conj erfc expm1 igamma igammac is_non_decreasing is_strictly_increasing lbeta "
        "log_sigmoid logical_xor polygamma rint segment_max segment_min segment_prod unsorted_segment_max "
        "unsorted_segment_mean unsorted_segment_min unsorted_segment_prod zeta"
    ),
    "linalg": "cross global_norm qr svd cholesky_solve",
    "io": "decode_base64 encode_base64 parse_tensor serialize_tensor FixedLenSequenceFeature",
    "debugging": "check_numerics",
    "strings": "regex_replace",
    "signal": "fft fft2d fft3d ifft ifft2d ifft3d",
}
"""Module of TensorFlow 2 -> names that stood at the top of TensorFlow 1, and are the same function there."""

_ASSERTED = "{new} | {first} data- summarize{gone} message name"
_OF_PAIRS = "equal none_equal greater greater_equal less less_equal"
_OF_SIGNS = "positive negative non_negative non_positive"

_ROWS: Mapping[str, str] = {
    **{
        f"{module}assert_{name}": _ASSERTED.format(new=f"debugging.assert_{name}", first=first, gone=gone)
        for listed, first, gone in (
            (_OF_PAIRS, "x y*", ""),
            (_OF_SIGNS, "x*", ""),
            ("rank rank_at_least", "x rank*", "-"),
        )
        for name in listed.split()
        for module in ("", "debugging.")
    },
    **{name: f"{module}.{name}" for module, listed in _OF_MODULES.items() for name in listed.split()},
    "lin_space": "linspace",
    "floor_div": "math.floordiv",
    "matrix_set_diag": "linalg.set_diag",
    "matrix_solve_ls": "linalg.lstsq",
    "matrix_triangular_solve": "linalg.triangular_solve",
    "self_adjoint_eig": "linalg.eigh",
    "random_gamma": "random.gamma",
    "string_strip": "strings.strip",
    "string_to_hash_bucket_fast": "strings.to_hash_bucket_fast",
    "tensor_scatter_add": "tensor_scatter_nd_add",
    "tensor_scatter_sub": "tensor_scatter_nd_sub",
    "tensor_scatter_update": "tensor_scatter_nd_update",
    "py_func": "numpy_function | func inp Tout stateful name*",
    "confusion_matrix": "math.confusion_matrix | labels predictions num_classes* dtype name weights",
    "depth_to_space": "nn.depth_to_space | input block_size* name data_format",
    "space_to_depth": "nn.space_to_depth | input block_size* name data_format",
    "cond": "cond | pred true_fn false_fn* strict- name fn1>true_fn fn2>false_fn",
    "log": "math.log",
    "log1p": "math.log1p",
    "erf": "math.erf",
    "lgamma": "math.lgamma",
    "digamma": "math.digamma",
    "rsqrt": "math.rsqrt",
    "reciprocal": "math.reciprocal",
    "ceil": "math.ceil",
    "mod": "math.floormod",
    "floordiv": "math.floordiv",
    "floormod": "math.floormod",
    "div_no_nan": "math.divide_no_nan",
    "real": "math.real",
    "imag": "math.imag",
    "is_nan": "math.is_nan",
    "is_inf": "math.is_inf",
    "is_finite": "math.is_finite",
    "cumprod": "math.cumprod",
    "squared_difference": "math.squared_difference",
    "segment_sum": "math.segment_sum",
    "segment_mean": "math.segment_mean",
    "unsorted_segment_sum": "math.unsorted_segment_sum",
    "invert_permutation": "math.invert_permutation",
    "matrix_inverse": "linalg.inv",
    "matrix_determinant": "linalg.det",
    "matrix_solve": "linalg.solve",
    "cholesky": "linalg.cholesky",
    "trace": "linalg.trace",
    "diag": "linalg.tensor_diag",
    "diag_part": "linalg.tensor_diag_part",
    "matrix_diag": "linalg.diag",
    "matrix_diag_part": "linalg.diag_part",
    "matrix_band_part": "linalg.band_part",
    "matrix_transpose": "linalg.matrix_transpose",
    "random_normal": f"random.normal | {_RANDOM}",
    "random.normal": f"random.normal | {_RANDOM}",
    "random_uniform": "random.uniform | shape minval maxval dtype seed name*",
    "random.uniform": "random.uniform | shape minval maxval dtype seed name*",
    "truncated_normal": f"random.truncated_normal | {_RANDOM}",
    "random.truncated_normal": f"random.truncated_normal | {_RANDOM}",
    "random_shuffle": "random.shuffle | value seed name*",
    "reduce_sum": f"reduce_sum | {_REDUCE}",
    "reduce_mean": f"reduce_mean | {_REDUCE}",
    "reduce_max": f"reduce_max | {_REDUCE}",
    "reduce_min": f"reduce_min | {_REDUCE}",
    "reduce_prod": f"reduce_prod | {_REDUCE}",
    "reduce_all": f"reduce_all | {_REDUCE}",
    "reduce_any": f"reduce_any | {_REDUCE}",
    "reduce_logsumexp": f"reduce_logsumexp | {_REDUCE}",
    "argmax": f"argmax | {_ARG}",
    "argmin": f"argmin | {_ARG}",
    "arg_max": "argmax | input dimension>axis* output_type name",
    "arg_min": "argmin | input dimension>axis* output_type name",
    "expand_dims": "expand_dims | input axis* name dim>axis",
    "squeeze": "squeeze | input axis name* squeeze_dims>axis",
    "gather": "gather | params* indices* validate_indices- name axis batch_dims",
    "cast": "cast | x dtype name*",
    "add": "add | x y name*",
    "constant": "constant | value dtype shape name* verify_shape-",
    "shape": "shape | input* name out_type",
    "transpose": "transpose | a perm* name conjugate",
    "norm": "norm | tensor ord axis* keepdims name keep_dims>keepdims",
    "ones_like": "ones_like | tensor>input dtype* name optimize-",
    "zeros_like": "zeros_like | tensor>input dtype* name optimize-",
    "nn.softmax": "nn.softmax | logits axis name* dim>axis",
    "nn.log_softmax": "nn.log_softmax | logits axis name* dim>axis",
    "nn.l2_normalize": "nn.l2_normalize | x axis epsilon name* dim>axis",
    "nn.moments": "nn.moments | x axes* shift- name keep_dims>keepdims keepdims",
    "nn.softmax_cross_entropy_with_logits": f"nn.softmax_cross_entropy_with_logits | {_CROSS}",
    "nn.softmax_cross_entropy_with_logits_v2": (
        "nn.softmax_cross_entropy_with_logits | labels logits axis name* dim>axis"
    ),
    "nn.sigmoid_cross_entropy_with_logits": "nn.sigmoid_cross_entropy_with_logits | _sentinel- labels logits name",
    "nn.sparse_softmax_cross_entropy_with_logits": (
        "nn.sparse_softmax_cross_entropy_with_logits | _sentinel- labels logits name"
    ),
    "nn.weighted_cross_entropy_with_logits": (
        "nn.weighted_cross_entropy_with_logits | labels logits pos_weight name* targets>labels"
    ),
    "nn.dropout": "nn.dropout | x* keep_prob- noise_shape seed name rate",
    "nn.max_pool": f"nn.max_pool | {_POOL} input",
    "nn.avg_pool": f"nn.avg_pool | {_POOL} input",
    "nn.conv2d": (
        "nn.conv2d | input filter>filters strides padding* use_cudnn_on_gpu- data_format dilations name filters"
    ),
    "nn.embedding_lookup": "nn.embedding_lookup | params ids* partition_strategy- name validate_indices- max_norm",
    "random_crop": "image.random_crop",
    "SparseTensor": "SparseTensor | indices values dense_shape shape>dense_shape",
    "sparse_tensor_dense_matmul": "sparse.sparse_dense_matmul",
    "sparse_tensor_to_dense": "sparse.to_dense",
    "sparse_retain": "sparse.retain",
    "sparse_reorder": "sparse.reorder",
    "sparse_softmax": "sparse.softmax",
    "sparse_reduce_sum": "sparse.reduce_sum | sp_input axis keepdims reduction_axes>axis keep_dims>keepdims",
    "nn.embedding_lookup_sparse": (
        "nn.embedding_lookup_sparse | params sp_ids sp_weights* partition_strategy- name combiner max_norm"
    ),
    "boolean_mask": "boolean_mask | tensor mask* name axis",
    "pad": "pad | tensor paddings mode* name constant_values",
    "size": "size | input* name out_type",
    **{name: name for name in ("foldl", "foldr", "scan", "map_fn", "nn.softplus")},
    "while_loop": (
        "while_loop | cond body loop_vars shape_invariants parallel_iterations back_prop swap_memory* name "
        "maximum_iterations return_same_structure-"
    ),
    **{f"image.ResizeMethod.{way}": f"image.ResizeMethod.{way}" for way in _RESIZED},
    "nn.in_top_k": "math.in_top_k | predictions targets k name",
    "nn.sigmoid": "nn.sigmoid",
    "nn.tanh": "nn.tanh",
    "string_join": "strings.join",
    "as_string": "strings.as_string",
    "read_file": "io.read_file",
    "train.match_filenames_once": "io.matching_files | pattern name",
    "decode_raw": "io.decode_raw | input_bytes out_type* little_endian name bytes>input_bytes",
    "gfile.Exists": "io.gfile.exists",
    "gfile.MakeDirs": "io.gfile.makedirs",
    "gfile.GFile": "io.gfile.GFile",
    "gfile.Open": "io.gfile.GFile",
    "gfile.DeleteRecursively": "io.gfile.rmtree",
    "gfile.Remove": "io.gfile.remove",
    "gfile.Glob": "io.gfile.glob",
    "gfile.ListDirectory": "io.gfile.listdir",
    "gfile.IsDirectory": "io.gfile.isdir",
    "gfile.FastGFile": "io.gfile.GFile",
    "python_io.TFRecordWriter": "io.TFRecordWriter",
    "FixedLenFeature": "io.FixedLenFeature",
    "VarLenFeature": "io.VarLenFeature",
    "parse_single_example": "io.parse_single_example | serialized features* name example_names",
    "parse_example": "io.parse_example | serialized features* name example_names",
    "decode_csv": ("io.decode_csv | records record_defaults field_delim use_quote_delim* name na_value select_cols"),
    "string_to_number": "strings.to_number | string_tensor>input out_type name*",
    "set_random_seed": "random.set_seed",
    "random_normal_initializer": "random_normal_initializer | mean stddev seed* dtype-",
    "random_uniform_initializer": "random_uniform_initializer | minval maxval seed* dtype-",
    "truncated_normal_initializer": "keras.initializers.TruncatedNormal | mean stddev seed* dtype-",
    "constant_initializer": "constant_initializer | value* dtype- verify_shape-",
    "zeros_initializer": "zeros_initializer | dtype-",
    "ones_initializer": "ones_initializer | dtype-",
    "glorot_uniform_initializer": "keras.initializers.GlorotUniform | seed* dtype-",
    "glorot_normal_initializer": "keras.initializers.GlorotNormal | seed* dtype-",
    "orthogonal_initializer": "keras.initializers.Orthogonal | gain seed* dtype-",
    "device": "device",
    "contrib.layers.xavier_initializer": "keras.initializers.GlorotUniform | uniform- seed dtype-",
    "Variable": (
        "Variable | initial_value trainable* collections- validate_shape caching_device name variable_def- dtype "
        "expected_shape-"
    ),
    "multinomial": "random.categorical | logits num_samples* seed name- output_dtype>dtype",
    "keras.datasets.mnist.load_data": "keras.datasets.mnist.load_data",
    "keras.datasets.fashion_mnist.load_data": "keras.datasets.fashion_mnist.load_data",
    "keras.datasets.cifar10.load_data": "keras.datasets.cifar10.load_data",
    "keras.datasets.cifar100.load_data": "keras.datasets.cifar100.load_data",
    "keras.utils.get_file": (
        "keras.utils.get_file | fname origin* untar- md5_hash- file_hash cache_subdir hash_algorithm extract- "
        "archive_format- cache_dir"
    ),
    "to_float": "cast",
    "to_int32": "cast",
    "to_int64": "cast",
    "to_double": "cast",
    "name_scope": "name_scope | name* default_name- values-",
}


DEFAULTS: Mapping[str, Mapping[str, str]] = {
    "random_normal_initializer": {"stddev": "1.0"},
    "truncated_normal_initializer": {"stddev": "1.0"},
    "random_uniform_initializer": {"minval": "0.0", "maxval": "1.0"},
}
"""Name -> the parameters that have another default in TensorFlow 2, and the one of 1.15.5 (`init_ops.py`)."""

_DATASETS = (
    "Dataset.from_tensor_slices Dataset.from_tensors Dataset.from_generator Dataset.range Dataset.zip "
    "Dataset.list_files TextLineDataset TFRecordDataset FixedLengthRecordDataset"
)
DATASETS = {f"data.{name}": f"data.{name}" for name in _DATASETS.split()}
"""Names of TensorFlow 1 that make datasets."""
_ALL = {**_ROWS, **DATASETS}


@dataclass(frozen=True)
class Counterpart:
    """The function of TensorFlow 2 for one of TensorFlow 1.

    Attributes:
        name: Its name, below `tensorflow`.
        parameters: (old name, new name or None if it is gone), in the old order; empty if nothing changed.
        same: How many first parameters have their old position.
    """

    name: str
    parameters: tuple[tuple[str, str | None], ...]
    same: int

    @property
    def keeps_positions(self) -> bool:
        """Whether every parameter that is left has its old position, so that the function can be passed on.

        A call with the old name of a parameter fails in TensorFlow 2; it computes nothing else.
        """
        return all(new not in (old, None) for old, new in self.parameters[self.same :])


def counterpart(name: str) -> Counterpart | None:
    """Returns the function of TensorFlow 2 for a name of TensorFlow 1, without `tensorflow.`; None if there is none."""
    row = _ALL.get(name)
    if row is None:
        return None
    new, _, listed = row.partition(" | ")
    words = listed.split()
    ends = [number for number, word in enumerate(words, 1) if word.endswith("*")]
    return Counterpart(new, tuple(_parameter(word.rstrip("*")) for word in words), ends[-1] if ends else 0)


def _parameter(word: str) -> tuple[str, str | None]:
    old, _, new = word.partition(">")
    return (old[:-1], None) if word.endswith("-") else (old, new or old)

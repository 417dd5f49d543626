"""The messages of TensorFlow's graph and checkpoint files, to read the files without TensorFlow.

Fields, numbers and types are those of tensorflow/core/framework/{graph,node_def,attr_value,tensor,tensor_shape,types,
tensor_slice,versions,function,op_def,variable}.proto, core/protobuf/{meta_graph,saved_model,saved_object_graph,saver,
tensor_bundle,trackable_object_graph}.proto and core/util/{event,saved_tensor_slice}.proto; a field that is not listed
is kept when a message is written again. In 0.12 to 1.15 the numbers were the same, save that the functions of 0.12 have
a `node` of their own (see graphs/old_functions).
"""

from __future__ import annotations

import functools
import re
from typing import Any

from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, message_factory

_PACKAGE = "tensorflow"
_FLOATS = "FLOAT8_E5M2 FLOAT8_E4M3FN FLOAT8_E4M3FNUZ FLOAT8_E4M3B11FNUZ FLOAT8_E5M2FNUZ"
_TYPES = (
    "INVALID FLOAT DOUBLE INT32 UINT8 INT16 INT8 STRING COMPLEX64 INT64 BOOL QINT8 QUINT8 QINT32 BFLOAT16 QINT16 "
    f"QUINT16 UINT16 COMPLEX128 HALF RESOURCE VARIANT UINT32 UINT64 {_FLOATS} INT4 UINT4"
).split()
_REF = 100
"""A reference type has the number of the type of its value plus this (types.proto)."""

_BYTES = {"int8": 1, "uint8": 1, "bool": 1, "qint8": 1, "quint8": 1, "complex128": 16}
_BYTES |= dict.fromkeys(("int16", "uint16", "float16", "bfloat16", "qint16", "quint16"), 2)
_BYTES |= dict.fromkeys(("int32", "uint32", "float32", "qint32"), 4)
_BYTES |= dict.fromkeys(("int64", "uint64", "float64", "complex64"), 8)

_ENUMS = {
    "DataType": {f"DT_{name}": number for number, name in enumerate(_TYPES)}
    | {f"DT_{name}_REF": number + _REF for number, name in enumerate(_TYPES) if number},
    "SaverDef.CheckpointFormatVersion": {"LEGACY": 0, "V1": 1, "V2": 2},
    "BundleHeaderProto.Endianness": {"LITTLE": 0, "BIG": 1},
}

_MESSAGES = {
    "GraphDef": "node:NodeDef*=1 versions:VersionDef=4 version:int32=3 library:FunctionDefLibrary=2",
    "NodeDef": "name:string=1 op:string=2 input:string*=3 device:string=4 attr:map<AttrValue>=5",
    "AttrValue": "s:bytes=2@value i:int64=3@value f:float=4@value b:bool=5@value type:DataType=6@value "
    "shape:TensorShapeProto=7@value tensor:TensorProto=8@value list:AttrValue.ListValue=1@value "
    "func:NameAttrList=10@value placeholder:string=9@value",
    "AttrValue.ListValue": "s:bytes*=2 i:int64*=3 f:float*=4 b:bool*=5 type:DataType*=6 shape:TensorShapeProto*=7 "
    "tensor:TensorProto*=8 func:NameAttrList*=9",
    "NameAttrList": "name:string=1 attr:map<AttrValue>=2",
    "TensorShapeProto": "dim:TensorShapeProto.Dim*=2 unknown_rank:bool=3",
    "TensorShapeProto.Dim": "size:int64=1 name:string=2",
    "TensorProto": "dtype:DataType=1 tensor_shape:TensorShapeProto=2 version_number:int32=3 tensor_content:bytes=4 "
    "half_val:int32*=13 float_val:float*=5 double_val:double*=6 int_val:int32*=7 string_val:bytes*=8 "
    "scomplex_val:float*=9 int64_val:int64*=10 bool_val:bool*=11 dcomplex_val:double*=12 uint32_val:uint32*=16 "
    "uint64_val:uint64*=17",
    "VersionDef": "producer:int32=1 min_consumer:int32=2 bad_consumers:int32*=3",
    "FunctionDefLibrary": "function:FunctionDef*=1 gradient:GradientDef*=2",
    "FunctionDef": "signature:OpDef=1 attr:map<AttrValue>=5 arg_attr:map<FunctionDef.ArgAttrs>=7 node_def:NodeDef*=3 "
    "ret:map<string>=4 control_ret:map<string>=6 node:FunctionDef.Node*=2",
    "FunctionDef.Node": "ret:string*=1 op:string=2 arg:string*=3 dep:string*=4 attr:map<AttrValue>=5",
    "FunctionDef.ArgAttrs": "attr:map<AttrValue>=1",
    "GradientDef": "function_name:string=1 gradient_func:string=2",
    "OpDef": "name:string=1 input_arg:OpDef.ArgDef*=2 output_arg:OpDef.ArgDef*=3 attr:OpDef.AttrDef*=4 "
    "deprecation:OpDeprecation=8 summary:string=5 description:string=6 is_commutative:bool=18 is_aggregate:bool=16 "
    "is_stateful:bool=17 allows_uninitialized_input:bool=19",
    "OpDef.ArgDef": "name:string=1 description:string=2 type:DataType=3 type_attr:string=4 number_attr:string=5 "
    "type_list_attr:string=6 is_ref:bool=16",
    "OpDef.AttrDef": "name:string=1 type:string=2 default_value:AttrValue=3 description:string=4 has_minimum:bool=5 "
    "minimum:int64=6 allowed_values:AttrValue=7",
    "OpDeprecation": "version:int32=1 explanation:string=2",
    "OpList": "op:OpDef*=1",
    "MetaGraphDef": "meta_info_def:MetaGraphDef.MetaInfoDef=1 graph_def:GraphDef=2 saver_def:SaverDef=3 "
    "collection_def:map<CollectionDef>=4 signature_def:map<SignatureDef>=5 asset_file_def:AssetFileDef*=6 "
    "object_graph_def:SavedObjectGraph=7",
    "SavedObjectGraph": "nodes:SavedObject*=1",
    "SavedObject": "variable:SavedVariable=7@kind",
    "SavedVariable": "trainable:bool=3 name:string=6",
    "MetaGraphDef.MetaInfoDef": "meta_graph_version:string=1 stripped_op_list:OpList=2 tags:string*=4 "
    "tensorflow_version:string=5 tensorflow_git_version:string=6 stripped_default_attrs:bool=7",
    "SaverDef": "filename_tensor_name:string=1 save_tensor_name:string=2 restore_op_name:string=3 max_to_keep:int32=4 "
    "sharded:bool=5 keep_checkpoint_every_n_hours:float=6 version:SaverDef.CheckpointFormatVersion=7",
    "CollectionDef": "node_list:CollectionDef.NodeList=1@kind bytes_list:CollectionDef.BytesList=2@kind "
    "int64_list:CollectionDef.Int64List=3@kind float_list:CollectionDef.FloatList=4@kind "
    "any_list:CollectionDef.AnyList=5@kind",
    "CollectionDef.AnyList": "value:google.protobuf.Any*=1",
    "CollectionDef.NodeList": "value:string*=1",
    "CollectionDef.BytesList": "value:bytes*=1",
    "CollectionDef.Int64List": "value:int64*=1",
    "CollectionDef.FloatList": "value:float*=1",
    "SignatureDef": "inputs:map<TensorInfo>=1 outputs:map<TensorInfo>=2 method_name:string=3",
    "TensorInfo": "name:string=1@encoding coo_sparse:TensorInfo.CooSparse=4@encoding dtype:DataType=2 "
    "tensor_shape:TensorShapeProto=3",
    "TensorInfo.CooSparse": "values_tensor_name:string=1 indices_tensor_name:string=2 dense_shape_tensor_name:string=3",
    "AssetFileDef": "tensor_info:TensorInfo=1 filename:string=2",
    "SavedModel": "saved_model_schema_version:int64=1 meta_graphs:MetaGraphDef*=2",
    "Event": "wall_time:double=1 step:int64=2 file_version:string=3@what graph_def:bytes=4@what "
    "meta_graph_def:bytes=9@what",
    "ModuleAttachment": "key:string=1 value:bytes=2",
    "VariableDef": "variable_name:string=1 initial_value_name:string=6 initializer_name:string=2 "
    "snapshot_name:string=3 is_resource:bool=5 trainable:bool=7",
    "TensorSliceProto": "extent:TensorSliceProto.Extent*=1",
    "TensorSliceProto.Extent": "start:int64=1 length:int64=2@has_length_hack",
    "BundleHeaderProto": "num_shards:int32=1 endianness:BundleHeaderProto.Endianness=2 version:VersionDef=3",
    "BundleEntryProto": "dtype:DataType=1 shape:TensorShapeProto=2 shard_id:int32=3 offset:int64=4 size:int64=5 "
    "crc32c:fixed32=6 slices:TensorSliceProto*=7",
    "SavedTensorSlices": "meta:SavedTensorSliceMeta=1 data:SavedSlice=2",
    "SavedTensorSliceMeta": "tensor:SavedSliceMeta*=1 versions:VersionDef=2",
    "SavedSliceMeta": "name:string=1 shape:TensorShapeProto=2 type:DataType=3 slice:TensorSliceProto*=4",
    "SavedSlice": "name:string=1 slice:TensorSliceProto=2 data:TensorProto=3",
    "TrackableObjectGraph": "nodes:TrackableObjectGraph.TrackableObject*=1",
    "TrackableObjectGraph.TrackableObject": "children:TrackableObjectGraph.TrackableObject.ObjectReference*=1 "
    "attributes:TrackableObjectGraph.TrackableObject.SerializedTensor*=2 "
    "slot_variables:TrackableObjectGraph.TrackableObject.SlotVariableReference*=3",
    "TrackableObjectGraph.TrackableObject.ObjectReference": "node_id:int32=1 local_name:string=2",
    "TrackableObjectGraph.TrackableObject.SerializedTensor": "name:string=1 full_name:string=2 checkpoint_key:string=3",
    "TrackableObjectGraph.TrackableObject.SlotVariableReference": "original_variable_node_id:int32=1 "
    "slot_name:string=2 slot_variable_node_id:int32=3",
}
"""Message -> its fields, "name:type=number"; "*" one that repeats, "@" the group of which only one is there."""

_FIELD = re.compile(r"(?P<name>\w+):(?P<map>map<)?(?P<type>[\w.]+)>?(?P<many>\*?)=(?P<number>\d+)(@(?P<group>\w+))?")
_SCALARS = {
    name: getattr(descriptor_pb2.FieldDescriptorProto, f"TYPE_{name.upper()}")
    for name in ("double", "float", "int64", "uint64", "int32", "uint32", "fixed32", "bool", "string", "bytes")
}


@functools.cache
def own(name: str) -> Any:
    """Returns the class of a message by its name, such as "NodeDef", without importing TensorFlow."""
    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"{_PACKAGE}.{name}"))


@functools.lru_cache(maxsize=256)  # a file may state any number
def type_name(number: int) -> str:
    """Returns the name of a DataType, such as "float32". References have that of their value; others are "unknown"."""
    names = {"FLOAT": "float32", "DOUBLE": "float64", "HALF": "float16", "INVALID": "unknown"}
    value = number % _REF
    return names.get(_TYPES[value], _TYPES[value].lower()) if value < len(_TYPES) else "unknown"


def type_number(name: str) -> int:
    """Returns the number of a DataType by its name, such as "float32". Raises KeyError for an unknown name."""
    return _numbers()[name]


def type_bytes(number: int) -> int | None:
    """Returns the size of an element of a DataType, or None if it is not fixed, as for strings."""
    return _BYTES.get(type_name(number))


@functools.cache
def _numbers() -> dict[str, int]:
    return {type_name(number): number for number in range(1, len(_TYPES))}


@functools.cache
def _pool() -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="graph_files.proto", package=_PACKAGE, syntax="proto3")
    made: dict[str, Any] = {}
    for name, values in _ENUMS.items():
        parent, _, last = name.rpartition(".")
        enum = (made.setdefault(parent, file.message_type.add(name=parent)) if parent else file).enum_type.add(
            name=last
        )
        for value, number in values.items():
            enum.value.add(name=value, number=number)
    for name in sorted(_MESSAGES, key=lambda each: each.count(".")):
        parent, _, last = name.rpartition(".")
        if name not in made:
            made[name] = made[parent].nested_type.add(name=last) if parent else file.message_type.add(name=last)
    for name, fields in _MESSAGES.items():
        for text in fields.split():
            _add_field(made[name], name, _FIELD.fullmatch(text))
    pool = descriptor_pool.DescriptorPool()  # of its own: TensorFlow declares the same messages in the common one
    file.dependency.append(any_pb2.DESCRIPTOR.name)
    pool.AddSerializedFile(any_pb2.DESCRIPTOR.serialized_pb)
    pool.AddSerializedFile(file.SerializeToString())
    return pool


def _add_field(message: Any, owner: str, row: Any) -> None:
    field = message.field.add(name=row["name"], number=int(row["number"]))
    field.label = field.LABEL_REPEATED if row["many"] or row["map"] else field.LABEL_OPTIONAL
    if row["map"]:
        entry = message.nested_type.add(name="".join(map(str.title, row["name"].split("_"))) + "Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, label=field.LABEL_OPTIONAL, type=field.TYPE_STRING)
        _typed(entry.field.add(name="value", number=2, label=field.LABEL_OPTIONAL), row["type"])
        field.type, field.type_name = field.TYPE_MESSAGE, f".{_PACKAGE}.{owner}.{entry.name}"
        return
    _typed(field, row["type"])
    if row["group"]:
        groups = [oneof.name for oneof in message.oneof_decl]
        if row["group"] not in groups:
            message.oneof_decl.add(name=row["group"])
        field.oneof_index = len(groups) if row["group"] not in groups else groups.index(row["group"])


def _typed(field: Any, kind: str) -> None:
    if kind in _SCALARS:
        field.type = _SCALARS[kind]
        return
    field.type = field.TYPE_ENUM if kind in _ENUMS else field.TYPE_MESSAGE
    field.type_name = f".{kind}" if kind == any_pb2.Any.DESCRIPTOR.full_name else f".{_PACKAGE}.{kind}"

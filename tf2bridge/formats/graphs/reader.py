"""Reads graph files of TensorFlow 0.12 to 1.15. The content of a file decides its format, not its name."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from tf2bridge import regular_files
from tf2bridge.errors import NoSuchFileError
from tf2bridge.formats import messages, sidecars
from tf2bridge.formats.graphs import sanity
from tf2bridge.formats.graphs.event_reader import graph_bytes
from tf2bridge.formats.graphs.failures import sound
from tf2bridge.formats.graphs.legacy import TRAINABLE, LegacyGraph, Signature
from tf2bridge.formats.graphs.nodes import HANDLES, endpoint
from tf2bridge.formats.graphs.parsing import OWN, MessageClasses, parsed
from tf2bridge.formats.graphs.refusals import DamagedGraphError, NoGraphError, TagsError
from tf2bridge.formats.kinds import Kind, is_table, kind_of, other_kind

_ASSETS = "saved_model_assets"
_OWN = "__saved_model_"
"""The prefix of signatures that TensorFlow uses for initialization and training (saved_model/signature_def_utils)."""

_ATTACHMENTS = "hub_module_attachments"
_LARGEST = 2 << 30
"""The limit in bytes of a message that protobuf reads."""


def read(path: str | Path, tags: Collection[str] | None = None, classes: MessageClasses = OWN) -> LegacyGraph:
    """Returns the graph in a file or directory.

    It reads a GraphDef, MetaGraphDef or SavedModel in binary or text form, a hub.Module, an event file, a checkpoint
    with its `.meta`, or a directory that holds one of these.

    Args:
        path: the file or directory.
        tags: the tags of the graph in a SavedModel.
        classes: the message classes to parse into. The default classes need no TensorFlow; `graph.read_runnable` has
            TensorFlow's own, which running a graph needs.

    Raises:
        NoSuchFileError: the path does not exist.
        NoGraphError: the file holds no graph.
        DamagedGraphError: the file is damaged.
        TagsError: no graph of the SavedModel has these tags, or several have.
    """
    path = Path(path)
    if path.is_dir():
        return _from_directory(path, tags, classes)
    meta = Path(f"{path}.meta")
    if meta.is_file() and (not path.is_file() or is_table(path)):
        return read(meta, tags, classes)
    if not path.is_file() and Path(f"{path}.index").is_file():
        raise NoGraphError(path, "a checkpoint without its .meta")
    regular_files.require(path)
    if not path.is_file():
        raise NoSuchFileError(path, "graph, directory or checkpoint")
    if path.suffix == ".index" and path.with_suffix(".meta").is_file():
        return read(path.with_suffix(".meta"), tags, classes)
    return _from_bytes(path, regular_files.content_of(path, _LARGEST), tags, classes)


def _from_directory(path: Path, tags: Collection[str] | None, classes: MessageClasses) -> LegacyGraph:
    if (graph_path := graph_in(path)) is None:
        raise NoGraphError(path)
    return read(graph_path, tags, classes)


def graph_in(path: Path) -> Path | None:
    """Returns the file of a directory that `read` takes the graph from, or None."""
    for name in ("saved_model.pb", "saved_model.pbtxt"):
        if (path / name).is_file():
            return path / name
    state = path / "checkpoint"
    if state.is_file():
        content = regular_files.content_of(state, regular_files.SMALL).decode(errors="replace")
        newest = re.search(r'^model_checkpoint_path: "(.*)"', content, re.M)
        if newest and (meta := path / f"{Path(newest[1]).name}.meta").is_file():
            return meta
    for pattern in ("*.meta", "graph.pbtxt", "*.pb", "*.pbtxt", "events.out.tfevents.*"):
        files = (file for file in path.glob(pattern) if file.is_file())
        newest_files = sorted(files, key=lambda file: file.stat().st_mtime)
        if newest_files:
            return newest_files[-1]
    return None


def _from_bytes(path: Path, content: bytes, tags: Collection[str] | None, classes: MessageClasses) -> LegacyGraph:
    sidecars.verify(path, content)
    if not content or content.isspace():
        raise DamagedGraphError(path, "it is empty")
    kind = kind_of(content)
    if kind is None:
        raise NoGraphError(path, other_kind(content))
    if kind is Kind.EVENTS:
        return LegacyGraph(path, kind, parsed(path, "GraphDef", graph_bytes(path, content), classes))
    if kind is Kind.SAVED_MODEL:
        return _of_saved_model(path, parsed(path, "SavedModel", content, classes), tags)
    if kind is Kind.METAGRAPH:
        return _of_metagraph(path, kind, parsed(path, "MetaGraphDef", content, classes))
    graph_def = parsed(path, "GraphDef", content, classes)
    if not graph_def.node:
        raise NoGraphError(path)
    return LegacyGraph(path, kind, graph_def)


def _of_saved_model(path: Path, model: Any, tags: Collection[str] | None) -> LegacyGraph:
    graphs = list(model.meta_graphs)
    fitting = graphs if tags is None else [meta for meta in graphs if set(meta.meta_info_def.tags) == set(tags)]
    kind = Kind.HUB if (path.parent / "tfhub_module.pb").is_file() else Kind.SAVED_MODEL
    if tags is None and len(fitting) > 1:
        default_tags = (
            {"serve"} if kind is Kind.SAVED_MODEL else set()
        )  # hub.Module's own default: the graph without tags
        fitting = [meta for meta in graphs if _serves(set(meta.meta_info_def.tags), default_tags)] or fitting
    if len(fitting) != 1:
        raise TagsError(path, [list(meta.meta_info_def.tags) for meta in graphs], tags)
    return _of_metagraph(path, kind, fitting[0])


def _of_metagraph(path: Path, kind: Kind, meta: Message | Any) -> LegacyGraph:
    _add_trainable(meta)
    graph = LegacyGraph(
        path=path,
        kind=kind,
        graph_def=meta.graph_def,
        collections=dict(meta.collection_def),
        signatures={
            name: _signature(signature)
            for name, signature in meta.signature_def.items()
            if signature.outputs and not name.startswith(_OWN)
        },
        checkpoint=_checkpoint(path, kind),
        assets=_assets(path, meta),
        attachments=_attachments(meta),
        release=meta.meta_info_def.tensorflow_version,
        tags=tuple(meta.meta_info_def.tags),
    )
    with sound(path, graph.graph_def):
        sanity.check_signatures(path, graph.graph_def, graph.signatures)
    return graph


def _add_trainable(meta: Any) -> None:
    """Adds the collection of trainable variables to a SavedModel of `tf.saved_model.save`, from its objects.

    Several objects may have one name. The graph numbers their nodes in the order of the objects.
    """
    variables = [variable.variable for variable in meta.object_graph_def.nodes if variable.HasField("variable")]
    nodes = [node.name for node in meta.graph_def.node if node.op in HANDLES]
    named = dict(zip(nodes, variables, strict=False))
    if len(nodes) != len(variables) or any(not name.startswith(object_.name) for name, object_ in named.items()):
        named = {variable.name: variable for variable in variables}
    names = [f"{name}:0" for name, variable in named.items() if variable.trainable and name]
    if names and TRAINABLE not in meta.collection_def:
        meta.collection_def[TRAINABLE].node_list.value.extend(names)


def _serves(tags: set[str], default_tags: set[str]) -> bool:
    return default_tags <= tags if default_tags else not tags


def _assets(path: Path, meta: Any) -> dict[str, Path]:
    """Returns endpoint of the tensor that holds a file name -> the file in `assets`.

    A name that leads out of `assets` is left out.
    """
    stored = list(meta.asset_file_def)
    if _ASSETS in meta.collection_def:
        stored_assets = meta.collection_def[_ASSETS].any_list.value
        stored += [messages.own("AssetFileDef").FromString(asset.value) for asset in stored_assets]
    folder = Path(os.path.normpath(path.parent / "assets"))
    files = {endpoint(asset.tensor_info.name): folder / asset.filename for asset in stored}
    return {name: file for name, file in files.items() if Path(os.path.normpath(file)).is_relative_to(folder)}


def _attachments(meta: Any) -> dict[str, bytes]:
    stored = meta.collection_def[_ATTACHMENTS].bytes_list.value if _ATTACHMENTS in meta.collection_def else ()
    attachments = [messages.own("ModuleAttachment").FromString(attachment) for attachment in stored]
    return {attachment.key: attachment.value for attachment in attachments}


def _signature(signature: Any) -> Signature:
    return Signature(
        {name: info.name for name, info in sorted(signature.inputs.items()) if info.name},
        {name: info.name for name, info in sorted(signature.outputs.items()) if info.name},
        signature.method_name,
        {info.name: info for info in (*signature.inputs.values(), *signature.outputs.values())},
    )


def _checkpoint(path: Path, kind: Kind) -> Path | None:
    prefix = path.with_suffix("") if kind is Kind.METAGRAPH else path.parent / "variables" / "variables"
    return prefix if prefix.is_file() or Path(f"{prefix}.index").is_file() else None

"""Files of TensorFlow 0.12 to 1.15 that hold a graph, told by what is in them, not by their names."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from google.protobuf import text_format
from google.protobuf.message import DecodeError, Message

from tf2bridge import regular_files
from tf2bridge.errors import NoSuchFileError
from tf2bridge.formats import messages, sidecars
from tf2bridge.formats.graphs.legacy import TRAINABLE, LegacyGraph, Signature
from tf2bridge.formats.graphs.nodes import endpoint
from tf2bridge.formats.kinds import Kind, first_field, is_table, kind_of, other_kind
from tf2bridge.graph import circles, sanity
from tf2bridge.graph.event_files import graph_bytes
from tf2bridge.graph.old_functions import listed, modernised, old_functions
from tf2bridge.graph.refusals import DamagedGraphError, NoGraphError, TagsError, sound

_ASSETS = "saved_model_assets"
_OWN = "__saved_model_"
"""Signatures that TensorFlow keeps its operations to initialize and to train in (saved_model/signature_def_utils)."""

_ATTACHMENTS = "hub_module_attachments"
_MOST_GRAPHS = 1000
"""In a SavedModel, which has one for each set of tags."""
_LARGEST = 2 << 30
"""Bytes of a message: protobuf reads no larger one."""


def read(
    path: str | Path, tags: Collection[str] | None = None, message: messages.Lookup = messages.tensorflows
) -> LegacyGraph:
    """Returns the graph in a file or directory: a GraphDef, MetaGraphDef or SavedModel, as bytes or as text, a
    hub.Module, an event file, a checkpoint with its `.meta`, or a directory that holds one of these.

    `tags` chooses among the graphs of a SavedModel. `message` gives the classes: TensorFlow's own, to run the graph, or
    `messages.own`, to look at it. Raises NoSuchFileError, NoGraphError where there is none, DamagedGraphError where it
    cannot be read, TagsError where several or none fit.
    """
    path = Path(path)
    if path.is_dir():
        return _from_directory(path, tags, message)
    meta = Path(f"{path}.meta")
    if meta.is_file() and (not path.is_file() or is_table(path)):
        return read(meta, tags, message)
    if not path.is_file() and Path(f"{path}.index").is_file():
        raise NoGraphError(path, "a checkpoint without its .meta")
    regular_files.require(path)
    if not path.is_file():
        raise NoSuchFileError(path, "graph, directory or checkpoint")
    if path.suffix == ".index" and path.with_suffix(".meta").is_file():
        return read(path.with_suffix(".meta"), tags, message)
    return _from_bytes(path, regular_files.content_of(path, _LARGEST), tags, message)


def _from_directory(path: Path, tags: Collection[str] | None, message: messages.Lookup) -> LegacyGraph:
    if (found := graph_in(path)) is None:
        raise NoGraphError(path)
    return read(found, tags, message)


def graph_in(path: Path) -> Path | None:
    """The file of a directory that `read` takes the graph from, None where it has none."""
    for name in ("saved_model.pb", "saved_model.pbtxt"):
        if (path / name).is_file():
            return path / name
    state = path / "checkpoint"
    if state.is_file():
        held = regular_files.content_of(state, regular_files.SMALL).decode(errors="replace")
        newest = re.search(r'^model_checkpoint_path: "(.*)"', held, re.M)
        if newest and (meta := path / f"{Path(newest[1]).name}.meta").is_file():
            return meta
    for pattern in ("*.meta", "graph.pbtxt", "*.pb", "*.pbtxt", "events.out.tfevents.*"):
        files = (each for each in path.glob(pattern) if each.is_file())
        found = sorted(files, key=lambda each: each.stat().st_mtime)
        if found:
            return found[-1]
    return None


def _from_bytes(path: Path, content: bytes, tags: Collection[str] | None, message: messages.Lookup) -> LegacyGraph:
    sidecars.verify(path, content)
    if not content or content.isspace():
        raise DamagedGraphError(path, "it is empty")
    kind = kind_of(content)
    if kind is None:
        raise NoGraphError(path, other_kind(content))
    if kind is Kind.EVENTS:
        return LegacyGraph(path, kind, _parsed(path, message("GraphDef")(), graph_bytes(path, content)))
    if kind is Kind.SAVED_MODEL:
        return _of_saved_model(path, _parsed(path, message("SavedModel")(), content), tags)
    if kind is Kind.METAGRAPH:
        return _of_metagraph(path, kind, _parsed(path, message("MetaGraphDef")(), content))
    graph_def = _parsed(path, message("GraphDef")(), content)
    if not graph_def.node:
        raise NoGraphError(path)
    return LegacyGraph(path, kind, graph_def)


def _parsed(path: Path, message: Any, content: bytes) -> Any:
    """The message, functions of 0.12 in today's form: whole in TensorFlow's classes, else just their operations."""
    parsed = _merged(path, message, content)
    is_own = isinstance(message, messages.own(message.DESCRIPTOR.name))
    if sum(1 for _ in islice(_graphs(parsed), _MOST_GRAPHS + 1)) > _MOST_GRAPHS:
        raise DamagedGraphError(path, f"it holds more than {_MOST_GRAPHS} graphs")
    has_old = [not is_own and _has_old_functions(parsed, graph_def) for graph_def in _graphs(parsed)]
    if not is_own and not any(has_old) and not first_field(content):  # in a text they are an error already
        sanity.check_fields(path, parsed, content, _graphs)
    for graph_def, is_old in zip(_graphs(parsed), has_old, strict=True):
        if not sanity.check(path, graph_def):
            raise NoGraphError(path)
        if not is_own:
            circles.check(path, graph_def)
        if is_own:
            listed(graph_def)
        elif is_old:
            own = _merged(path, messages.own(message.DESCRIPTOR.name)(), content)
            with sound(path):
                modernised(graph_def, old_functions(next(_graphs(own))))
    return parsed


def _graphs(message: Any) -> Iterator[Any]:
    """The graphs in a message: itself, that of a metagraph, or those of a SavedModel."""
    if message.DESCRIPTOR.name == "GraphDef":
        yield message
    elif message.DESCRIPTOR.name == "MetaGraphDef":
        yield message.graph_def
    else:
        yield from (each.graph_def for each in message.meta_graphs)


def _has_old_functions(message: Any, graph_def: Any) -> bool:
    """Whether some functions are of 0.12, which wrote no SavedModels; TensorFlow's classes do not know their nodes."""
    is_old = any(not each.node_def and not each.ret for each in graph_def.library.function)
    return is_old and message.DESCRIPTOR.name != "SavedModel"


def _merged(path: Path, message: Any, content: bytes) -> Any:
    try:
        if first_field(content):
            _merge_text(message, content.decode())
        else:
            message.ParseFromString(content)
    except (DecodeError, text_format.ParseError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedGraphError(path, str(error).splitlines()[0]) from error
    return message


def _merge_text(message: Any, text: str) -> None:
    """Parses a text. A field that TensorFlow's classes do not know is an error: what it says would be passed over."""
    pool = message.DESCRIPTOR.file.pool
    is_own = isinstance(message, messages.own(message.DESCRIPTOR.name))
    try:
        text_format.Parse(text, message, allow_unknown_field=is_own, descriptor_pool=pool)
    except text_format.ParseError:
        message.Clear()
        text_format.Parse(text, message, allow_unknown_field=True, descriptor_pool=pool)
        if is_own or not any(_has_old_functions(message, each) for each in _graphs(message)):
            raise


def _of_saved_model(path: Path, model: Any, tags: Collection[str] | None) -> LegacyGraph:
    graphs = list(model.meta_graphs)
    fitting = graphs if tags is None else [each for each in graphs if set(each.meta_info_def.tags) == set(tags)]
    kind = Kind.HUB if (path.parent / "tfhub_module.pb").is_file() else Kind.SAVED_MODEL
    if tags is None and len(fitting) > 1:
        usual = {"serve"} if kind is Kind.SAVED_MODEL else set()  # hub.Module's own default: the graph without tags
        fitting = [each for each in graphs if _serves(set(each.meta_info_def.tags), usual)] or fitting
    if len(fitting) != 1:
        raise TagsError(path, [list(each.meta_info_def.tags) for each in graphs], tags)
    return _of_metagraph(path, kind, fitting[0])


def _of_metagraph(path: Path, kind: Kind, meta: Message | Any) -> LegacyGraph:
    _add_trainable(meta)
    graph = LegacyGraph(
        path=path,
        kind=kind,
        graph_def=meta.graph_def,
        collections=dict(meta.collection_def),
        signatures={
            name: _signature(each)
            for name, each in meta.signature_def.items()
            if each.outputs and not name.startswith(_OWN)
        },
        checkpoint=_checkpoint(path, kind),
        assets=_assets(path, meta),
        attachments=_attachments(meta),
        release=meta.meta_info_def.tensorflow_version,
        tags=tuple(meta.meta_info_def.tags),
    )
    with sound(path):
        sanity.check_signatures(path, graph.graph_def, graph.signatures)
    return graph


def _add_trainable(meta: Any) -> None:
    """Say by a collection what the objects of a SavedModel of `tf.saved_model.save` say, which has no collections."""
    variables = [each.variable for each in meta.object_graph_def.nodes if each.HasField("variable")]
    names = [f"{each.name}:0" for each in variables if each.trainable and each.name]
    if names and TRAINABLE not in meta.collection_def:
        meta.collection_def[TRAINABLE].node_list.value.extend(names)


def _serves(tags: set[str], usual: set[str]) -> bool:
    return usual <= tags if usual else not tags


def _assets(path: Path, meta: Any) -> dict[str, Path]:
    """Endpoint of a file name's tensor -> the file in `assets`; a name that leads elsewhere is none of its assets."""
    stored = list(meta.asset_file_def)
    if _ASSETS in meta.collection_def:
        held = meta.collection_def[_ASSETS].any_list.value
        stored += [messages.own("AssetFileDef").FromString(each.value) for each in held]
    folder = Path(os.path.normpath(path.parent / "assets"))
    found = {endpoint(each.tensor_info.name): folder / each.filename for each in stored}
    return {name: file for name, file in found.items() if Path(os.path.normpath(file)).is_relative_to(folder)}


def _attachments(meta: Any) -> dict[str, bytes]:
    held = meta.collection_def[_ATTACHMENTS].bytes_list.value if _ATTACHMENTS in meta.collection_def else ()
    attachments = [messages.own("ModuleAttachment").FromString(each) for each in held]
    return {each.key: each.value for each in attachments}


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

"""Queues of files and rows become datasets: readers, `tf.train.batch`, and the threads that filled them.

`string_input_producer` hands out files, epoch by epoch, and a reader their records: that is a dataset of files, read by
another one. What stands between the reader and `tf.train.batch` becomes the function that the dataset maps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from codemods import scopes
from codemods.names import Names
from codemods.native.coordinators import without_threads
from codemods.native.edited_lines import EditedLines
from codemods.native.kinds import v1_name
from codemods.native.one_by_one import Lines, one_by_one
from codemods.native.places import named_arguments
from codemods.tree import walk

_WHOLE = "WholeFileReader"
_READERS = {
    "TextLineReader": "TextLineDataset",
    "TFRecordReader": "TFRecordDataset",
    "FixedLengthRecordReader": "FixedLengthRecordDataset",
    _WHOLE: "",
}
"""Reader -> the dataset that reads a file as it does; one of whole files has none."""
_FILES = ("string_tensor", "num_epochs", "shuffle", "seed", "capacity", "shared_name", "name", "cancel_op")
_ROWS = ("tensor_list", *_FILES[1:7])
_BATCH = (
    "tensors", "batch_size", "num_threads", "capacity", "enqueue_many", "shapes", "dynamic_pad",
    "allow_smaller_final_batch", "shared_name", "name",
)  # fmt: skip
_SHUFFLED = (
    "tensors", "batch_size", "capacity", "min_after_dequeue", "num_threads", "seed", "enqueue_many", "shapes",
    "allow_smaller_final_batch", "shared_name", "name",
)  # fmt: skip
"""Parameters in their order (`training/input.py` of 1.15.5)."""
_PRODUCERS = ("train.string_input_producer", "train.slice_input_producer")
_BATCHES = {"train.batch": _BATCH, "train.shuffle_batch": _SHUFFLED}
MAKERS = frozenset((*_PRODUCERS, *_BATCHES, *_READERS))
"""Names below tf that make parts of such a pipeline."""


@dataclass
class _Pipeline:
    """A pipeline in a block: its dataset, the statements it stands for, and what holds one record."""

    dataset: str
    record: str
    last: int
    gone: list[ast.stmt] = field(default_factory=list)


def with_datasets(text: str) -> Lines | None:
    """Returns a text whose queues of files are datasets, and the old number of each line; None if it has none.

    Queues that are used in another way stay, and are refused later.
    """
    if "_input_producer" not in text:
        return None
    now = one_by_one(text, _step)
    made = without_threads(now[0]) if now is not None else None
    return None if now is None or made is None else (made[0], tuple(now[1][number - 1] for number in made[1]))


def _step(text: str) -> Lines | None:
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    lines = EditedLines(text, tree)
    for block in _blocks(tree):
        for at, statement in enumerate(block):
            call = _called(statement, names, _PRODUCERS)
            pipeline = _started(block, at, call, names) if call is not None else None
            if pipeline is not None and _write(block, pipeline, names, lines):
                return lines.result()
    return None


def _blocks(tree: ast.Module) -> Iterator[Sequence[ast.stmt]]:
    for node in walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.With)):
            yield node.body


def _called(statement: ast.stmt, names: Names, wanted: Sequence[str]) -> ast.Call | None:
    """Returns the call of one of these names whose result a statement binds."""
    call = statement.value if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    return call if isinstance(call, ast.Call) and v1_name(names, call.func) in wanted else None


def _started(block: Sequence[ast.stmt], at: int, call: ast.Call, names: Names) -> _Pipeline | None:
    """Returns the pipeline that begins with a producer."""
    name = v1_name(names, call.func) or ""
    given = named_arguments(call, _FILES if name == _PRODUCERS[0] else _ROWS)
    if not given.keys() <= {*_FILES, *_ROWS} - {"cancel_op"}:
        return None
    data = given.get("string_tensor") if name == _PRODUCERS[0] else _as_tuple(given.get("tensor_list"))
    if data is None:
        return None
    tf, files = _tensorflow(names), ast.unparse(data)
    made = f"{tf}.data.Dataset.from_tensor_slices({files})"
    shuffled = given.get("shuffle")
    if not (isinstance(shuffled, ast.Constant) and shuffled.value is False):
        if shuffled is not None and not (isinstance(shuffled, ast.Constant) and shuffled.value is True):
            return None
        first = data.elts[0] if name != _PRODUCERS[0] and isinstance(data, ast.Tuple) else data
        alone = isinstance(first, ast.List) and len(first.elts) == 1
        made += "" if alone else f".shuffle(len({ast.unparse(first)}))"
    epochs = given.get("num_epochs")
    forever = epochs is None or (isinstance(epochs, ast.Constant) and epochs.value is None)
    made += ".repeat()" if forever else f".repeat({ast.unparse(epochs or data)})"
    target = block[at].targets[0]  # type: ignore[attr-defined]
    if name == _PRODUCERS[1]:
        return _Pipeline(made, ast.unparse(target), at, [block[at]])
    return _read(block, at, target, made, tf, names)


def _as_tuple(rows: ast.expr | None) -> ast.expr | None:
    """Returns the arrays of rows as a tuple: a dataset makes one array of a list."""
    return ast.Tuple(elts=rows.elts, ctx=ast.Load()) if isinstance(rows, ast.List) else None


def _tensorflow(names: Names) -> str:
    return names.alias_of("tensorflow") or names.alias_of("tensorflow.compat.v1") or "tf"


def _read(block: Sequence[ast.stmt], at: int, queue: ast.expr, files: str, tf: str, names: Names) -> _Pipeline | None:
    """Returns the pipeline of a reader that alone reads a queue of files."""
    readers: dict[str, tuple[ast.stmt, ast.Call]] = {}
    for number, statement in enumerate(block):
        call = statement.value if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        if not isinstance(call, ast.Call) or not isinstance(statement, ast.Assign):
            continue
        if v1_name(names, call.func) in _READERS:
            readers[ast.unparse(statement.targets[0])] = statement, call
        made = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "read" else None
        known = readers.get(ast.unparse(made)) if made is not None else None
        read = named_arguments(call, ("queue", "name")).get("queue")
        if known is None or number < at or read is None or ast.unparse(read) != ast.unparse(queue):
            continue
        target = statement.targets[0]
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return None
        gone = [block[at], known[0], statement]
        key, value = (ast.unparse(part) for part in target.elts)
        is_read = _uses(names, key, gone) and isinstance(target.elts[0], ast.Name)
        made_of = _records(files, known[1], is_read, tf, names)
        unused = [ast.unparse(part) for part in (queue, known[0].targets[0])]  # type: ignore[attr-defined]
        if made_of is None or any(_uses(names, name, gone) for name in unused):
            return None
        return _Pipeline(made_of, f"{key}, {value}" if is_read else value, number, gone)
    return None


def _records(files: str, reader: ast.Call, is_read: bool, tf: str, names: Names) -> str | None:
    """Returns the dataset of the records that a reader gives; None if the source does not say it.

    Args:
        files: The dataset of files.
        reader: The call that makes the reader.
        is_read: Whether the keys of records are used. That of a whole file is its name.
        tf: How the file spells TensorFlow.
        names: The meanings of names.
    """
    name = v1_name(names, reader.func) or ""
    if name == _WHOLE:
        given = {keyword.arg for keyword in reader.keywords}
        made = f"lambda name: (name, {tf}.io.read_file(name))" if is_read else f"{tf}.io.read_file"
        return f"{files}.map({made})" if given <= {"name"} and not reader.args else None
    inner = _dataset_of(reader, name, tf)
    return f"{files}.flat_map({inner})" if inner is not None and not is_read else None


def _dataset_of(reader: ast.Call, name: str, tf: str) -> str | None:
    """Returns the class of datasets that reads as a reader does, or a function that makes one."""
    made = f"{tf}.data.{_READERS[name]}"
    sized = name == "FixedLengthRecordReader"
    given = named_arguments(reader, ("record_bytes", "header_bytes", "footer_bytes") if sized else ())
    given.pop("name", None)
    skipped = given.pop("skip_header_lines", None) if name == "TextLineReader" else None
    sizes = {key: ast.unparse(value) for key, value in given.items()}
    known = {"record_bytes", "header_bytes", "footer_bytes"} if sized else set()
    if not given.keys() <= known or len(reader.args) > len(known) or (sized and "record_bytes" not in given):
        return None
    if sized:
        return f"lambda name: {made}(name, {', '.join(f'{key}={size}' for key, size in sizes.items())})"
    return f"lambda name: {made}(name).skip({ast.unparse(skipped)})" if skipped is not None else made


def _uses(names: Names, name: str, inside: Sequence[ast.AST]) -> bool:
    """Returns whether anything but these statements reads a name; one of another function is another name."""
    nodes = [node for node in names.nodes.get(ast.Name, []) if isinstance(node, ast.Name) and node.id == name]
    own = {id(below) for statement in inside for below in walk(statement)}
    mine = next((names.bindings(node) for node in nodes if id(node) in own), None)
    read = [node for node in nodes if isinstance(node.ctx, ast.Load) and id(node) not in own]
    return any(mine is None or names.bindings(node) is mine for node in read)


def _write(block: Sequence[ast.stmt], known: _Pipeline, names: Names, lines: EditedLines) -> bool:
    """Writes a pipeline. Returns False if it is used in a way that is not known."""
    record = known.record.strip("()")
    batch = next((s for s in block[known.last + 1 :] if _called(s, names, tuple(_BATCHES)) is not None), None)
    read = known.gone[-1]
    moved, held = _moved(block[known.last + 1 : block.index(batch)], record) if batch is not None else ([], set())
    free = lines.free(f"{record.split(',')[0].strip()}_data")
    if batch is None or moved is None or not held & _names_in([batch]):
        lines.put(read, [f"{free} = {known.dataset}", *_taken(free, record, lines)])
        for statement in known.gone[:-1]:
            lines.remove(statement)
        return lines.fits(known.gone)
    given = _batch_of(batch, names)
    last = [*moved, batch]
    if given is None or any(_uses(names, name, [*known.gone, *last]) for name in held - _bound(batch)):
        return False
    tensors, options = given
    function = lines.free("read_example")
    body = lines.indented(moved)
    target = ast.unparse(batch.targets[0]).strip("()")  # type: ignore[attr-defined]
    lines.put(
        batch,
        [
            "",
            f"def {function}({record}):",
            *body,
            f"{lines.step}return {tensors}",
            "",
            f"{free} = {known.dataset}.map({function}){options}",
            *_taken(free, target, lines),
        ],
    )
    for statement in (*known.gone, *moved):
        lines.remove(statement)
    return lines.fits([*known.gone, *moved, batch])


def _taken(dataset: str, target: str, lines: EditedLines) -> list[str]:
    iterator = lines.free(dataset.removesuffix("_data") + "_iterator")
    return [f"{iterator} = {dataset}.make_one_shot_iterator()", f"{target} = {iterator}.get_next()"]


def _moved(between: Sequence[ast.stmt], record: str) -> tuple[list[ast.stmt] | None, set[str]]:
    """Returns the statements that compute something of a record, and the names that hold it.

    None in place of the statements means that they do more, or that others bind what they read or hold.
    """
    held = {name.strip() for name in record.split(",")}
    moved: list[ast.stmt] = []
    for statement in between:
        if not _names_in([statement]) & held:
            if _bound(statement) & (held | _names_in(moved)):
                return None, held
            continue
        value = getattr(statement, "value", None)
        if not isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr)) or (
            isinstance(statement, ast.Expr)
            and not (isinstance(value, ast.Call) and "set_shape" in ast.unparse(value.func))
        ):
            return None, held
        moved.append(statement)
        held |= _bound(statement)
    return moved, held


def _bound(statement: ast.AST) -> set[str]:
    return {n.id for n in walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _names_in(statements: Sequence[ast.AST]) -> set[str]:
    return {n.id for s in statements for n in walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _batch_of(statement: ast.stmt, names: Names) -> tuple[str, str] | None:
    """Returns the tensors of an element, and the methods that shuffle and batch a dataset of them.

    A shuffling queue draws from as many elements as it has, up to its capacity. Several threads hand out elements in
    no certain order; a dataset keeps it.
    """
    call = statement.value  # type: ignore[attr-defined]
    name = v1_name(names, call.func) or ""
    given = named_arguments(call, _BATCHES[name])
    tensors, size = given.get("tensors"), given.get("batch_size")
    refused = ("enqueue_many", "dynamic_pad", "shapes", "**")
    off = [given[key] for key in refused if key in given]
    if not isinstance(tensors, (ast.List, ast.Tuple)) or size is None or not tensors.elts:
        return None
    if any(not (isinstance(value, ast.Constant) and not value.value) for value in off):
        return None
    smaller = given.get("allow_smaller_final_batch")
    whole = smaller is None or (isinstance(smaller, ast.Constant) and smaller.value is False)
    if not whole and not isinstance(smaller, ast.Constant):
        return None
    shuffled = f".shuffle({ast.unparse(given['capacity'])})" if name == "train.shuffle_batch" else ""
    rest = ", drop_remainder=True" if whole else ""
    return ", ".join(ast.unparse(part) for part in tensors.elts), f"{shuffled}.batch({ast.unparse(size)}{rest})"

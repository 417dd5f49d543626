"""Describes the content of a checkpoint in plain values, and prints it as a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from codemods.printable import printable, printable_lines
from tf2bridge.errors import BridgeError
from tf2bridge.formats.checkpoints.refusals import NoCheckpointError
from tf2bridge.formats.checkpoints.stored import Checkpoint, TensorInfo

_LISTED = 200
"""The number of tensors that are shown on a terminal."""
_OF_VALUES = ("min", "max", "NaN")


def holds_no_graph(path: Path) -> bool:
    """Returns whether a path means a checkpoint without a graph beside it or in it. The checkpoint may be missing."""
    from tf2bridge.formats.checkpoints.places import located

    if path.is_dir():
        from tf2bridge.formats.graphs.reader import graph_in

        return graph_in(path) is None
    if Path(f"{path}.meta").is_file() or path.with_suffix(".meta").is_file() or path.name.startswith("saved_model.pb"):
        return False
    try:
        located(path)
    except NoCheckpointError:
        return not path.exists()
    except BridgeError:
        pass  # it is a damaged checkpoint: opening it reports the damage
    return True


def is_prefix(path: Path) -> bool:
    """Returns whether a path names a checkpoint, by its prefix, index or single file, and not the graph beside it."""
    return (
        path.suffix == ".index"
        or Path(f"{path}.index").is_file()
        or (path.is_file() and Path(f"{path}.meta").is_file())
    )


def described(checkpoint: Checkpoint, values: bool = False) -> dict[str, Any]:
    """Returns path, format, tensors (name, shape, dtype, bytes, and full_name if there is one), and totals.

    Args:
        checkpoint: the open checkpoint.
        values: whether to read all values. This finds damage, and adds min, max (None without values, a text if
            infinite) and the number of NaNs.

    Raises DamagedCheckpointError, MissingSliceError.
    """
    tensors = [_row(info) | (summary(checkpoint, info) if values else {}) for info in checkpoint.tensors.values()]
    return {
        "path": str(checkpoint.path),
        "format": checkpoint.format,
        "tensors": tensors,
        "elements": sum(math.prod(info.shape) for info in checkpoint.tensors.values()),
        "bytes": sum(info.nbytes for info in checkpoint.tensors.values()),
    }


def _row(info: TensorInfo) -> dict[str, Any]:
    row = {"name": info.name, "shape": list(info.shape), "dtype": info.dtype, "bytes": info.nbytes}
    return row | {"full_name": info.full_name} if info.full_name else row


def summary(checkpoint: Checkpoint, info: TensorInfo) -> dict[str, Any]:
    """Returns the minimum and maximum of a tensor's values without NaNs, and the number of NaNs."""
    import numpy as np

    from tf2bridge.formats.dtypes import STRING, item_bytes, numpy_type

    if info.dtype == STRING:
        checkpoint[info.name]
    if info.dtype == STRING or item_bytes(info.dtype) is None:
        return dict.fromkeys(_OF_VALUES)
    least, greatest, missing = math.inf, -math.inf, 0
    kind = numpy_type(info.dtype)
    count = 0
    for piece in checkpoint.pieces(info.name):
        values = np.frombuffer(piece, kind)
        if kind.kind not in "biufc":  # of ml_dtypes, which have no minimum that leaves out NaN
            values = values.astype(np.float32)
        numbers = values[~np.isnan(values)] if kind.kind not in "biu" else values
        missing += len(values) - len(numbers)
        if len(numbers) and kind.kind != "c":
            count += len(numbers)
            least, greatest = min(least, numbers.min().item()), max(greatest, numbers.max().item())
    return {"min": _for_json(least) if count else None, "max": _for_json(greatest) if count else None, "NaN": missing}


def _for_json(value: float) -> float | str:
    """Returns a finite number as it is, and another one as a text, for JSON."""
    return value if math.isfinite(value) else str(value)


def lines(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yields the facts as lines of plain text: a summary, then a line for each tensor, in columns."""
    yield printable(_headline(facts))
    names, *columns = zip(_columns(facts), *map(_cells, facts["tensors"]), strict=True)
    shown = printable_lines(names).split("\n")
    first, *widths = (max(map(len, column)) for column in (shown, *columns))
    for name, *cells in zip(shown, *columns, strict=True):
        rest = "  ".join(map(str.rjust, cells, widths))
        yield f"{name.ljust(first)}  {rest}"


def print_text(facts: Mapping[str, Any]) -> None:
    """Prints the facts on a terminal, with the first tensors of many."""
    from rich import box
    from rich.table import Table

    from tf2bridge.printing import OutputConsole

    console = OutputConsole()
    console.print(printable(_headline(facts)), style="bold")
    table = Table(*_columns(facts)[:1], box=box.ROUNDED)
    for column in _columns(facts)[1:]:
        table.add_column(column, justify="right")
    for row in facts["tensors"][:_LISTED]:
        table.add_row(*map(printable, _cells(row)))
    console.print(table)
    if (left := len(facts["tensors"]) - _LISTED) > 0:
        console.print(f"and {left:,} more, which are listed where the output is no terminal")


def _headline(facts: Mapping[str, Any]) -> str:
    count = len(facts["tensors"])
    return (
        f"{facts['path']}: {facts['format']} checkpoint, {count:,} tensors, {facts['elements']:,} elements, "
        f"{facts['bytes']:,} bytes"
    )


def _columns(facts: Mapping[str, Any]) -> list[str]:
    valued = any("NaN" in row for row in facts["tensors"])
    return ["tensor", "shape", "dtype", "bytes", *(_OF_VALUES if valued else ())]


def _cells(row: Mapping[str, Any]) -> list[str]:
    cells = [row["name"], str(row["shape"]), row["dtype"], f"{row['bytes']:,}"]
    return cells + [_cell(row[key]) for key in _OF_VALUES] if "NaN" in row else cells


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)

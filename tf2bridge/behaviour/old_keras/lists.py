"""Small functions on lists that layers written for the package keras import from `keras.utils.generic_utils`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def unpack_singleton(values: Any) -> Any:
    """Returns the only item of a list of one, else the argument itself."""
    return values[0] if len(values) == 1 else values


def object_list_uid(objects: Any) -> str:
    """Returns a text that tells these very objects from all others: their ids."""
    return ", ".join(str(abs(id(item))) for item in (objects if isinstance(objects, list | tuple) else [objects]))


def transpose_shape(shape: Sequence[Any], target_format: str, spatial_axes: Sequence[int]) -> tuple[Any, ...]:
    """Returns a shape that has its channels last in the order of `target_format`.

    Raises:
        ValueError: `target_format` is neither "channels_first" nor "channels_last".
    """
    if target_format not in ("channels_first", "channels_last"):
        raise ValueError(
            f'The data format has to be "channels_first" or "channels_last", not {target_format!r}; pass one of the two'
        )
    if target_format == "channels_last":
        return tuple(shape)
    return (*shape[: spatial_axes[0]], shape[-1], *(shape[axis] for axis in spatial_axes))

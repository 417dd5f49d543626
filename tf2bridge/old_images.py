"""The image functions of `scipy.misc` up to SciPy 1.2, which SciPy 1.3 removed.

Each is a wrapper of Pillow with rules of its own: values become bytes by their range, and images are rows of pixels.
Written from the documentation of SciPy 1.2 (`scipy.misc`), and compared with what 1.2.3 computes
(fixtures/old_images.py). Pillow is imported when a function is called.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

FILTERS = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "cubic": 3}
"""What Pillow calls the ways to compute a pixel between others."""

_COLOURS = {3: "RGB", 4: "RGBA"}


def bytescale(
    data: Any, cmin: float | None = None, cmax: float | None = None, high: float = 255, low: float = 0
) -> Any:
    """Returns the values as bytes: `cmin` (else the least) becomes `low`, `cmax` (else the greatest) becomes `high`.

    Bytes stay as they are. Raises ValueError if the bounds are not in order or beyond 0 to 255.
    """
    data = np.asarray(data)
    if data.dtype == np.uint8:
        return data
    if high > 255:
        raise ValueError("`high` should be less than or equal to 255.")
    if low < 0:
        raise ValueError("`low` should be greater than or equal to 0.")
    if high < low:
        raise ValueError("`high` should be greater than or equal to `low`.")
    least = data.min() if cmin is None else cmin
    greatest = data.max() if cmax is None else cmax
    if greatest < least:
        raise ValueError("`cmax` should be larger than `cmin`.")
    return (_scaled(data, least, greatest, high, low).clip(low, high) + 0.5).astype(np.uint8)


def _scaled(data: Any, least: Any, greatest: Any, high: float, low: float) -> Any:
    return (data - least) * (float(high - low) / ((greatest - least) or 1)) + low


def toimage(
    arr: Any,
    high: float = 255,
    low: float = 0,
    cmin: float | None = None,
    cmax: float | None = None,
    pal: Any = None,
    mode: str | None = None,
    channel_axis: int | None = None,
) -> Any:
    """Returns the array, [rows, columns] or with 3 or 4 channels in any place, as an image of Pillow.

    `mode` is the image's mode: of two dimensions "L" (bytes, which it is without), "P", "I" or "F", which keeps the
    values. Raises ValueError for another shape or mode; SciPy made wrong pixels of mode "1".
    """
    data = np.asarray(arr)
    if np.iscomplexobj(data):
        raise ValueError("Cannot convert a complex-valued array.")
    channels = [axis for axis, size in enumerate(data.shape) if size in _COLOURS]
    if data.ndim not in (2, 3) or (data.ndim == 3 and not channels):
        raise ValueError("'arr' does not have a suitable array shape for any mode.")
    if data.ndim == 2:
        if mode == "F":
            return _pillow().fromarray(data.astype(np.float32))
        if mode == "I":
            bounds = (data.min() if cmin is None else cmin, data.max() if cmax is None else cmax)
            return _pillow().fromarray(_scaled(data, *bounds, high, low).astype(np.int32))
        return _grey(bytescale(data, cmin, cmax, high, low), pal, mode)
    axis = _channel_axis(data, channel_axis, mode)
    pixels = np.moveaxis(bytescale(data, cmin, cmax, high, low), axis, 2)
    return _pillow().fromarray(np.ascontiguousarray(pixels)) if mode is None else _converted(pixels, mode)


def fromimage(im: Any, flatten: bool = False, mode: str | None = None) -> Any:
    """Returns an image of Pillow as an array, [rows, columns] or [rows, columns, channels]; float32 if `flatten`."""
    if not hasattr(im, "convert"):
        raise TypeError("Input is not a PIL image.")
    if mode is not None:
        im = im.convert(mode) if mode != im.mode else im
    elif im.mode == "P":
        im = im.convert("RGBA" if "transparency" in im.info else "RGB")
    if flatten:
        return np.array(im.convert("F"))
    return np.array(im.convert("L") if im.mode == "1" else im)


def imread(name: Any, flatten: bool = False, mode: str | None = None) -> Any:
    """Returns the image in a file as an array; see `fromimage`."""
    with _pillow().open(name) as image:
        return fromimage(image, flatten, mode)


def imsave(name: Any, arr: Any, format: str | None = None) -> None:  # noqa: A002  # as SciPy called it
    """Writes an array as an image, its channels last; its values become bytes by their range, as in `toimage`."""
    image = toimage(arr, channel_axis=2)
    image.save(name) if format is None else image.save(name, format)


def imresize(arr: Any, size: Any, interp: str = "bilinear", mode: str | None = None) -> Any:
    """Returns the image in another size: percent (int), a factor (float) or (rows, columns)."""
    image = toimage(arr, mode=mode)
    if np.issubdtype(np.asarray(size).dtype, np.signedinteger) and np.ndim(size) == 0:
        wanted = tuple((np.array(image.size) * (size / 100.0)).astype(int))
    elif np.ndim(size) == 0:
        wanted = tuple((np.array(image.size) * size).astype(int))
    else:
        wanted = (size[1], size[0])
    width, height = (int(side) for side in wanted)
    # Rows first, then columns, with bytes between: newer releases of Pillow take the other order at times.
    wider = image.resize((width, image.size[1]), resample=FILTERS[interp])
    return fromimage(wider.resize((width, height), resample=FILTERS[interp]))


def imrotate(arr: Any, angle: float, interp: str = "bilinear") -> Any:
    """Returns the image turned by an angle in degrees, against the clock, in its own size."""
    return fromimage(toimage(np.asarray(arr)).rotate(angle, resample=FILTERS[interp]))


NAMES = {
    function.__name__: function for function in (bytescale, fromimage, imread, imresize, imrotate, imsave, toimage)
}


def _pillow() -> Any:
    return importlib.import_module("PIL.Image")


def _grey(pixels: Any, palette: Any, mode: str | None) -> Any:
    """Returns an image of [rows, columns] of bytes."""
    if mode not in (None, "L", "P"):
        raise ValueError(f"toimage of two dimensions has no mode {mode!r} here: use L, P, F or I")
    image = _pillow().fromarray(pixels)
    if palette is not None:
        image.putpalette(np.asarray(palette, np.uint8).tobytes())
    elif mode == "P":
        image.putpalette(np.repeat(np.arange(256, dtype=np.uint8), 3).tobytes())
    return image


def _channel_axis(data: Any, wanted: int | None, mode: str | None) -> int:
    """Returns the axis of the channels: the one that is given, else the first of 3 (of 4 where there is none)."""
    if wanted is not None:
        if data.shape[wanted] not in _COLOURS:
            raise ValueError("Channel axis dimension is not valid.")
        return wanted
    sizes = list(data.shape)
    return sizes.index(3 if 3 in sizes and mode not in ("RGBA", "CMYK") else 4)


def _converted(pixels: Any, mode: str) -> Any:
    if mode not in ("RGB", "RGBA", "YCbCr", "CMYK"):
        raise ValueError("Unknown mode.")
    if (pixels.shape[2] == 4) != (mode in ("RGBA", "CMYK")):
        raise ValueError("Invalid array shape for mode.")
    return _pillow().frombytes(mode, (pixels.shape[1], pixels.shape[0]), np.ascontiguousarray(pixels).tobytes())

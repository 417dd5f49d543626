"""Circles and spirals of contrib.learn, with random draws from NumPy's global state as in TF 1.x."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np

Dataset = collections.namedtuple("Dataset", ["data", "target"])


def circles(
    n_samples: int = 100,
    noise: float | None = None,
    seed: int | None = None,
    factor: float = 0.8,
    n_classes: int = 2,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Returns points [samples, 2] on `n_classes` circles, and labels. A circle is `factor` times the previous one."""
    del args, kwargs
    if seed is not None:
        np.random.seed(seed)
    per_circle = n_samples // n_classes
    angles = np.linspace(0, 2 * np.pi, per_circle)
    xs, ys = [np.cos(angles)], [np.sin(angles)]
    for _ in range(1, n_classes):
        xs.append(xs[-1] * factor)
        ys.append(ys[-1] * factor)
    extra = n_samples % n_classes
    xs.append(np.cos(np.random.rand(extra) * 2 * np.pi))
    ys.append(np.sin(np.random.rand(extra) * 2 * np.pi))
    labels = np.append(np.repeat(np.arange(n_classes, dtype=np.int32), per_circle), np.zeros(extra, np.int32))
    return _shuffled(np.concatenate(xs), np.concatenate(ys), labels, noise)


def _archimedes(theta: Any, offset: float = 0.0) -> tuple[Any, Any]:
    return _unit(theta * np.cos(theta + offset), theta * np.sin(theta + offset))


def _bernoulli(theta: Any, offset: float = 0.0, exp_scale: float = 0.1) -> tuple[Any, Any]:
    growth = np.exp(exp_scale * theta)
    return _unit(growth * np.cos(theta + offset), growth * np.sin(theta + offset))


def _fermat(theta: Any, offset: float = 0.0) -> tuple[Any, Any]:
    return _unit(np.sqrt(theta) * np.cos(theta + offset), np.sqrt(theta) * np.sin(theta + offset))


def _unit(x: Any, y: Any) -> tuple[Any, Any]:
    return x / np.max(np.abs(x)), y / np.max(np.abs(y))


MODES: dict[str, Callable[..., tuple[Any, Any]]] = {
    "archimedes": _archimedes,
    "bernoulli": _bernoulli,
    "fermat": _fermat,
}


def spirals(
    n_samples: int = 100,
    noise: float | None = None,
    seed: int | None = None,
    mode: str = "archimedes",
    n_loops: int = 2,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Returns points [samples, 2] on two spirals, and their labels. Raises ValueError for an unknown `mode`."""
    if mode not in MODES:
        raise ValueError(f"there is no spiral {mode!r}; there are {', '.join(MODES)}")
    if seed is not None:
        np.random.seed(seed)
    per_spiral = n_samples // 2
    angles = np.linspace(0, 2 * n_loops * np.pi, per_spiral)
    parts = [MODES[mode](angles, label * np.pi, *args, **kwargs) for label in range(2)]
    extra = n_samples % 2
    if extra:
        parts.append(MODES[mode](np.random.rand(extra) * 2 * np.pi, *args, **kwargs))
    labels = np.append(np.repeat(np.arange(2, dtype=np.int32), per_spiral), np.zeros(extra, np.int32))
    return _shuffled(np.concatenate([x for x, _ in parts]), np.concatenate([y for _, y in parts]), labels, noise)


def _shuffled(x: Any, y: Any, labels: Any, noise: float | None) -> Any:
    points = np.vstack((x, y)).T
    order = np.random.permutation(range(len(points)))
    if noise is not None:
        points += np.random.normal(scale=noise, size=points.shape)
    return Dataset(data=points[order], target=labels[order])

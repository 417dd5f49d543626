"""Lets programs run that ask for more GPUs than exist: TensorFlow places the operations of a missing GPU elsewhere.

Genuine TensorFlow, and 2.21, end such a program with "Cannot assign a device" unless its session allows soft placement.
Here a session allows it by default. A program that sets `allow_soft_placement=False` gets the error.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_ops import quantized
from tf2bridge.behaviour.refusals import MissingDeviceError
from tf2bridge.internals.eager import context
from tf2bridge.internals.protos import config_pb2
from tf2bridge.internals.sessions import session
from tf2bridge.patching import put

v1 = tf.compat.v1

_REFUSED = b"\xc2\xa9\x1d\x07refused"
"""A field (60 056) that ConfigProto does not have.

Copies keep it, and TensorFlow ignores it. It marks a False that the program has set, which Proto3 itself does not tell
from the default.
"""

_GPU = re.compile(r"/(?:device:)?gpu:(\d+)$", re.IGNORECASE)
_genuine: dict[str, Any] = {}
_notices: list[str] = []
"""Notices that were printed on standard error: each is printed once in a process."""


def install() -> None:
    """Makes the sessions of this process use soft placement by default."""
    base, config = session.BaseSession, config_pb2.ConfigProto
    _genuine.update(session=base.__init__, extend=base._extend_graph, set=config.__setattr__, config=config.__init__)
    put(base, "__init__", _begin)
    put(base, "_extend_graph", _extend)
    put(config, "__init__", _configure)
    put(config, "__setattr__", _set)


def _configure(self: Any, *arguments: Any, **fields: Any) -> None:
    _genuine["config"](self, *arguments, **fields)
    if fields.get("allow_soft_placement") is False:
        self.MergeFromString(_REFUSED)


def _set(self: Any, name: str, value: Any) -> None:
    _genuine["set"](self, name, value)
    if name == "allow_soft_placement" and not value:
        self.MergeFromString(_REFUSED)


def _begin(self: Any, target: Any = "", graph: Any = None, config: Any = None) -> None:
    given = context.context().config if config is None else config
    self._missing_refused, self._looked_at = False, 0
    if isinstance(given, config_pb2.ConfigProto) and not given.allow_soft_placement:
        self._missing_refused = config is not None and _REFUSED in given.SerializeToString()
        if not self._missing_refused:
            config = config_pb2.ConfigProto()
            config.CopyFrom(given)
            config.allow_soft_placement = True
    _genuine["session"](self, target, graph, config)


def _extend(self: Any) -> None:
    """Looks at the operations that are new since the last call. A session runs this before each call."""
    version = self._graph.version
    if version != self._looked_at:
        new = list(itertools.islice(self._graph.get_operations(), self._looked_at, None))
        self._looked_at = version
        if self._missing_refused or not _notices:
            _look(self, {operation.device for operation in new})
        quantized.look(operation.type for operation in new)
    _genuine["extend"](self)


def _look(self: Any, devices: set[str]) -> None:
    asked = {name: int(match[1]) for name in devices if (match := _GPU.search(name))}
    if not asked:
        return
    present = [v1.DeviceSpec.from_string(device.name) for device in self.list_devices()]
    missing = {number for name, number in asked.items() if not _is_there(v1.DeviceSpec.from_string(name), present)}
    if not missing:
        return
    count = sum(device.device_type == "GPU" for device in present)
    there = f"{'the cluster' if self._target else 'this machine'} has {count or 'none'}"
    if self._missing_refused:
        raise MissingDeviceError(_numbers(missing), there)
    where = "those that there are, or on the CPU" if count else "the CPU"
    _notices.append(
        f"tf2bridge: the program asks for GPU {_numbers(set(asked.values()))}, {there}: what is placed on missing "
        f"ones is computed on {where}"
    )
    print(_notices[0], file=sys.stderr)


def _is_there(asked: Any, present: Iterable[Any]) -> bool:
    parts = ("job", "replica", "task", "device_type", "device_index")
    wanted = {part: value for part in parts if (value := getattr(asked, part)) is not None}
    return any(all(getattr(device, part) == value for part, value in wanted.items()) for device in present)


def _numbers(indices: Iterable[int]) -> str:
    """1, "0 and 2", "0 to 3"."""
    listed = sorted(indices)
    if len(listed) > 1 and listed[-1] - listed[0] == len(listed) - 1:
        return f"{listed[0]} to {listed[-1]}"
    return " and ".join(filter(None, [", ".join(map(str, listed[:-1])), str(listed[-1])]))

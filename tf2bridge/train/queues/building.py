"""Builds the graph of an input as TensorFlow 1.x does.

With a graph seed, op seeds depend on all operations of the graph.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour import seeds
from tf2bridge.graph.code_graph import Built, build

v1 = tf.compat.v1


def built_as_in(api: str, code: Callable[[], Any]) -> Built:
    """Builds what the code makes, with the op seeds, variables and control flow of a release.

    Args:
        api: The release, such as "1.15".
        code: The function that builds the graph.

    Raises:
        UnknownReleaseError: There is no such release; also what `tf2bridge.graph.code_graph.build` raises.
    """
    variables = v1.resource_variables_enabled, v1.disable_resource_variables, v1.enable_resource_variables
    flow = v1.control_flow_v2_enabled, v1.disable_control_flow_v2, v1.enable_control_flow_v2
    with _seeds_of(api), _off(*variables), _off(*flow):
        return build(code, {})


@contextlib.contextmanager
def _seeds_of(api: str) -> Iterator[None]:
    before = seeds.installed()
    seeds.install(api)
    try:
        yield
    finally:
        seeds.uninstall() if before is None else seeds.install(before)


@contextlib.contextmanager
def _off(is_on: Callable[[], bool], turn_off: Callable[[], None], turn_on: Callable[[], None]) -> Iterator[None]:
    before = is_on()
    turn_off()
    try:
        yield
    finally:
        if before:
            turn_on()

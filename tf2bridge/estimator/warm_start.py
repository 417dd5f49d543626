"""Starting from the variables of another checkpoint."""

from __future__ import annotations

import collections
import os
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging

v1 = tf.compat.v1


class WarmStartSettings(
    collections.namedtuple(
        "WarmStartSettings",
        ["ckpt_to_initialize_from", "vars_to_warm_start", "var_name_to_vocab_info", "var_name_to_prev_var_name"],
    )
):
    """Where to start from, and which variables: parameters as those of `tf.train.warm_start`.

    Raises ValueError without a checkpoint.
    """

    __slots__ = ()

    def __new__(
        cls,
        ckpt_to_initialize_from: Any,
        vars_to_warm_start: Any = ".*",
        var_name_to_vocab_info: Any = None,
        var_name_to_prev_var_name: Any = None,
    ) -> WarmStartSettings:
        if not ckpt_to_initialize_from:
            raise ValueError("`ckpt_to_initialize_from` MUST be set in WarmStartSettings")
        names = (var_name_to_vocab_info or {}, var_name_to_prev_var_name or {})
        return super().__new__(cls, ckpt_to_initialize_from, vars_to_warm_start, *names)


def settings(warm_start_from: Any) -> WarmStartSettings | None:
    """Returns the settings that an Estimator's `warm_start_from` means: a checkpoint, a SavedModel, or settings
    themselves.

    Raises ValueError for anything else.
    """
    if warm_start_from is None or isinstance(warm_start_from, WarmStartSettings):
        return warm_start_from
    if not isinstance(warm_start_from, (str, bytes)):
        raise ValueError(
            f"warm_start_from must be a string or a WarmStartSettings, instead got {type(warm_start_from)}"
        )
    directory = os.fsdecode(warm_start_from)
    variables = f"{directory}/variables/variables"
    if v1.gfile.Exists(f"{variables}.index"):
        logging.info("Warm-starting from a SavedModel")
        return WarmStartSettings(variables)
    return WarmStartSettings(warm_start_from)


def warm_start(chosen: WarmStartSettings) -> None:
    """Gives the variables of the default graph initial values of the other checkpoint."""
    logging.info(f"Warm-starting with WarmStartSettings: {chosen}")
    v1.train.warm_start(*chosen)

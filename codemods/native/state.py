"""The state that the steps of a rewriting share."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from codemods.names import Names
from codemods.native.choices import KerasChoice
from codemods.native.functions import Planner
from codemods.native.items import Body
from codemods.native.meanings import Meanings
from codemods.native.source_text import SourceText
from codemods.native.translations import Translation


@dataclass
class Rewriting:
    """The rewriting of one file: the state that its steps share."""

    source: SourceText
    names: Names
    module: str
    line: Callable[[int], int]
    meanings: Meanings
    body: Body
    planner: Planner
    translation: Translation
    file: Callable[[int], str]
    summaries: str = "summaries"
    lists: Mapping[str, str] = field(default_factory=dict)
    made_optimizers: dict[int, str] = field(default_factory=dict)
    choices: list[KerasChoice] = field(default_factory=list)
    schedules: dict[ast.Call, str] = field(default_factory=dict)
    keras_savers: bool = False
    is_idiomatic: bool = False
    unbound: frozenset[str] = frozenset()
    of_several: bool = False
    """Whether the program builds several graphs, one after another."""

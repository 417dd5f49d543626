"""Rewriting, beside the official converter: the fixtures' programs, in one process each way.

python -m pytest tests/benchmarks/bench_codemods.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codemods.engine import check_text
from codemods.results import Changed
from codemods.settings import Settings

LEGACY = Path(__file__).parents[2] / "fixtures/legacy"
PROGRAMS = {str(path.relative_to(LEGACY)): path.read_text("utf-8") for path in sorted(LEGACY.rglob("*.py"))}
# The official converter empties Python 2 files, so both get only what parses on Python 3.
PYTHON3 = {path: text for path, text in PROGRAMS.items() if "print '" not in text and "xrange" not in text}


def ours() -> int:
    results = [check_text(text, path, Settings()) for path, text in PYTHON3.items()]
    return sum(isinstance(result, Changed) for result in results)


def official() -> int:
    from tensorflow.tools.compatibility import ast_edits, tf_upgrade_v2

    converter = ast_edits.ASTCodeUpgrader(tf_upgrade_v2.TFAPIChangeSpec())
    return sum(converter.update_string_pasta(text, path)[1] is not None for path, text in PYTHON3.items())


@pytest.mark.benchmark(group="convert")
@pytest.mark.parametrize("converter", [ours, official])
def bench_converters(converter: Any, benchmark: Any) -> None:
    assert benchmark.pedantic(converter, rounds=7, warmup_rounds=1) == len(PYTHON3)

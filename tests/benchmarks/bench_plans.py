"""How long a plan of 5,000 variables takes, the whole command: asked are 5 s. Equal names, and names that say little.

python -m pytest tests/benchmarks/bench_plans.py
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.tf2bridge.checkpoint.written import of_shapes

LAYERS = 312
MAPS = {"query": "q_map", "key": "k_map", "value": "v_map", "dense": "o_map"}


def transformer(prefix: str, layer: str, maps: dict[str, str]) -> dict[str, list[int]]:
    """The names and shapes of a transformer: 16 variables a layer, 4,992 of them."""
    shapes: dict[str, list[int]] = {}
    for n in range(LAYERS):
        scope = f"{prefix}{layer}{n}/"
        for name in maps.values():
            shapes |= {f"{scope}attention/{name}/kernel": [8, 8], f"{scope}attention/{name}/bias": [8]}
        shapes |= {f"{scope}up/kernel": [8, 16], f"{scope}up/bias": [16]}
        shapes |= {f"{scope}down/kernel": [16, 8], f"{scope}down/bias": [8]}
        for norm in ("norm_before", "norm_after"):
            shapes |= {f"{scope}{norm}/gamma": [8], f"{scope}{norm}/beta": [8]}
    return shapes


TARGETS = {
    "same": ("net/", "layer_", dict(zip(MAPS, MAPS, strict=True))),
    "renamed": ("model/", "block_", MAPS),
}


@pytest.mark.benchmark(group="plan of 5,000 variables")
@pytest.mark.parametrize("target", TARGETS)
def bench_plan(target: str, benchmark: Any, tmp_path: Path) -> None:
    source = transformer("net/", "layer_", dict(zip(MAPS, MAPS, strict=True)))
    of_shapes(tmp_path, source)
    (tmp_path / "shapes.json").write_text(json.dumps(transformer(*TARGETS[target])))
    command = [sys.executable, "-m", "tf2bridge", "plan", tmp_path / "model.ckpt", "--into", tmp_path / "shapes.json"]

    def run() -> str:
        return subprocess.run(command, check=False, capture_output=True, text=True).stdout

    assert f"of {len(source)} variables filled" in benchmark.pedantic(run, rounds=3)

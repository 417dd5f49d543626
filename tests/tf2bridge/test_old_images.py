"""The image functions of scipy.misc, beside what genuine SciPy 1.2.3 computes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codemods.rules.libraries import scipy_images
from fixtures import old_images as recorded
from tf2bridge import old_images
from tf2bridge.program.old_libraries import add_what_is_gone

CALLS = json.loads(Path(recorded.WRITTEN).read_text(encoding="utf-8"))


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call[0]}-{call[1]}-{call[2]}")
def test_image_functions_compute_what_scipy_1_2_did(call: list[Any]) -> None:
    function, name, arguments, expected = call
    arguments = {key: tuple(value) if isinstance(value, list) else value for key, value in arguments.items()}
    computed = recorded.computed(old_images, function, name, arguments)
    if isinstance(expected[1], str):
        assert computed == expected
        return
    assert computed[:2] == expected[:2]
    np.testing.assert_allclose(computed[2], expected[2], rtol=1e-6)


def test_programs_find_the_functions_in_scipy_misc(tmp_path: Path) -> None:
    import scipy.misc

    add_what_is_gone("scipy")
    scipy.misc.imsave(str(tmp_path / "grey.png"), np.eye(4))
    assert scipy.misc.imread(str(tmp_path / "grey.png"))[0].tolist() == [255, 0, 0, 0]
    assert scipy.misc.comb(4, 2) == 6


def test_rewritten_programs_find_every_function() -> None:
    assert frozenset(old_images.NAMES) == scipy_images.MOVED

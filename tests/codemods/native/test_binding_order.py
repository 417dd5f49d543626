"""What a native program gets is bound before it is used."""

from __future__ import annotations

import ast

import pytest

from codemods.native.binding_order import require_bound_in_time
from codemods.native.refusals import NotNativeError

OLD = "import tensorflow as tf\nstep = tf.no_op()\nw = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        "w = 1\nfor n in range(3):\n    step()\ndef step():\n    pass\n",
        "w = 1\ndef step():\n    layer(w)\nstep()\nlayer = print\n",
        "w = 1\ndef train():\n    step()\ntrain()\ndef step():\n    pass\n",
        "w = 1\nclass Net:\n    def __init__(self):\n        step()\nnet = Net()\ndef step():\n    pass\n",
        "w = 1\ndef main():\n    step()\n    def step():\n        pass\nmain()\n",
        "w = 1\nprint([step(n) for n in range(3)])\ndef step(n):\n    pass\n",
    ],
)
def test_a_name_that_is_used_above_what_makes_it_is_refused(text: str) -> None:
    with pytest.raises(NotNativeError, match="would be used above the statement that makes it") as refused:
        require_bound_in_time(ast.parse(text), ast.parse(OLD))
    assert refused.value.code == "NAT008"


@pytest.mark.parametrize(
    "text",
    [
        "w = 1\ndef step():\n    pass\nfor n in range(3):\n    step()\n",
        "w = 1\ndef train():\n    step()\ndef step():\n    pass\ntrain()\n",
        "w = 1\ndef step():\n    return [\n        part\n        for part in range(3)\n    ]\nstep()\n",
        "w = 1\ndef step(part):\n    part = part + 1\n    return part\nstep(1)\npart = 2\n",
        "for n in range(3):\n    if n:\n        print(w)\n    w = 1\n",
    ],
)
def test_a_name_that_is_bound_in_time_is_not(text: str) -> None:
    require_bound_in_time(ast.parse(text), ast.parse(OLD))

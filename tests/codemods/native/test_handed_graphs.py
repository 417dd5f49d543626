"""Functions that get a graph from the function that builds it, and run it in a session.

`handed.py` of `fixtures/sessions/programs` is recorded and proven.
"""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import FIXTURES, native

HANDED = (FIXTURES / "programs" / "handed.py").read_text("utf-8")
CALL = "    training(x, y, loss, optimizer, global_step, accuracy)\n"


def test_the_function_with_the_session_stands_in_the_one_that_builds() -> None:
    text = native(HANDED).text
    assert "def training(" not in text
    assert (
        text.index("def main():\n") < text.index("def train_step(x, y):\n") < text.index("rows, labels = read_data()")
    )
    assert "iteration = global_step.numpy()  # 0 if there is no checkpoint\n" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (CALL, CALL + CALL),
        (CALL, "    for _ in range(2):\n    " + CALL),
        ("    main()\n", "    main()\n    main()\n"),
        ("    main()\n", "    for _ in range(2):\n        main()\n"),
        ("    main()\n", "    run = main\n    run()\n"),
        (CALL, CALL + "    print(training)\n"),
        (
            "    rows, labels = read_data()\n    with",
            "    if NUM_STEPS > 3:\n        return\n    rows, labels = read_data()\n    with",
        ),
    ],
)
def test_a_function_that_may_run_otherwise_stays(old: str, new: str) -> None:
    assert old in HANDED
    with pytest.raises(NotNativeError):
        native(HANDED.replace(old, new))

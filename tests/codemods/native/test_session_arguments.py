"""Sessions among the arguments of methods: under another name, and of methods that nothing calls.

`stepwise.py` of `fixtures/sessions/programs` is recorded and proven.
"""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import FIXTURES, native, run

STEPWISE = (FIXTURES / "programs" / "stepwise.py").read_text("utf-8")
PREDICT = "        return session.run(self.out, feed_dict={self.x: x})\n"
TRAIN = "model.train(sess, rows, rows.sum(axis=1))"


def test_methods_get_no_session() -> None:
    text = native(STEPWISE).text
    assert "    def train(self, x, y):\n" in text
    assert "    def predict(self, x):\n" in text
    assert run(text) == (FIXTURES / "printed" / "stepwise.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (PREDICT, PREDICT.replace("        return", "        session.check(x)\n        return")),
        (PREDICT, PREDICT.replace("        return", "        self.kept = session\n        return")),
        (TRAIN, TRAIN.replace("sess,", "other(sess),")),
        (TRAIN, TRAIN.replace("sess,", "sess if step else other,")),
    ],
)
def test_what_may_be_no_session_is_refused(old: str, new: str) -> None:
    assert old in STEPWISE
    with pytest.raises(NotNativeError):
        native(STEPWISE.replace(old, new, 1))


def test_a_name_of_a_method_stays_its_own() -> None:
    own = "    def train(self, session, x, y):\n        sess = x * 2.0\n        return session.run("
    text = STEPWISE.replace("    def train(self, session, x, y):\n        return session.run(", own)
    assert text != STEPWISE
    with pytest.raises(NotNativeError):
        native(text)

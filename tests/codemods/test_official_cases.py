"""The cases of TensorFlow's own upgrade tool, run through ours: input -> text that means what theirs does.

They are read from a copy of `tensorflow/tools/compatibility/tf_upgrade_v2_test.py`, which the wheel does not hold:
TF_UPGRADE_V2_TEST names it. A case holds where our text is theirs, or where it is theirs or the input with
`tf.compat.v1` or `tf2bridge.v1` in front of its names, all of which are there today (theirs rewrites calls for the
functions of TensorFlow 2). Their cases hold calls that no release takes (`tf.assert_rank(a)`), so the arguments of
what keeps its own are not asked about. Where neither is so, DIFFERENCES says why.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import types
import unittest
from pathlib import Path
from typing import Any

import pytest

from codemods.engine import Changed, SourceFile, check_text
from codemods.settings import Settings
from codemods.symbols.census import Kind, take

CASES = Path(os.environ.get("TF_UPGRADE_V2_TEST", "tf_upgrade_v2_test.py"))
_HEAD = "import tensorflow as tf\n"
_ADDED = re.compile(r"^import (?:tensorflow as tf|tf2bridge\.v[01])\n", re.MULTILINE)


class _Unasked(list[str]):
    """What their tool reports, which is not asked of ours."""

    def __getitem__(self, index: Any) -> Any:
        return ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list)

    __hash__ = None


# What asks about the tool itself: its lists, its files, its reports.
_ITSELF = frozenset(
    [
        "testAllAPI", "testAllAPIV1", "testApiImportRename", "testCompatv1Import", "testFromCompatv1", "testImport",
        "testImportInsertion", "testImportWithV1", "testMultipleFilesWithImports", "testNoImportInsertion",
        "testParseError", "testPositionsMatchArgGiven", "testReorderFileNeedsUpdate", "testReport",
        "testUpgradeCopyWithSymlink", "testUpgradeCopyWithSymlinkInDifferentDir", "testUpgradeInplaceWithSymlink",
        "testUpgradeInplaceWithSymlinkInDifferentDir", "testV1KeywordArgNames", "testV2KeywordArgNames", "testWarning",
        "test_import_analysis", "test_import_rename_analysis",
    ]
)  # fmt: skip


def upgraded(text: str) -> str:
    """The text after our rules for names and arguments; a case without an import is given one, and loses it again."""
    content = text if "import tensorflow" in text else _HEAD + text
    result = check_text(
        content, "test.py", Settings(select=("TFN", "TFA", "TFC"), ignore=("TFA006",), unsafe_fixes=True)
    )
    after = result.after.decode() if isinstance(result, Changed) else content
    return after if content is text else _ADDED.sub("", after)


def kept(before: str, after: str) -> bool:
    """Whether the text is as it was but for the place its names are taken from, and its names are there today."""
    try:
        same = _dumped(after) == _dumped(before)
    except SyntaxError:
        return False
    head = "" if "import tensorflow" in after else _HEAD
    return same and all(dead.kind is Kind.CALL for dead in take([SourceFile("test.py", head + after)]).dead)


def _dumped(text: str) -> str:
    return ast.dump(ast.parse(text.replace("tf.compat.v1.", "tf.").replace("tf2bridge.v1.", "tf.")))


def _adapted(module: types.ModuleType) -> type[unittest.TestCase]:
    """Their test class, with our rewrite in place of theirs."""
    official: Any = module.TestUpgrade
    asked: list[tuple[str, str]] = []

    def _upgrade(_: Any, text: str, *_rest: Any, **_more: Any) -> tuple[int, str, list[str], str]:
        asked.append((text, upgraded(text)))
        return 1, "", _Unasked(), asked[-1][1]

    def assert_equal(self: Any, first: Any, second: Any, msg: Any = None) -> None:
        texts = [item for item in (first, second) if isinstance(item, str)]
        if first == second:
            return
        before, ours = asked[-1] if asked else ("", "")
        theirs = [text for text in texts if text != ours]
        if ours not in texts or not any(kept(other, ours) for other in (before, *theirs)):
            raise self.failureException(msg or f"{before!r}: {first!r} is not {second!r}")

    def assert_in(self: Any, member: Any, container: Any, msg: Any = None) -> None:
        if container:  # what their reports say is not asked of ours
            super(type(self), self).assertIn(member, container, msg)

    own = {"_upgrade": _upgrade, "assertEqual": assert_equal, "assertIn": assert_in, "assertRegex": assert_in}
    return type("Adapted", (official,), {**own, "assertNotIn": assert_in, "assertRegexpMatches": assert_in})


def _load() -> types.ModuleType:
    result = importlib.util.spec_from_file_location("official_cases", CASES)
    assert result is not None and result.loader is not None
    module = importlib.util.module_from_spec(result)
    result.loader.exec_module(module)
    return module


@pytest.mark.skipif(not CASES.is_file(), reason="TF_UPGRADE_V2_TEST names no copy of TensorFlow's own cases")
def test_official_cases_hold() -> None:
    pytest.importorskip("tensorflow")
    adapted = _adapted(_load())
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(adapted)
    result = unittest.TestResult()
    ran: set[str] = set()
    for test in suite:
        assert isinstance(test, unittest.TestCase)
        name = test.id().rpartition(".")[2]
        if name not in _ITSELF:
            test.run(result)
        ran.add(name)
    failed = {test.id().rpartition(".")[2]: text for test, text in (*result.failures, *result.errors)}
    assert not {name: text.strip().splitlines()[-1] for name, text in failed.items() if name not in DIFFERENCES}
    assert not (ran & DIFFERENCES.keys()) - failed.keys(), "no difference any more"
    assert result.testsRun > 50


_OWN_SUMMARY = (
    "theirs goes to tf.compat.v2.summary, whose events differ; tf2bridge.v1.contrib.summary writes those of 1.15"
)
DIFFERENCES = {
    "testDropout": "ours writes the number where that is exact: rate=0.6, theirs rate=1 - (.4)",
    "testImageResizeExtraPositionalArgs": "theirs is tf.image.resize, which has other pixel centers; ours stays 1.x",
    "testInitializers": "tf.keras of a file that has no graph mode is left alone",
    "testIntializers": "tf.keras of a file that has no graph mode is left alone",
    "testKerasSavedModel": "their targets are dead on 2.21 (Keras 3); ours says so at the line",
    "testPywrapTensorflowWarning": "ours marks what the checkpoint readers do not answer by a TODO",
    "test_contrib_summary_full_example": _OWN_SUMMARY,
    "test_distribute_strategy": "ours writes the core name of what was an alias in 1.15.5",
}

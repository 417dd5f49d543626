"""Every module and public name of the genuine releases is here, or is excluded with its reason, or is listed as absent.

The modules and names are those of tf2bridge/v1/genuine, which scripts in fixtures/ took from the genuine releases.
"""

from __future__ import annotations

import difflib

import pytest

from fixtures.absent_names import absent, absent_modules, listed
from tf2bridge.behaviour.release import MEASURED
from tf2bridge.v1 import genuine


@pytest.fixture(autouse=True)
def _no_suggestions(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a refusal would suggest instead takes longer to find than the name itself."""
    monkeypatch.setattr(difflib, "get_close_matches", lambda *_, **__: [])


@pytest.mark.parametrize("release", MEASURED)
def test_every_module_imports_or_is_excluded(release: str) -> None:
    assert absent_modules(release) == []


@pytest.mark.soak
@pytest.mark.parametrize("release", MEASURED)
def test_every_public_name_resolves_or_is_excluded_or_listed(release: str) -> None:
    known = listed()
    missing = {row: names - known.get(row, set()) for row, names in absent(release, genuine.modules(release))}
    assert {row: names for row, names in missing.items() if names} == {}

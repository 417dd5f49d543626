"""Small files that ask for much end in one clear line, or are read, within 1 GB and 20 seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.bombs.all_of_them import BOMBS
from tests.hostile.readers import GOOD
from tests.hostile.served import Server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    started = Server()
    yield started
    started.close()


@pytest.mark.soak
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_ends_clearly(name: str, server: Server, tmp_path: Path) -> None:
    result = server.outcome(*BOMBS[name](tmp_path))
    assert result.startswith(GOOD), result

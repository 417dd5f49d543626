"""file(...) -> open(...)."""

from __future__ import annotations

from typing import Any

from fissix.fixer_base import BaseFix
from fissix.fixer_util import Name


class FixFile(BaseFix):  # type: ignore[misc]  # fissix is untyped
    """The constructor of Python 2's file type, called by its bare name."""

    BM_compatible = True
    PATTERN = "power< name='file' trailer< '(' any* ')' > any* >"

    def transform(self, node: Any, results: Any) -> None:  # noqa: ARG002  # fissix's signature
        """Renames the call in place."""
        name = results["name"]
        name.replace(Name("open", prefix=name.prefix))

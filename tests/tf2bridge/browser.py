"""A page as a browser has it when the page's script is done."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def in_browser(text: str, folder: Path, *more: str) -> str:
    """Returns the page's DOM. Skips the test if there is no browser.

    Args:
        text: The page.
        folder: A directory to write it to.
        more: Further flags of Chromium.
    """
    if shutil.which("chromium") is None:
        pytest.skip("no browser")
    (folder / "page.html").write_text(text, "utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom", *more]
    done = subprocess.run(
        ["chromium", *flags, f"file://{folder}/page.html"], capture_output=True, text=True, timeout=120, check=False
    )
    if not done.stdout:
        pytest.skip(f"the browser does not start here: {done.stderr[-300:]}")
    return done.stdout

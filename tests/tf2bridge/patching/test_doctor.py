"""`tf2bridge doctor`: what is installed, held against the inventory; and that the inventory is whole."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tf2bridge.patching import doctor, fingerprints, inventory

ROOT = Path(__file__).parents[3]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=500, cwd=ROOT)


def test_the_installed_libraries_are_as_they_were_read() -> None:
    done = run("-m", "tf2bridge", "doctor", "--output-format", "json")
    libraries: list[dict[str, Any]] = json.loads(done.stdout)
    assert {library["library"]: library["troubles"] for library in libraries} == {
        name: [] for name in ("tensorflow", "tf_keras", "keras", "absl", "python")
    }
    assert done.returncode == 0
    assert next(library for library in libraries if library["library"] == "tensorflow")["names"] > 1000


def test_each_name_was_read_in_each_release_of_its_library() -> None:
    releases: dict[str, set[str]] = {}
    for row in inventory.rows():
        releases.setdefault(row.library, set()).update(row.readings)
    assert {"2.20.0", "2.21.0", "2.22.0rc0"} <= releases["tensorflow"]
    assert {"3.10", "3.11", "3.12", "3.13"} <= releases["python"]
    partly = [row.target for row in inventory.rows() if set(row.readings) != releases[row.library]]
    assert partly == []


@pytest.mark.soak
def test_the_inventory_names_all_that_we_replace_and_use() -> None:
    done = run("fixtures/inventory.py", "--check")
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr[-2000:]


def test_private_names_of_our_source_are_in_the_inventory() -> None:
    code = (
        "from fixtures.inventory import used_names\n"
        "from tf2bridge.patching.inventory import rows\n"
        "known = {row.target: set(row.users) for row in rows()}\n"
        "print([name for name, users in used_names().items() if not users <= known.get(name, set())])"
    )
    assert run("-c", code).stdout.strip() == "[]"


def check_trouble(target: str, readings: dict[str, str], release: str, kind: str | None, since: str) -> None:
    row = inventory.Row(target, ("v1.seeds",), readings)
    trouble = doctor.trouble_of(row, release)
    assert (trouble.kind, trouble.since) == (kind, since) if trouble else kind is None


def test_troubles() -> None:
    now = fingerprints.fingerprint("csv:DictReader")
    assert now == "class"
    check_trouble("csv:DictReader", {"3.9": "class"}, "3.10", None, "")
    check_trouble("csv:DictReader", {"3.9": "class", "3.10": "built-in"}, "3.9", None, "")
    check_trouble("csv:DictReader", {"3.9": "class", "3.10": "built-in"}, "3.10", "changed", "3.10")
    check_trouble("csv:DictReader", {"3.9": "built-in", "3.11": "class"}, "3.10", "changed", "3.9")
    check_trouble("csv:DictReader", {"3.9": "missing"}, "3.10", "new", "3.9")
    check_trouble("csv:DictReader", {"2.21.0": "built-in", "2.22.0rc0": "class"}, "2.22.0", None, "")  # a later one
    check_trouble("csv:NoReader", {"3.9": "class"}, "3.10", "missing", "3.9")
    check_trouble("no_module_of_this_name:Reader", {"3.9": "class"}, "3.10", "missing", "3.9")


def test_a_fingerprint_is_of_what_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "first_of_a_test.py").write_text("def double(x):\n    return 2 * x\nLIMIT = 3\n")
    (tmp_path / "second_of_a_test.py").write_text("# moved\ndef double(x):\n    # twice\n\n    return 2 * x  \n")
    (tmp_path / "third_of_a_test.py").write_text("def double(x):\n    return x + x\n")
    first, second, third = (
        fingerprints.fingerprint(f"{name}_of_a_test:double") for name in ("first", "second", "third")
    )
    assert first == second != third
    assert fingerprints.fingerprint("first_of_a_test:LIMIT") == "int"
    assert fingerprints.fingerprint("first_of_a_test") == "module"


def test_a_newer_tensorflow_is_a_warning_with_the_verdict() -> None:
    code = (
        "import tensorflow as tf\n"
        "tf.__version__ = '2.99.0'\n"
        "from tf2bridge.behaviour.installed import tensorflow\n"
        "assert tensorflow() is tf"
    )
    done = run("-W", "always", "-c", code)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "NewerTensorFlowWarning: tensorflow 2." in done.stderr
    assert "all as they were; these are names that tf2bridge replaces or uses" in done.stderr


def test_an_older_tensorflow_is_refused() -> None:
    code = "import tensorflow as tf\ntf.__version__ = '2.15.1'\nfrom tf2bridge import v1\nv1.enable()"
    assert "TensorFlow 2.15.1 is installed, but tf2bridge supports 2.20 and later" in run("-c", code).stderr

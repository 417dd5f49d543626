"""codemods know what Python has removed since 3.6, which genuine TensorFlow 1.4.1 runs on."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from codemods.rules.libraries import removed_modules, removed_names
from tests import oracles

# Other rules have them: collections (LIB005), getargspec (LIB006), clock (LIB007).
ELSEWHERE = ("collections.", "inspect.getargspec", "time.clock")
# Programs have no use for them: hooks of interpreters and debuggers, formats of the 1980s, classes that were private.
INNER = frozenset(
    """asyncio.async asyncio.tasks.async binascii.a2b_hqx binascii.b2a_hqx binascii.rlecode_hqx binascii.rledecode_hqx
    configparser.LegacyInterpolation dis.hasnargs opcode.hasnargs ntpath.splitunc plistlib.Data plistlib.Dict
    plistlib.Plist posix.stat_float_times socket.CAN_RAW_ERR_FILTER sqlite3.Cache sqlite3.Statement sys.callstats
    sys.get_coroutine_wrapper sys.set_coroutine_wrapper token.ASYNC token.AWAIT tokenize.ASYNC tokenize.AWAIT
    typing.GenericMeta""".split()  # noqa: SIM905  # a list of words
)
SCRIPT = """
import importlib, json, os, pkgutil, sys, warnings
warnings.simplefilter("ignore")
left_out = {"this", "antigravity", "idlelib", "lib2to3", "test", "turtledemo", "tkinter", "ensurepip", "venv", "turtle"}
left_out |= {"sre_compile", "sre_constants", "sre_parse", "xml", "email"}
left_out |= {"distutils", "site", "xxlimited", "pip", "setuptools", "pkg_resources", "__main__"}
top = os.path.dirname(os.__file__)
names = set(sys.builtin_module_names) | {m.name for m in pkgutil.iter_modules([top, os.path.join(top, "lib-dynload")])}
public = {name for name in names if not name.startswith("_")} - left_out
rows = {}
for name in sorted(public | {"asyncio.tasks", "importlib.util", "importlib.abc", "xml.etree.ElementTree", "os.path"}):
    try:
        module = importlib.import_module(name)
    except BaseException:
        continue
    listed = [key for key in getattr(module, "__all__", ()) if not hasattr(getattr(module, key, None), "__path__")]
    own = [key for key in dir(module) if getattr(getattr(module, key, None), "__module__", None) == name]
    whole = [key for key in (listed or own) if not key.startswith("_")]
    rows[name] = [whole, dir(module)]
print(json.dumps(rows))
"""


def _names(python: str) -> dict[str, list[list[str]]]:
    done = subprocess.run([python, "-c", SCRIPT], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    return dict(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.oracle
def test_each_name_that_is_gone_is_known() -> None:
    then, now = _names(str(oracles.interpreter("1.4.1"))), _names(sys.executable)
    gone = {
        f"{module}.{name}"
        for module, (public, _) in then.items()
        for name in public
        if module in now and module not in removed_modules.MODULES and name not in now[module][1]
    }
    known = removed_names.RENAMED.keys() | removed_names.GONE.keys() | INNER
    assert {name for name in gone - known if not name.startswith(ELSEWHERE)} == set()
    assert "fractions.gcd" in gone

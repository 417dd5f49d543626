"""The flags that `import tensorflow` defines, and a program that defines them again."""

from __future__ import annotations

import json

from codemods.engine import Changed, check_text
from codemods.rules.names.library_flag import OF_LIBRARIES, READ
from codemods.settings import Settings
from tests import forked

DEFINED = """
import json
import tensorflow
from absl import flags
modules = flags.FLAGS.flags_by_module_dict()
print(json.dumps({module: [flag.name for flag in found] for module, found in modules.items()}))
"""


def test_the_names_are_those_that_are_defined() -> None:
    modules = json.loads(forked.run(DEFINED).stdout)
    read = {*modules.pop("absl.app"), *modules.pop("absl.logging")} - {"log_dir"}
    assert read <= READ
    assert {name for names in modules.values() for name in names} <= OF_LIBRARIES


def test_a_program_runs_that_defines_them_all_again() -> None:
    lines = [f'tf.app.flags.DEFINE_string("{name}", "own", "")' for name in sorted(OF_LIBRARIES)]
    lines += [
        "def main(_):",
        '    print(tf.app.flags.FLAGS.log_dir, tf.app.flags.FLAGS["v"].value)',
        "tf.app.run(main)",
    ]
    text = "\n".join(["import tensorflow as tf", *lines, ""])
    mended = check_text(text, "train.py", Settings(select=("TFN",)))
    assert isinstance(mended, Changed)
    done = forked.run(mended.after.decode(), "--log_dir=given")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "given own\n"

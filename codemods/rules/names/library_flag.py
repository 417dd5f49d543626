"""TFN010: flags of a program that have the name of a flag of absl or of TensorFlow."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.calls import is_plain, with_keyword
from codemods.context import Context
from codemods.names import in_v1
from codemods.rule import Example, Hit, Rule, Safety

# What `import tensorflow` defines in TensorFlow 2.20 and 2.21. (Checked by tests/codemods/test_library_flags.py.)
OF_LIBRARIES = frozenset(
    [
        "delta_threshold",
        "hbm_oom_exit",
        "log_dir",
        "op_conversion_fallback_to_while_loop",
        "runtime_oom_exit",
        "test_random_seed",
        "test_randomize_ordering_seed",
        "test_srcdir",
        "test_tmpdir",
        "tt_check_filter",
        "tt_single_core_summaries",
        "v",
        "xml_output_file",
    ]
)
# Flags that absl's own app.run and logging read, in every program.
READ = frozenset(
    [
        "alsologtostderr",
        "logger_levels",
        "logtostderr",
        "only_check_args",
        "pdb",
        "pdb_post_mortem",
        "profile_file",
        "run_with_pdb",
        "run_with_profiling",
        "showprefixforinfo",
        "stderrthreshold",
        "use_cprofile_for_profiling",
        "verbosity",
    ]
)
_MODULES = ("flags", "app.flags", "python.platform.flags")


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on DEFINE_string("log_dir", ...) and other definitions of a flag that a library defines."""
    module, _, function = (context.qualified(call.func) or "").rpartition(".")
    if not function.startswith("DEFINE_") or not (module == "absl.flags" or in_v1(module) in _MODULES):
        return
    given = [*call.args[:1], *(word.value for word in call.keywords if word.arg in ("name", "flag_name"))]
    name = given[0].value if given and isinstance(given[0], ast.Constant) else None
    if not is_plain(call) or any(word.arg == "allow_override" for word in call.keywords):
        return
    if name in READ:
        message = f"absl has a flag --{name} and would read this one in its place: rename this one"
        yield Hit(call, message, Safety.MANUAL, todo=True)
    elif name in OF_LIBRARIES:
        message = (
            f"import tensorflow defines a flag --{name}: without allow_override, a second one raises a "
            "DuplicateFlagError"
        )
        yield Hit(call, message, rewrite=with_keyword("allow_override", "True"))


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFN010",
    name="library-flag",
    summary='DEFINE_string("log_dir", ...) -> DEFINE_string("log_dir", ..., allow_override=True)',
    why="Up to 1.12, every flag name was free for the program. Since 1.15, `import tensorflow` defines some thirty "
    "flags, --log_dir and --v among them, and a program that defines one of them again ends with a "
    "DuplicateFlagError. With allow_override=True the program's flag replaces the library's, which nothing else "
    "reads. But app.run and logging read some of their flags in every program, such as --verbosity and "
    "--profile_file. A person has to rename those, or use tf2bridge.v1.enable, with which a library continues to read "
    "its own flag.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("tensorflow", "tf2bridge", "absl"),
    find=find,
    examples=(
        Example(
            f"{_T}tf.app.flags.DEFINE_string('log_dir', '/tmp/logs', 'where')\n",
            f"{_T}tf.app.flags.DEFINE_string('log_dir', '/tmp/logs', 'where', allow_override=True)\n",
        ),
        Example(
            "from absl import flags\nflags.DEFINE_integer(name='v', default=1, help='')\n",
            "from absl import flags\nflags.DEFINE_integer(name='v', default=1, help='', allow_override=True)\n",
        ),
        Example(
            f"{_T}flags = tf.flags\nflags.DEFINE_string('profile_file', '', '')\n",
            f"{_T}flags = tf.flags\n# TODO(codemods TFN010): absl has a flag --profile_file and would read this one "
            "in its place: rename this one\nflags.DEFINE_string('profile_file', '', '')\n",
        ),
        Example(f"{_T}tf.app.flags.DEFINE_string('logdir', '/tmp/logs', 'where')\n"),
        Example("from absl import flags\nflags.DEFINE_string('log_dir', '', '', allow_override=True)\n"),
        Example("from mine import flags\nflags.DEFINE_string('log_dir', '', '')\n"),
    ),
)

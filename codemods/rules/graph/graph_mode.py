"""TFG001: the entry file of a program switches graph mode on before the first op."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import needs_graphs
from codemods.behaviour import EARLY, EARLY_UNTIL
from codemods.context import Context
from codemods.insert import import_anchor
from codemods.names import in_v1
from codemods.rule import Example, Hit, Rule, Safety

# A program that calls one of these runs eagerly, without graph mode. A program that uses a name of _EAGER does so too,
# unless it also uses one of _OF_SESSIONS.
_SWITCHES = frozenset(
    f"tensorflow.{name}"
    for name in (
        "enable_eager_execution", "compat.v1.enable_eager_execution", "contrib.eager.enable_eager_execution",
        "enable_v2_behavior", "compat.v1.enable_v2_behavior",
    )
)  # fmt: skip
_EAGER = frozenset(("tensorflow.GradientTape", "tensorflow.function"))
# None of these works in eager execution, outside a tf.Graph.
_OF_SESSIONS = frozenset(
    (
        "InteractiveSession", "Session", "placeholder", "train.MonitoredSession", "train.MonitoredTrainingSession",
        "train.SingularMonitoredSession", "train.Supervisor", "keras.backend.get_session", "keras.backend.set_session",
    )
)  # fmt: skip

_FIRST = "1.4"  # the first of 1.x that was measured


def find(module: ast.Module, context: Context) -> Iterator[Hit]:
    """Yields one hit in each entry file that does not switch yet, on the statement next to which the switch goes."""
    project, path = context.project, context.path
    if not project.is_entry(path) or project.is_switched(path) or _is_eager(context) or _is_of_keras(context):
        return
    safety = Safety.UNSAFE if _needs_old_keras_alone(context) else None
    if safety and context.target == "bridge":
        return
    line, imports, why = _switch(context)
    message = f"this program needs graph mode before it makes its first op{why}"
    own = _own_import(module, context)
    local = _first_local_import(module, context)
    lines = (*dict.fromkeys((*_tensorflow_import(context), *imports)), line)
    if own is not None and (local is None or module.body.index(own) < module.body.index(local)):
        yield Hit(own, message, safety, after=(line,), imports=imports)
    elif local is not None:
        yield Hit(local, message, safety, before=lines)
    else:
        anchor = import_anchor(module)
        if anchor is not None:
            yield Hit(anchor, message, safety, after=lines)
        elif module.body:
            yield Hit(module.body[0], message, safety, before=lines)


def _needs_old_keras_alone(context: Context) -> bool:
    """Returns whether the program uses Keras 2 and no name of TensorFlow.

    TFK002 rewrites such a program, with --unsafe-fixes only.
    """
    files = [context.project.files[path] for path in context.project.reaches(context.path)]
    return any(facts.old_keras for facts in files) and not any(facts.names_used for facts in files)


def _is_of_keras(context: Context) -> bool:
    """Returns whether the program uses tf.keras, which works only in eager mode, and nothing that needs a graph."""
    files = context.project.files
    reached = context.project.reaches(context.path)
    keras = any(name.startswith("tensorflow.keras.") for path in reached for name in files[path].names_used)
    return keras and context.target == "compat" and not needs_graphs(context)


def _is_eager(context: Context) -> bool:
    files = [context.project.files[path] for path in context.project.reaches(context.path)]
    if context.second or any(facts.wraps or _SWITCHES & facts.names_used for facts in files):
        return True
    used = frozenset().union(*(facts.names_used for facts in files))
    return bool(_EAGER & used) and not _OF_SESSIONS & frozenset(map(in_v1, used))


def _switch(context: Context) -> tuple[str, tuple[str, ...], str]:
    """Returns the line that switches graph mode on, the imports it needs, and the reason for this line."""
    era = context.era
    release_note = f"written for TensorFlow {era.release}: {era.evidence}"
    if context.target == "bridge":
        return f'{_alias(context)}.enable(api="{era.release}")', (), f" ({release_note})"
    kept = _kept(context)
    if kept:
        # If it is uncertain that the program is of 0.x, it does not get what 1.0 changed under the same names.
        doubtful = era.is_0x and not era.certain and "seeds" not in kept
        line = f'tf2bridge.v1.enable(api="{_FIRST if doubtful else era.release}")'
        return line, ("import tf2bridge.v1",), f", and the {_listed(kept)} of its release ({release_note})"
    v1 = _alias_of_v1(context)
    if v1:
        return f"{v1}.disable_v2_behavior()", (), ""
    return f"{_alias(context)}.compat.v1.disable_v2_behavior()", context.needs("tensorflow"), ""


def _kept(context: Context) -> list[str]:
    """Returns which behaviour of its release the program needs beside graph mode."""
    era, path = context.era, context.path
    kept = ["seeds"] if context.project.is_seeded(path) else []
    changed = context.project.changed(path)
    if era.release not in EARLY_UNTIL:
        changed -= EARLY
    kept += sorted(changed)
    return kept + (["default initializer", "integer division"] if era.is_0x and era.certain else [])


def _listed(names: list[str]) -> str:
    """Returns "a", "a and b", or "a, b and c"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _alias_of_v1(context: Context) -> str | None:
    """Returns the file's name for tensorflow.compat.v1, if it has no name for TensorFlow itself."""
    return None if context.names.alias_of("tensorflow") else context.names.alias_of("tensorflow.compat.v1")


def _alias(context: Context) -> str:
    return context.spell("tensorflow")


def _tensorflow_import(context: Context) -> tuple[str, ...]:
    """Returns the import that the switch needs in a file whose own import of TensorFlow is late or missing."""
    alias = _alias(context)
    if context.target == "bridge":
        return (f"from tf2bridge import v1 as {alias}",)
    if _kept(context):  # the switch is tf2bridge's
        return ()
    v1 = _alias_of_v1(context)
    if v1:
        return (f"import tensorflow.compat.v1 as {v1}",)
    return ("import tensorflow" if alias == "tensorflow" else f"import tensorflow as {alias}",)


def _own_import(module: ast.Module, context: Context) -> ast.stmt | None:
    """Returns the top-level statement that binds the alias of TensorFlow."""
    wanted = {"tensorflow", "tensorflow.compat.v1"}
    if context.names.alias_of("tensorflow"):
        wanted = {"tensorflow"}
    for statement in module.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Import) and any(_binds(alias, wanted) for alias in node.names):
                return statement
            if isinstance(node, ast.ImportFrom) and node.module == "tensorflow.compat" and "tensorflow" not in wanted:
                return statement
    return None


def _binds(alias: ast.alias, wanted: set[str]) -> bool:
    return alias.name in wanted if alias.asname else alias.name.split(".")[0] in wanted


def _first_local_import(module: ast.Module, context: Context) -> ast.stmt | None:
    """Returns the first top-level statement that loads a module of the project which uses TensorFlow."""
    for statement in module.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if context.project.loads_local_tf(context.path, statement):
            return statement
    return None


_PROGRAM = "with tf.Session() as sess:\n    print(sess.run(tf.constant(1)))\n"
_MODEL = ("model.py", "import tensorflow as tf\n\ndef build():\n    return tf.constant(1)\n")

rule = Rule(
    code="TFG001",
    name="graph-mode",
    summary="switch graph mode on at a program's entry",
    why="TensorFlow 2 runs ops eagerly, with other variables and other control flow. A TensorFlow 1 program computes "
    "what it did only if all of this is switched off once, before its first op. Some programs also need more of their "
    "release's behaviour, and tf2bridge.v1.enable gives it to them. Programs that set a graph seed get the seeds of "
    "their release, so that random initial values are the old ones. Programs of 0.x get what 1.0 changed under the "
    "same names: the initializer of get_variable, // and % of tensors. Programs that take powers get the old results, "
    "because TensorFlow 2's kernel rounds one value in four differently. So do programs that look up sparse rows, "
    "divide to get a size, place operations on GPUs that may not be there, train with tf.keras (its losses and "
    "optimizers differ by release) or, up to 1.4, have boolean flags (`--flag False` is true today), take steps of "
    "Adadelta, or scale normal initial values by the sizes of a layer.",
    safety=Safety.SAFE,
    on=(ast.Module,),
    find=find,
    examples=(
        Example(  # a program of graphs imports this file; that does not make the file a program of graphs
            "from compat import layers\n\nif __name__ == '__main__':\n    main()\n",
            path="download.py",
            files=(
                ("compat.py", "import tensorflow as tf\nlayers = tf.keras.layers\n"),
                ("train.py", "import tensorflow as tf\nimport download\nx = tf.placeholder(tf.float32)\n"),
            ),
        ),
        Example(
            f"import tensorflow as tf\n\n{_PROGRAM}",
            f"import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\n\n{_PROGRAM}",
        ),
        Example(
            f"import model\nimport tensorflow.compat.v1 as tf\n\n{_PROGRAM}",
            "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
            f"import model\nimport tensorflow.compat.v1 as tf\n\n{_PROGRAM}",
            files=(_MODEL,),
        ),
        Example(
            f"import tensorflow as tf\ntf.set_random_seed(1)\ntf.mul(1, 2)\n{_PROGRAM}",
            'import tensorflow as tf\nimport tf2bridge.v1\ntf2bridge.v1.enable(api="0.12")\n'
            f"tf.set_random_seed(1)\ntf.mul(1, 2)\n{_PROGRAM}",
            from_version="0.12",
        ),
        Example(
            f"import tensorflow as tf\nw = tf.get_variable('w', [3])\n{_PROGRAM}",
            'import tensorflow as tf\nimport tf2bridge.v1\ntf2bridge.v1.enable(api="0.12")\n'
            f"w = tf.get_variable('w', [3])\n{_PROGRAM}",
            from_version="0.12",
        ),
        Example(
            f"import tensorflow as tf\ny = tf.constant(2.0) ** 3\n{_PROGRAM}",
            'import tensorflow as tf\nimport tf2bridge.v1\ntf2bridge.v1.enable(api="1.15")\n'
            f"y = tf.constant(2.0) ** 3\n{_PROGRAM}",
        ),
        Example(
            f"import tensorflow as tf\nn = [2**i for i in range(9)]\n{_PROGRAM}",
            f"import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\nn = [2**i for i in range(9)]\n{_PROGRAM}",
        ),
        Example(
            "import model\nimport tensorflow as tf\nif __name__ == '__main__':\n    model.build()\n",
            "import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\nimport model\nimport tensorflow as tf\n"
            "if __name__ == '__main__':\n    model.build()\n",
            files=(_MODEL,),
        ),
        Example(
            f"import tensorflow as tf\nif old:\n    tf = tf.compat.v1\n{_PROGRAM}",
            "import tensorflow as tf\nimport tensorflow\ntensorflow.compat.v1.disable_v2_behavior()\n"
            f"if old:\n    tf = tf.compat.v1\n{_PROGRAM}",
        ),
        Example(
            "import model\nif __name__ == '__main__':\n    model.build()\n",
            'import tf2bridge.v1\ntf2bridge.v1.enable(api="1.15")\nimport model\n'
            "if __name__ == '__main__':\n    model.build()\n",
            files=(("model.py", "import tensorflow as tf\n\ndef build():\n    tf.set_random_seed(1)\n"),),
        ),
        Example("import tensorflow as tf\n\ndef build():\n    return tf.constant(1)\n"),
        Example(f"import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\n{_PROGRAM}"),
        Example(
            f"import tensorflow as tf\n@tf.function\ndef f(x):\n    return x\n{_PROGRAM}",
            "import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\n@tf.function\ndef f(x):\n    return x\n"
            f"{_PROGRAM}",
        ),
        Example(
            "import tensorflow as tf\nm = tf.keras.Sequential()\nsess = tf.compat.v1.keras.backend.get_session()\n",
            'import tensorflow as tf\nimport tf2bridge.v1\ntf2bridge.v1.enable(api="1.15")\nm = tf.keras.Sequential()\n'
            "sess = tf.compat.v1.keras.backend.get_session()\n",
        ),
        Example("import tensorflow as tf\n@tf.function\ndef f(x):\n    return x\nprint(f(tf.constant(1)))\n"),
        Example("import tensorflow as tf\ntf.enable_eager_execution()\nprint(tf.constant(1))\n"),
        Example("import tensorflow as tf\nimport tf2bridge\nm = tf2bridge.wrap(lambda: tf.ones([3]))\nprint(m())\n"),
        Example(
            "from keras.engine import Layer\nclass A(Layer):\n    pass\nif __name__ == '__main__':\n    A()\n",
            "import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\nfrom keras.engine import Layer\n"
            "class A(Layer):\n    pass\nif __name__ == '__main__':\n    A()\n",
            unsafe_fixes=True,
        ),
        Example("from keras.models import Sequential\nif __name__ == '__main__':\n    Sequential()\n"),
        Example("import tensorflow as tf\nm = tf.keras.Sequential()\nm.fit(tf.ones([3]))\n"),
        Example(
            "import tensorflow as tf\nw = tf.summary.create_file_writer(d)\ntf.summary.scalar('a', 1, tf.constant(1))\n"
        ),
        Example(
            f"import tensorflow as tf\n{_PROGRAM}",
            f'import tensorflow as tf\ntf.enable(api="1.4")\n{_PROGRAM}',
            target="bridge",
            from_version="1.4",
        ),
    ),
)

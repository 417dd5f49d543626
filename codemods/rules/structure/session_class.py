"""TFS004: a class that keeps a session and runs it in its methods becomes a live module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.rules.structure.building_class import BuildingClass, is_harmless, outside

MODULE_NAMES = frozenset(
    (
        "adopt", "as_keras_layer", "call", "call_with", "collections", "describe", "ends", "export", "function",
        "graph", "inputs", "kept", "name", "name_scope", "non_trainable_variables", "outputs", "placeholders",
        "program", "restore", "run_by", "save", "session", "submodules", "tables", "trainable_variables", "variables",
        "with_graph", "with_name_scope",
    )
)  # fmt: skip
"""Names of the live module itself; they would hide attributes of the class with the same names."""

_MESSAGE = (
    "the class becomes a live module, whose methods run its session on live variables; its random operations start "
    "anew in each combination of feeds and fetches, where a session continued"
)


def find(statement: ast.ClassDef, context: Context) -> Iterator[Hit]:
    """Yields a hit on a class whose constructor makes placeholders and a session, and whose other methods run it."""
    building_class = BuildingClass.of(statement, context)
    if building_class is None or any(
        context.qualified(decorator) == "tf2bridge.wrap_class" for decorator in statement.decorator_list
    ):
        return
    obstacle = _why_not(building_class, context)
    if obstacle:
        yield Hit(statement, f"tf2bridge.wrap_class cannot be used here: {obstacle}", Safety.MANUAL, todo=True)
    else:
        decorator = f"@{context.spell('tf2bridge')}.wrap_class"
        yield Hit(statement, _MESSAGE, before=(decorator,), imports=("import tf2bridge",))


def _why_not(building_class: BuildingClass, context: Context) -> str:
    """Returns why a person has to rewrite the class; "" if the rule can."""
    if not building_class.sessions:
        return "the session is made outside the class; make it in the constructor, self.sess = tf.Session()"
    if building_class.inherits:
        return (
            f"the class and {building_class.inherits} belong to one hierarchy, and codemods looks at one class at "
            "a time"
        )
    if building_class.built_late:
        return f"the graph is built by {building_class.built_late}, which the constructor does not call"
    if hidden := sorted(building_class.own_names & MODULE_NAMES):
        return f"a live module has its own {', '.join(hidden)}; give those of the class another name"
    return _why_not_here(building_class, context)


def _why_not_here(building_class: BuildingClass, context: Context) -> str:
    project = context.project
    programs = project.reached_by(context.path)
    switched = [path for path in sorted(programs) if project.is_switched(path)]
    if switched:
        return f"{switched[0]} switches graph mode on, for the whole program"
    if name := outside(building_class.statement, context):
        return f"{name} is used outside the class, where there is no graph any more; move it into the constructor"
    other_files = {path for program in programs for path in project.reaches(program)} - project.reaches(context.path)
    for path in sorted(other_files):
        if names := sorted(name for name in project.files[path].names_used if not is_harmless(name)):
            return f"{path} uses {names[0].replace('tensorflow', 'tf', 1)}, where there is no graph any more"
    return ""


_T = "import tensorflow.compat.v1 as tf\n"
_BODY = """\
    def __init__(self, size):
        self.build(size)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())
    def build(self, size):
        self.x = tf.placeholder(tf.float32, [None, size])
        self.y = dense(self.x)
    def predict(self, x):
        return self.sess.run(self.y, {self.x: x})
"""
_HELPER = "def dense(x):\n    return tf.matmul(x, tf.get_variable('w', [3, 1]))\n"
_MAIN = "if __name__ == '__main__':\n    print(Model(3).predict([[1, 2, 3]]))\n"
_OUTSIDE = (
    "tf2bridge.wrap_class cannot be used here: tf.set_random_seed is used outside the class, where there is no graph "
    "any more; move it into the constructor"
)
_GIVEN = _BODY.replace("size):\n        self.build", "sess, size):\n        self.build").replace("tf.Session()", "sess")

rule = Rule(
    code="TFS004",
    name="session-class",
    summary="a class that runs its own session -> @tf2bridge.wrap_class",
    why="With this decorator, a class that builds a graph and keeps a session becomes a class of live modules. Its "
    "methods stay as they are and run on live tf.Variables, in an eager process beside Keras 3. The object is "
    "callable, trainable and exportable. No other part of the program may make ops then. So select TFS before the "
    "other rules: they add no switch to graph mode where the decorator stands. A seeded random op that runs in "
    "several combinations of feeds and fetches starts from the seed in each.",
    safety=Safety.UNSAFE,
    on=(ast.ClassDef,),
    find=find,
    examples=(
        Example(
            f"{_T}{_HELPER}class Model(object):\n{_BODY}{_MAIN}",
            f"{_T}import tf2bridge\n{_HELPER}@tf2bridge.wrap_class\nclass Model(object):\n{_BODY}{_MAIN}",
            unsafe_fixes=True,
        ),
        Example(
            f"{_T}{_HELPER}class Model:\n{_BODY}tf.set_random_seed(1)\n{_MAIN}",
            f"{_T}{_HELPER}# TODO(codemods TFS004): {_OUTSIDE}\nclass Model:\n{_BODY}tf.set_random_seed(1)\n{_MAIN}",
        ),
        Example(
            f"{_T}{_HELPER}class Model:\n{_GIVEN}",
            f"{_T}{_HELPER}# TODO(codemods TFS004): tf2bridge.wrap_class cannot be used here: the session is made "
            f"outside the class; make it in the constructor, self.sess = tf.Session()\nclass Model:\n{_GIVEN}",
        ),
        Example(
            f"{_T}{_HELPER}class Model:\n{_BODY}    def save(self):\n        pass\n",
            f"{_T}{_HELPER}# TODO(codemods TFS004): tf2bridge.wrap_class cannot be used here: a live module has its "
            f"own save; give those of the class another name\nclass Model:\n{_BODY}    def save(self):\n        pass\n",
        ),
        Example(f"{_T}class Config(object):\n    def __init__(self):\n        self.x = 1\n"),
        Example(f"{_T}import tf2bridge\n{_HELPER}@tf2bridge.wrap_class\nclass Model:\n{_BODY}{_MAIN}"),
    ),
)

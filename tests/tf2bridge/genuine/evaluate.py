"""Evaluates the cases of a file and prints what they computed, as JSON.

    python evaluate.py CASES.txt tensorflow            # genuine TensorFlow, on its own Python
    python evaluate.py CASES.txt tf2bridge.v0          # a namespace of ours, on TensorFlow 2

A case is a paragraph: its name after "## ", then statements, the last of which is an expression: what is fetched.
Each runs in a graph of its own, with seed 7 for ops that are given none.
"""

import ast
import importlib
import json
import sys

import numpy as np


def cases(path):
    with open(path) as file:  # noqa: PTH123  # Python 2.7 reads this too
        for paragraph in file.read().split("## ")[1:]:
            name, _, body = paragraph.partition("\n")
            yield name.strip(), body


def plain(value):
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in sorted(value.items())}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, bytes) and not isinstance(value, str):
        return value.decode("latin-1")
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, float) and value != value:
        return "nan"
    return value


def evaluate(tf, body):
    tree = ast.parse(body)
    scope = {"tf": tf, "np": np}
    last = ast.Expression(tree.body.pop().value)
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        exec(compile(tree, "<case>", "exec"), scope)  # noqa: S102  # the cases are ours
        fetched = eval(compile(last, "<case>", "eval"), scope)
        if isinstance(fetched, (str, bool, int)) or fetched is None:
            return {"value": fetched, "variables": {}}
        variables = tf.get_collection("variables") + tf.get_collection("local_variables")
        with tf.Session() as session:
            session.run([variable.initializer for variable in variables])
            return {
                "value": plain(session.run(fetched, scope.get("feed"))),
                "variables": {variable.op.name: variable.get_shape().as_list() for variable in variables},
            }


def main(path, module):
    tf = importlib.import_module(module)
    if module != "tensorflow":
        tf.enable()
    results = {}
    for name, body in cases(path):
        try:
            results[name] = evaluate(tf, body)
        except Exception as error:
            results[name] = {"error": type(error).__name__ + ": " + str(error)}
    print("\n=== results\n" + json.dumps(results, indent=1, sort_keys=True))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])

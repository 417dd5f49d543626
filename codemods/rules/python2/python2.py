"""PY2001: a Python 2 file becomes Python 3."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety


def find(module: ast.Module, context: Context) -> Iterator[Hit]:
    """Yields one hit in a file that was Python 2. The rules see the text that is already converted."""
    if context.why_python2:
        yield Hit(module, f"this is Python 2: {context.why_python2}", done=True)


rule = Rule(
    code="PY2001",
    name="python2",
    summary="Python 2 -> Python 3",
    why="TensorFlow 2 runs on Python 3 only. The rule converts print statements, exceptions, and renamed builtins, "
    "methods and modules. Results that were lists stay lists where a list is needed.",
    safety=Safety.SAFE,
    on=(ast.Module,),
    find=find,
    examples=(
        Example('print "loss", 0.5\n', 'print("loss", 0.5)\n'),
        Example("import sys\nprint >>sys.stderr, 1\n", "import sys\nprint(1, file=sys.stderr)\n"),
        Example("print ('a' + 'b')\nprint ()\nprint 1\n", "print ('a' + 'b')\nprint(())\nprint(1)\n"),
        Example("for i in xrange(3): pass\n", "for i in range(3): pass\n"),
        Example("for k, v in d.iteritems(): pass\n", "for k, v in d.items(): pass\n"),
        Example("class A:\n    def iteritems(self): ...\n    def items(self): return self.iteritems()\n"),
        Example(
            "class A:\n    def iteritems(self): ...\n    def items(self): return self.iteritems()\nprint 1\n",
            "class A:\n    def iteritems(self): ...\n    def items(self): return self.iteritems()\nprint(1)\n",
        ),
        Example("x = d.keys()[0]\nprint x\n", "x = list(d.keys())[0]\nprint(x)\n"),
        Example("for k in d.keys(): print k\n", "for k in d.keys(): print(k)\n"),
        Example("ys = map(f, xs)\nprint ys\n", "ys = list(map(f, xs))\nprint(ys)\n"),
        Example("try: f()\nexcept IOError, e: pass\n", "try: f()\nexcept IOError as e: pass\n"),
        Example("import cPickle\ncPickle.load(f)\n", "import pickle\npickle.load(f)\n"),
        Example("if a:\n\tb()\n        c()\n", "if a:\n        b()\n        c()\n"),
        Example("try:\n    xrange\nexcept NameError:\n    xrange = range\nfor i in xrange(3): pass\n"),
        Example("from six.moves import xrange\nfor i in xrange(3): pass\n"),
        Example("x = u'text'\n"),
    ),
)

"""A program that is joined with the files it imports does what it did, or is refused with the reason.

The programs here import `tf2bridge`, which loads nothing, so that their files count as files of TensorFlow.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codemods.native.facts import Span
from codemods.native.joining import Joined, joined
from codemods.native.module_files import Tree
from codemods.native.refusals import NotJoinedError

TF = "import tf2bridge\n"


def tree_of(files: dict[str, str]) -> Tree:
    return Tree(files, files.get)


def join(files: dict[str, str], path: str = "run.py") -> Joined:
    return joined(path, files[path], tree_of(files))


def printed(folder: Path, path: str, *options: str) -> str:
    command = [sys.executable, *(options or (Path(path).name,))]
    place = folder if options else folder / Path(path).parent
    return subprocess.run(command, cwd=place, capture_output=True, text=True, check=True).stdout


def check_same(files: dict[str, str], folder: Path, path: str = "run.py", *options: str) -> str:
    """Runs a program and its joined text, and returns the text."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    before = printed(folder, path, *options)
    made = join(files, path)
    (folder / path).write_text(made.text, "utf-8")
    assert printed(folder, path, *options) == before != ""
    lines = {name: text.split("\n") for name, text in files.items()}
    assert all(0 < number <= len(lines[name]) for name, number in made.origins)
    return made.text


SAME = {
    "a package": {
        "run.py": TF + "from utils.ops import dense\nprint(dense(2))\n",
        "utils/__init__.py": "",
        "utils/ops.py": TF + "WIDE = 3\ndef dense(x):\n    return x * WIDE\n",
    },
    "a folder without __init__.py": {
        "run.py": TF + "import utils.ops\nprint(utils.ops.dense(2), utils.ops.WIDE)\n",
        "utils/ops.py": TF + "WIDE = 3\ndef dense(x):\n    return x * WIDE\n",
    },
    "modules of a package": {
        "run.py": TF + "from utils import ops, text as t\nprint(ops.dense(2), t.upper('a'))\n",
        "utils/__init__.py": '"""Parts."""\n',
        "utils/ops.py": TF + "from . import text\ndef dense(x):\n    return text.upper('d') * x\n",
        "utils/text.py": "def upper(s):\n    return s.upper()\n",
    },
    "a package that gives names of its files": {
        "run.py": TF + "import nets\nprint(nets.dense(2), nets.layers.conv(1))\n",
        "nets/__init__.py": TF + "from .layers import *\nfrom . import layers\n",
        "nets/layers.py": TF + "def dense(x):\n    return x + 1\ndef conv(x):\n    return -x\n",
    },
    "another name": {
        "run.py": TF + "from model import net as build, WIDE\nimport model as m\nprint(build(2), WIDE, m.net(3))\n",
        "model.py": TF + "WIDE = 3\ndef net(x):\n    return x * WIDE\n",
    },
    "a name that both have": {
        "run.py": TF + "import model\ndef loss(x):\n    return model.loss(x) + 1\nWIDE = 5\n"
        "print(loss(2), WIDE, model.WIDE)\n",
        "model.py": TF + "WIDE = 3\ndef loss(x):\n    return x * WIDE\n",
    },
    "a local name of the program": {
        "run.py": TF + "import model\ndef main():\n    loss = model.loss(2)\n    print(loss)\nmain()\n",
        "model.py": TF + "def loss(x):\n    return x * 3\n",
    },
    "a builtin that a file replaces": {
        "run.py": TF + "import model\nprint(sum([1, 2]), model.total())\n",
        "model.py": TF + "def sum(x):\n    return 'sum'\ndef total():\n    return sum([1])\n",
    },
    "a global that functions change": {
        "run.py": TF + "import model\nmodel.step()\nmodel.step()\ncount = 'mine'\nprint(model.count, count)\n",
        "model.py": TF + "count = 0\ndef step():\n    global count\n    count += 1\n",
    },
    "what runs at import": {
        "run.py": TF + "print('first')\nimport model\nprint('last', model.f())\n",
        "model.py": TF
        + "import data\nif True:\n    print('in a block')\nfor k in range(2):\n    print(k)\nd = {}\nd['a'] = 1\n"
        + "class C: pass\nC.x = 4\ndef f():\n    return data.rows, C.x, d\nunused = 3\n",
        "data.py": "print('data')\nrows = 7\n",
    },
    "calls whose results nothing reads": {
        "run.py": TF + "import random\nimport model\nprint(random.random(), model.f())\n",
        "model.py": TF + "import random\nrandom.seed(1)\ndrawn = random.random()\ndef f():\n    return 1\n",
    },
    "the same file by two ways": {
        "run.py": TF + "import a\nimport b\nprint(a.f(), b.g())\n",
        "a.py": TF + "from ops import one\ndef f():\n    return one()\n",
        "b.py": TF + "from ops import two\ndef g():\n    return two()\n",
        "ops.py": TF + "print('ops')\ndef one():\n    return 1\ndef two():\n    return 2\n",
    },
    "files that import each other": {
        "run.py": TF + "import a\nprint(a.f(3))\n",
        "a.py": TF + "import b\ndef f(n):\n    return 0 if n == 0 else b.g(n - 1) + 1\n",
        "b.py": TF + "import a\ndef g(n):\n    return a.f(n)\n",
    },
    "a star import": {
        "run.py": TF + "from ops import *\nfrom ops import _hidden\nprint(dense(2), math.sqrt(4), _hidden())\n",
        "ops.py": TF + "import math\ndef dense(x):\n    return x\ndef _hidden():\n    return 'h'\n",
    },
    "names of __all__": {
        "run.py": TF + "from ops import *\nprint(dense(2), max(1, 2))\n",
        "ops.py": TF + "__all__ = ['dense']\ndef dense(x):\n    return max(x)\ndef max(x):\n    return 'own'\n",
    },
    "a name of two star imports": {
        "run.py": TF + "from a import *\nfrom b import *\nprint(f())\n",
        "a.py": TF + "def f():\n    return 1\n",
        "b.py": TF + "def f():\n    return 2\n",
    },
    "a star import, and an own name later": {
        "run.py": TF + "from ops import *\ndef f(x):\n    return -x\nprint(f(2), g(2))\n",
        "ops.py": TF + "def f(x):\n    return x\ndef g(x):\n    return f(x) + 10\n",
    },
    "an import in a function": {
        "run.py": TF + "def main():\n    import model\n    from model import g\n    print(model.f(1), g(2))\nmain()\n",
        "model.py": TF + "def f(x):\n    return x\ndef g(x):\n    return f(x) + 1\n",
    },
    "one of two imports": {
        "run.py": TF + "try:\n    from . import model\nexcept ImportError:\n    import model\nprint(model.f(1))\n",
        "model.py": TF + "def f(x):\n    return x\n",
    },
    "what the program does not need": {
        "run.py": TF + "from model import f\nprint(f(1))\n",
        "model.py": TF + "class Other:\n    def __init__(self):\n        import no_such_module\n"
        "def f(x):\n    return x\n"
        "if __name__ == '__main__':\n    print('main')\n",
    },
    "the name of a module": {
        "run.py": TF + "import utils.model\nprint(utils.model.f())\n",
        "utils/model.py": TF + "def f():\n    return __name__\n",
    },
    "the same import and the same constant": {
        "run.py": TF + "import math as m\nfrom model import f\nSIZE = 28\nprint(f(), m.pi, SIZE)\n",
        "model.py": TF + "import math as m\nSIZE = 28\ndef f():\n    return m.pi + SIZE\n",
    },
    "all names of a file without TensorFlow": {
        "run.py": TF + "from config import *\nimport model\nprint(model.f(), rate, sizes)\n",
        "model.py": TF + "from config import *\ndef f():\n    return rate, sizes\n",
        "config.py": "from more import *\nrate = 2\n",
        "more.py": "sizes = [1]\n",
    },
    "an import of another file in a try block": {
        "run.py": TF + "import string as js\nimport model\nprint(js.digits, model.f([1]))\n",
        "model.py": TF + "try:\n    import no_such_json as js\nexcept ImportError:\n    import json as js\n"
        "def f(x):\n    return js.dumps(x)\n",
    },
    "an import of two names, one of them of both files": {
        "run.py": TF + "import json as text\nimport utils.model\nprint(utils.model.f(), text.dumps([1]))\n",
        "utils/model.py": TF + "from . import text, ops\ndef f():\n    return text.t, ops.g()\n",
        "utils/ops.py": TF + "def g():\n    return 1\n",
        "utils/text.py": "t = 't'\n",
    },
    "another module of the same name": {
        "run.py": TF + "import math as m\nfrom model import f\nprint(f(), m.pi)\n",
        "model.py": TF + "import string as m\ndef f():\n    return m.digits\n",
    },
    "a method and an option of the same name": {
        "run.py": TF + "import model\nloss = 1\nprint(model.C().loss(loss=2), loss, model.f(loss=3))\n",
        "model.py": TF + "def loss():\n    return 5\nclass C:\n    def loss(self, loss):\n        return loss\n"
        "def f(loss):\n    return loss\ndef g():\n    return loss()\nprint(g())\n",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_a_joined_program_prints_the_same(name: str, tmp_path: Path) -> None:
    made = check_same(SAME[name], tmp_path)
    assert "no_such_module" not in made and "tf2bridge" in made


def test_a_program_of_a_subfolder_takes_files_of_the_folder_that_it_names(tmp_path: Path) -> None:
    files = {
        "lib/ops.py": TF + "from lib import plain\ndef f():\n    return plain.g()\n",
        "lib/plain.py": "def g():\n    return 'g'\n",
        "part/run.py": TF + "import sys, os\nhere = os.path.dirname(os.path.abspath(__file__))\n"
        "sys.path.append(os.path.join(here, '..'))\n"
        "from lib.ops import f\nprint(f())\n",
    }  # fmt: skip
    assert "def f" in check_same(files, tmp_path, "part/run.py")


def test_a_program_that_runs_as_a_module_of_its_package(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/run.py": TF + "from . import model\nfrom .utils import ops\nprint(model.f(), ops.g())\n",
        "pkg/model.py": TF + "from .utils import text\ndef f():\n    return text.t()\n",
        "pkg/utils/__init__.py": "",
        "pkg/utils/ops.py": TF + "from . import text\nfrom .. import plain\ndef g():\n    return text.t(), plain.p\n",
        "pkg/utils/text.py": "def t():\n    return 't'\n",
        "pkg/plain.py": "p = 'plain'\n",
    }
    assert "from .utils import text" in check_same(files, tmp_path, "pkg/run.py", "-m", "pkg.run")


REFUSED = {
    "a name that the source changes from outside": (
        {"run.py": TF + "import model\nmodel.rate = 2\n", "model.py": TF + "rate = 1\n"},
        "rate of model.py is changed here",
    ),
    "a name that functions of its file change": (
        {
            "run.py": TF + "from model import count, step\nstep()\nprint(count)\n",
            "model.py": TF + "count = 0\ndef step():\n    global count\n    count += 1\n",
        },
        "count is changed by functions of its file",
    ),
    "a name that is bound anew": (
        {"run.py": TF + "from model import rate\nrate = rate * 2\nprint(rate)\n", "model.py": TF + "rate = 1\n"},
        "rate is imported, and is bound to something else too",
    ),
    "a module that is given away": (
        {"run.py": TF + "import model\nprint(vars(model))\n", "model.py": TF + "rate = 1\n"},
        "used as a value",
    ),
    "an import in a function, of a file that does something": (
        {"run.py": TF + "def f():\n    import model\nf()\n", "model.py": TF + "print('runs')\n"},
        "at the top of the file",
    ),
    "a package that does something": (
        {
            "run.py": TF + "from pkg.model import f\nprint(f)\n",
            "pkg/__init__.py": "print('runs')\n",
            "pkg/model.py": TF + "f = 1\n",
        },
        "pkg/__init__.py does something when it is imported",
    ),
    "the program itself": (
        {"run.py": TF + "import model\n", "model.py": TF + "import run\nprint(run.x)\n"},
        "run.py, which runs, is imported here",
    ),
    "names that are computed": (
        {"run.py": TF + "from model import f\nf()\n", "model.py": TF + "def f():\n    return globals()\n"},
        "may read names of the file",
    ),
    "a name in a text": (
        {"run.py": TF + "import model\nx = 1\nmodel.f()\n", "model.py": TF + "x = 2\ndef f():\n    print(f'{x}')\n"},
        "x is a name of model.py and of run.py",
    ),
    "a name between two star imports": (
        {
            "run.py": TF + "from a import *\nprint(f())\nfrom b import *\n",
            "a.py": TF + "def f():\n    return 1\n",
            "b.py": TF + "def f():\n    return 2\n",
        },
        "f is a name of several star imports",
    ),
    "a name of the program that is a builtin elsewhere": (
        {
            "run.py": TF + "import model\nsum = 3\nprint(model.f())\n",
            "model.py": TF + "def f():\n    return sum([1])\n",
        },
        "sum is a name of this file, and model.py uses the one of Python",
    ),
    "all names of a library": (
        {"run.py": TF + "import model\nprint(pow(1, 2))\n", "model.py": TF + "from math import *\n"},
        r"\* may replace names of other files",
    ),
    "a name of all names of a file": (
        {
            "run.py": TF + "import model\nrate = 3\nprint(model.f(), rate)\n",
            "model.py": TF + "from config import *\ndef f():\n    return rate\n",
            "config.py": "rate = 2\n",
        },
        "rate is a name of model.py and of run.py; rename one",
    ),
    "an import in a function, of a file that imports one that does something": (
        {
            "run.py": TF + "def f():\n    import model\nf()\n",
            "model.py": TF + "import ops\n",
            "ops.py": TF + "print('runs')\n",
        },
        "at the top of the file",
    ),
    "an unknown __all__": (
        {"run.py": TF + "from a import *\nprint(f())\n", "a.py": TF + "__all__ = dir()\ndef f():\n    return 1\n"},
        "the source does not say the names of __all__",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_files_that_cannot_be_joined_are_refused(name: str) -> None:
    files, why = REFUSED[name]
    with pytest.raises(NotJoinedError, match=why):
        join(files)


def test_an_import_that_may_mean_two_files_is_refused() -> None:
    """Python 2 took the file beside the one that imports, Python 3 takes the one beside the program."""
    files = {
        "run.py": TF + "import pkg.model\nprint(pkg.model.f())\n",
        "pkg/model.py": TF + "import ops\ndef f():\n    return ops.x\n",
        "pkg/ops.py": TF + "x = 1\n",
        "ops.py": TF + "x = 2\n",
    }
    with pytest.raises(NotJoinedError, match=r"whether ops is ops\.py or pkg/ops\.py"):
        join(files)


def test_a_recorded_place_is_in_the_file_of_its_folder() -> None:
    assert Span("utils/ops.py", 2, 4).holds("utils/ops.py", 3)
    assert Span("utils/ops.py", 2, 4).holds("pkg/utils/ops.py", 3)
    assert not Span("utils/ops.py", 2, 4).holds("ops.py", 3)
    assert Span("../lib/ops.py", 2, 4).holds("lib/ops.py", 3)


def test_files_of_one_name_have_no_places_in_a_trace() -> None:
    files = {"run.py": TF + "import ops\nimport utils.ops\n", "ops.py": TF + "print(1)\n"}
    assert join({**files, "utils/ops.py": "x = 1\n"}).is_told_apart
    assert not join({**files, "utils/ops.py": TF + "print(2)\n"}).is_told_apart


def test_files_without_tensorflow_stay_files() -> None:
    files = {"run.py": TF + "import data\nprint(data.x)\n", "data.py": "x = 1\n"}
    assert join(files).text == files["run.py"]


def test_a_file_that_reaches_tensorflow_by_another_is_taken(tmp_path: Path) -> None:
    files = {
        "run.py": TF + "import helper\nprint(helper.f())\n",
        "helper.py": "import model\ndef f():\n    return model.g()\n",
        "model.py": TF + "def g():\n    return 1\n",
    }
    assert "import helper" not in check_same(files, tmp_path)

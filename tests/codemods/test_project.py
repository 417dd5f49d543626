"""Which files of a tree are programs, and where each of them switches graph mode on."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from codemods.engine import Changed, Unchanged, check_paths, check_text
from codemods.releases import asked_for
from codemods.settings import Settings

SWITCH = "tf.compat.v1.disable_v2_behavior()"
GUARD = 'if __name__ == "__main__":\n    main()\n'


def rewritten(
    root: Path, files: dict[str, str], select: tuple[str, ...] = ("TFG",), **options: str | bool
) -> dict[str, str]:
    """The files after the rules for graph mode, by their paths."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(textwrap.dedent(text).lstrip("\n"))
    actual = {}
    for result in check_paths([root], Settings(select=select, **options)):  # type: ignore[arg-type]
        assert isinstance(result, Changed | Unchanged), result
        place = Path(result.path)
        text = result.after.decode() if isinstance(result, Changed) else place.read_text()
        actual[place.relative_to(root).as_posix()] = text
    return actual


def switched(root: Path, files: dict[str, str]) -> set[str]:
    return {path for path, text in rewritten(root, files).items() if SWITCH in text or "v1.enable" in text}


MODEL = "import tensorflow as tf\ndef build():\n    return tf.constant(1)\n"


def test_programs_are_switched_and_modules_are_not(tmp_path: Path) -> None:
    files = {
        "model.py": MODEL,
        "data.py": "import numpy as np\ndef load(): pass\n" + GUARD,
        "train.py": "import tensorflow as tf\nimport model, data\ndef main(): pass\n" + GUARD,
        "flags.py": "import tensorflow as tf\nflags = tf.app.flags\nflags.DEFINE_integer('n', 1, '')\n",
        "app.py": "import tensorflow as tf\ndef main(_): pass\ntf.app.run()\n",
        "script.py": "import tensorflow as tf\nx = tf.constant(1)\nprint(tf.Session().run(x))\n",
        "shared.py": "import tensorflow as tf\nx = tf.constant(1)\n",
        "user.py": "import shared\ndef f(): return shared.x\n",
        "test_model.py": "import tensorflow as tf\nclass T(tf.test.TestCase): pass\n",
    }
    assert switched(tmp_path, files) == {"train.py", "app.py", "script.py", "test_model.py"}


def test_a_program_without_tensorflow_of_its_own_needs_the_switch_too(tmp_path: Path) -> None:
    files = rewritten(
        tmp_path, {"lib/model.py": MODEL, "lib/__init__.py": "", "run.py": "import os\nfrom lib import model\n" + GUARD}
    )
    assert files["run.py"].startswith(f"import os\nimport tensorflow as tf\n{SWITCH}\nfrom lib import model\n")


def test_a_program_without_numpy_of_its_own_gets_its_form_of_printing_in_one_run(tmp_path: Path) -> None:
    files = {
        "lib/__init__.py": "",
        "lib/model.py": MODEL + "def show(session, x):\n    print([session.run(x)])\n",
        "run.py": "from lib import model\n" + GUARD,
    }
    options: dict[str, Any] = {"select": ("TFG", "LIB"), "unsafe_fixes": True}
    once = rewritten(tmp_path, files, **options)
    assert once["run.py"].startswith('import numpy\nnumpy.set_printoptions(legacy="1.21")\n')
    assert rewritten(tmp_path, once, **options) == once


def test_a_script_that_calls_a_local_module_is_a_program(tmp_path: Path) -> None:
    assert switched(tmp_path, {"model.py": MODEL, "run.py": "from model import build\nbuild()\n"}) == {"run.py"}


def test_the_switch_stands_before_the_first_module_that_may_make_ops(tmp_path: Path) -> None:
    files = rewritten(
        tmp_path,
        {
            "a/model.py": MODEL,
            "a/train.py": f"import os\nimport model\nimport tensorflow as tf\n{GUARD}",
            "b/deep.py": "import lower\n",
            "b/lower.py": MODEL,
            "b/train.py": f"import tensorflow as tf\nimport deep\n{GUARD}",
        },
    )
    assert files["a/train.py"].startswith(f"import os\nimport tensorflow as tf\n{SWITCH}\nimport model\n")
    assert files["b/train.py"].startswith(f"import tensorflow as tf\n{SWITCH}\nimport deep\n")


def test_a_seed_anywhere_in_the_program_brings_its_releases_seeds(tmp_path: Path) -> None:
    files = rewritten(
        tmp_path,
        {
            "train.py": f"import tensorflow as tf\nimport lib\n{GUARD}",
            "lib.py": "import tensorflow as tf\ndef f():\n    tf.set_random_seed(1)\n    tf.layers.dense(1, 2)\n",
            "other.py": f"import tensorflow as tf\n{GUARD}",
        },
    )
    enable = 'import tensorflow as tf\nimport tf2bridge.v1\ntf2bridge.v1.enable(api="1.15")\nimport lib\n'
    assert files["train.py"].startswith(enable)
    assert SWITCH in files["other.py"]


def test_relative_imports_are_followed(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/nets/__init__.py": "",
        "pkg/nets/vgg.py": MODEL,
        "pkg/train.py": f"from .nets import vgg\n{GUARD}",
    }
    assert switched(tmp_path, files) == {"pkg/train.py"}


def test_a_package_is_found_in_the_folder_from_which_it_is_installed(tmp_path: Path) -> None:
    files = {
        "src/pkg/__init__.py": "",
        "src/pkg/nets.py": MODEL,
        "other/setup.py": "",
        "other/made/__init__.py": "",
        "other/made/nets.py": MODEL,
        "third/six/__init__.py": "",
        "third/six/nets.py": MODEL,
        "test/test_pkg.py": "from pkg import nets\nnets.build()\n",
        "test/test_made.py": "import made.nets\nmade.nets.build()\n",
        "test/test_six.py": "import six.nets\nsix.nets.build()\n",
    }
    assert switched(tmp_path, files) == {"test/test_pkg.py", "test/test_made.py"}


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow as tf\ntf.disable_v2_behavior()\n",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n",
        "import tensorflow as tf\ntf.compat.v1.disable_eager_execution()\n",
        "from tf2bridge import v1 as tf\ntf.enable(api='1.15')\n",
        "import tensorflow as tf\ntf.enable_eager_execution()\n",
        "import tensorflow as tf\n@tf.function\ndef f(): pass\n",
        "import tensorflow as tf\nimport tf2bridge.v1\ne = tf2bridge.v1.contrib.eager\ne.enable_eager_execution()\n",
        "import tensorflow as tf\nfrom tf2bridge.v1.contrib import eager\neager.enable_eager_execution()\n",
    ],
)
def test_programs_that_chose_already_are_left(tmp_path: Path, text: str) -> None:
    text += "x = tf.constant(1)\n" + GUARD
    assert rewritten(tmp_path, {"train.py": text}) == {"train.py": text}


def test_a_wildcard_import_brings_only_what_all_names(tmp_path: Path) -> None:
    """`tf` of layers.py is not in its `__all__`: the file needs an import of its own."""
    files = {
        "layers.py": "import tensorflow as tf\n__all__ = ['Layer']\n__all__ += ['Dense']\nclass Layer: pass\n",
        "train.py": "from tensorflow.python.framework import ops\nfrom layers import *\nok = ops.Tensor\n",
    }
    texts = rewritten(tmp_path, files, select=("TF",))
    assert "import tensorflow as tf" in texts["train.py"] and "ok = tf.Tensor" in texts["train.py"]


def test_names_come_through_wildcard_imports_of_local_modules(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/inits.py": "import tensorflow as tf\nimport numpy as np\n",
        "pkg/layers.py": "from pkg.inits import *\nslim = tf.contrib.slim\n",
        "pkg/models.py": "from .layers import *\ndef f():\n    tf.set_random_seed(1)\n    slim.a(tf.mul(1, 2))\n",
        "train.py": f"from pkg.models import *\nsess = tf.Session()\n{GUARD}",
    }
    new_files = rewritten(tmp_path, files)
    assert new_files["train.py"].startswith(
        'import tf2bridge.v1\ntf2bridge.v1.enable(api="0.12")\nfrom pkg.models import *\n'
    )
    results = {Path(result.path).name: result for result in check_paths([tmp_path], Settings())}
    changed = results["models.py"]
    assert isinstance(changed, Changed)
    assert b"tf.compat.v1.set_random_seed(1)" in changed.after and b"tf.multiply(1, 2)" in changed.after


def test_compat_v1_by_its_own_alias(tmp_path: Path) -> None:
    files = rewritten(tmp_path, {"train.py": f"import tensorflow.compat.v1 as tf\n{GUARD}"})
    assert files["train.py"].startswith("import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n")


def test_the_bridge_target_names_the_release(tmp_path: Path) -> None:
    files = {"train.py": f"import tensorflow as tf\ntf.pack([1])\n{GUARD}"}
    new_files = rewritten(tmp_path, files, target="bridge")
    assert new_files["train.py"].startswith('from tf2bridge import v1 as tf\ntf.enable(api="0.12")\ntf.pack([1])\n')
    assert rewritten(tmp_path, {"train.py": new_files["train.py"]}, target="bridge") == new_files


@pytest.mark.parametrize(
    "line",
    [
        "r = tf.pywrap_tensorflow.NewCheckpointReader(path)\n",
        "from tensorflow.python import pywrap_tensorflow\nr = pywrap_tensorflow.NewCheckpointReader(path)\n",
        "cell = tf.contrib.rnn.core_rnn_cell.BasicLSTMCell(8)\n",
    ],
)
def test_a_name_of_no_known_release_tells_nothing_of_the_era(tmp_path: Path, line: str) -> None:
    files = {"train.py": f"import tensorflow as tf\n{line}tf.set_random_seed(1)\n{GUARD}"}
    assert 'enable(api="1.15")' in rewritten(tmp_path, files)["train.py"]


def test_a_file_that_imports_compat_v1_is_of_1x_whatever_names_stand_in_it(tmp_path: Path) -> None:
    old = "import tensorflow.compat.v1 as tf\ntf.train.SummaryWriter(d)\ntf.concat(xs, k)\n"
    files = {"old.py": old, "new.py": "import tensorflow.compat.v1 as tf\ntf.concat(xs, k)\n"}
    new_files = rewritten(tmp_path, files, select=("TFG", "TFN", "TFA"))
    assert "TODO" not in new_files["old.py"] and "tf.concat(xs, k)" in new_files["new.py"]


SECOND = "import tensorflow as tf\ndef f(x):\n    with tf.GradientTape() as t:\n        return t.gradient(x, x)\n"


def test_a_program_of_tensorflow_2_is_left_alone(tmp_path: Path) -> None:
    files = {
        "lib.py": SECOND,
        "train.py": f"import tensorflow as tf\nimport lib\ntf.summary.scalar('a', tf.argmax([1], 0), 1)\n{GUARD}",
        "sub/other.py": "import tensorflow as tf\nm = tf.keras.Sequential()\ny = tf.argmax(m(1), 0)\n",
    }
    assert rewritten(tmp_path, files, select=("TFG", "TFN", "TFA", "TFK")) == files


def test_a_folder_of_tensorflow_2_beside_one_of_1(tmp_path: Path) -> None:
    hello = "import tensorflow as tf\nprint(tf.argmax([1, 2], 0))\n"
    files = {
        "v1/a.py": "import tensorflow as tf\ntf.Session()\n",
        "v1/b.py": hello,
        "v2/a.py": SECOND,
        "v2/b.py": hello,
    }
    new_files = rewritten(tmp_path, files, select=("TFG", "TFN"))
    assert new_files["v2/b.py"] == hello and "disable_v2_behavior" in new_files["v1/b.py"]


def test_the_release_given_by_the_user_decides() -> None:
    result = check_text(SECOND + "tf.where(a, b, c)\n", "a.py", Settings(from_version="1.15"))
    assert isinstance(result, Changed) and b"tf.compat.v1.where" in result.after


def test_requirements_of_1x_leave_an_old_name_in_doubt(tmp_path: Path) -> None:
    files = {"requirements.txt": "tensorflow>=1.0.0\n", "model.py": "import tensorflow as tf\ntf.concat(k, xs)\n"}
    assert "TODO" not in rewritten(tmp_path, files, select=("TFA",))["model.py"]
    files["model.py"] += "if old:\n    tf.histogram_summary('a', x)\n"
    assert "TODO(codemods TFA003)" in rewritten(tmp_path, files, select=("TFA",))["model.py"]
    files["data.py"] = files["sub/data.py"] = "import tensorflow as tf\ntf.concat(k, xs)\n"
    files["sub/requirements.txt"] = "tensorflow==0.12.1\n"
    new_files = rewritten(tmp_path, files, select=("TFA",))
    assert new_files["data.py"] == files["data.py"] and "axis=k" in new_files["sub/data.py"]


def test_what_a_program_provides_for_several_releases_tells_nothing_of_its_own(tmp_path: Path) -> None:
    both = """\
        import tensorflow as tf
        try:
            image_summary = tf.image_summary
        except AttributeError:
            image_summary = tf.summary.image
        if "concat_v2" in dir(tf):
            concat = tf.concat_v2
        else:
            concat = tf.concat
        tf.set_random_seed(1)
        """
    assert 'enable(api="1.15")' in rewritten(tmp_path / "a", {"train.py": both})["train.py"]
    older = textwrap.dedent(both) + "tf.mul(1, 2)\n"
    assert 'enable(api="0.12")' in rewritten(tmp_path / "b", {"train.py": older})["train.py"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("setup.py", "from setuptools import setup\nsetup(install_requires=['six', 'tensorflow>=1.8,<1.9'])\n"),
        ("setup.cfg", "[options]\ninstall_requires =\n    tensorflow>=1.8,<1.9\n"),
        ("pyproject.toml", '[project]\ndependencies = ["tensorflow>=1.8,<1.9"]\n'),
        ("Pipfile", '[packages]\ntensorflow = "==1.8.0"\n'),
        ("environment.yml", "dependencies:\n  - tensorflow=1.8\n"),
        ("meta.yaml", "requirements:\n  run:\n    - tensorflow >=1.8,<1.9\n"),
        ("Dockerfile", "FROM tensorflow/tensorflow:1.8.0-py3\n"),
    ],
)
def test_every_list_of_packages_tells_the_release(tmp_path: Path, path: str, text: str) -> None:
    files = {path: text, "train.py": f"import tensorflow as tf\ntf.set_random_seed(1)\n{GUARD}"}
    assert 'enable(api="1.4")' in rewritten(tmp_path, files)["train.py"]


@pytest.mark.parametrize("text", ["tensorflow>=0.12", "tensorflow", "tensorflow-hub==0.1", "tensorflow>=2.1"])
def test_requirements_that_allow_both_kinds_tell_nothing(text: str) -> None:
    assert asked_for(text) is None


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("tensorflow>=1.2.0rc0", "1.2"),
        ("tensorflow >= 1.13.0-rc1", "1.13"),
        ("tensorflow>=1.13.0rc1", "1.13"),
        ("tensorflow>=1.2.0rc0,<1.5", "1.4"),
        ("tensorflow>=1.2", "1.15"),
    ],
)
def test_a_lower_bound_that_names_a_candidate_tells_the_release(text: str, release: str) -> None:
    asked = asked_for(text)
    assert asked is not None and asked.newest == release


def test_one_file_does_not_outvote_its_program(tmp_path: Path) -> None:
    parts = {f"part{number}.py": "import tensorflow as tf\ny = tf.layers.dense(x, 3)\n" for number in range(5)}
    imports = "".join(f"import {name[:-3]}\n" for name in parts)
    train = f"import tensorflow as tf\n{imports}tf.set_random_seed(1)\ntf.mul(1, 2)\n{GUARD}"
    assert 'enable(api="1.15")' in rewritten(tmp_path / "a", {"train.py": train, **parts})["train.py"]
    assert 'enable(api="0.12")' in rewritten(tmp_path / "b", {"train.py": train})["train.py"]


def test_programs_of_one_project_follow_one_release(tmp_path: Path) -> None:
    seeded = f"import tensorflow as tf\ntf.set_random_seed(1)\ntf.layers.dense(x, 3)\n{GUARD}"
    files = {"train.py": seeded, "test.py": seeded + "tf.contrib.eager.run_test_in_graph_and_eager_modes\n"}
    new_files = rewritten(tmp_path, files)
    releases = {re.search(r'enable\(api="([\d.]+)"\)', text)[1] for text in new_files.values()}  # type: ignore[index]
    assert len(releases) == 1


@pytest.mark.parametrize(
    "seed",
    [
        "tf.set_random_seed(1)",
        "tf.random.set_random_seed(1)",
        "from tensorflow.python.framework import random_seed\nrandom_seed.set_random_seed(1)",
        "config = tf.estimator.RunConfig(tf_random_seed=1)",
        "tf.get_default_graph().seed = 1",
    ],
)
def test_a_program_that_gives_a_graph_seed_in_any_way_gets_the_seeds_of_its_release(tmp_path: Path, seed: str) -> None:
    new = rewritten(tmp_path, {"train.py": f"import tensorflow as tf\n{seed}\ntf.Session().run(tf.constant(1))\n"})
    assert 'tf2bridge.v1.enable(api="1.15")' in new["train.py"]


@pytest.mark.parametrize("other", ["tf.estimator.RunConfig(tf_random_seed=None)", "generator.seed = 1"])
def test_what_gives_no_graph_seed_needs_no_seeds(tmp_path: Path, other: str) -> None:
    new = rewritten(tmp_path, {"train.py": f"import tensorflow as tf\n{other}\ntf.Session().run(tf.constant(1))\n"})
    assert "tf.compat.v1.disable_v2_behavior()" in new["train.py"]

"""What a program under `tf2bridge run` starts: other interpreters, and test runners that load its files."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tf2bridge.program.children import inheriting, split
from tf2bridge.program.refusals import EagerProcessError
from tf2bridge.run import execute

ROOT = Path(__file__).resolve().parents[3]
QUIET = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
QUIET.pop("PYTEST_ADDOPTS", None)  # -vv of whoever runs these tests words the asserts of a child otherwise


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tf2bridge", "run", *arguments]
    env = {**QUIET, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def check_nothing_is_written_beside(folder: Path) -> None:
    assert [path.name for path in folder.rglob("*") if path.is_file() and path.suffix != ".py"] == []


PLANTED: dict[str, Callable[[Path, Path], object]] = {
    "link": lambda cache, elsewhere: cache.symlink_to(elsewhere),
    "file": lambda cache, _: cache.write_text(""),
    "open to all": lambda cache, _: (cache.mkdir(), cache.chmod(0o777)),
}


@pytest.mark.parametrize("planted", ["", *PLANTED])
def test_pytest_keeps_nothing_where_others_have_put_something(
    planted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    cache = tmp_path / f"tf2bridge-{os.getuid()}"
    if planted:
        PLANTED[planted](cache, tmp_path)
    with inheriting("1.15"):
        given = shlex.split(os.environ["PYTEST_ADDOPTS"])
    if planted:
        assert given == ["-p", "no:cacheprovider"]
    else:
        assert (given[0], Path(given[1].removeprefix("cache_dir=")).parent) == ("-o", cache)
        assert cache.stat().st_mode & 0o777 == 0o700


SAYS = "import sys, tensorflow as tf\nprint(tf.__version__, sys.argv[1:], __name__)\nsys.exit(5)\n"


def test_processes_that_a_program_starts_run_as_it_does(tmp_path: Path) -> None:
    write(
        tmp_path,
        train="""
            import multiprocessing, subprocess, sys
            import tensorflow as tf

            def work(queue):
                queue.put((tf.__version__, __name__))

            if __name__ == "__main__":
                print(subprocess.run([sys.executable, "-u", "child.py", "-c", "x"]).returncode, flush=True)
                print(subprocess.call("python -m package.child", shell=True), flush=True)
                subprocess.call([sys.executable, "-c", "from tensorflow import contrib; print(contrib.__name__)"])
                for kind in ("fork", "spawn"):
                    context = multiprocessing.get_context(kind)
                    queue = context.Queue()
                    process = context.Process(target=work, args=(queue,))
                    process.start()
                    print(*queue.get())
                    process.join()
        """,
        child=SAYS,
        **{"package/__init__": "", "package/child": SAYS},
    )
    done = run(tmp_path, "train.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "1.15.5 ['-c', 'x'] __main__",
        "5",
        "1.15.5 [] __main__",
        "5",
        "tf2bridge.v1.contrib",
        "1.15.5 __main__",
        "1.15.5 __mp_main__",
    ]
    check_nothing_is_written_beside(tmp_path)


TESTS = """
    import tensorflow as tf
    from net import dense

    class DenseTest(tf.test.TestCase):
        def test_shape(self):
            with self.test_session() as session:
                y = dense(tf.zeros([1, 3]))
                tf.global_variables_initializer().run()
                self.assertAllEqual(session.run(y), [[0.0, 0.0]])

    def test_that_fails():
        found = {"a": tf.__version__}
        assert found["a"] == "2"

    if __name__ == "__main__":
        tf.test.main()
"""
NET = """
    import tensorflow as tf

    def dense(x):
        '''
        >>> tf.__version__
        '1.15.5'
        '''
        return tf.layers.dense(x, 2)
"""


def test_pytest_and_its_rewritten_asserts(tmp_path: Path) -> None:
    write(tmp_path, test_net=TESTS, net=NET, conftest="import tensorflow as tf\nassert tf.contrib\n")
    done = run(tmp_path, "-m", "pytest", "-q", "-m", "not slow", "--doctest-modules", ".")
    assert done.returncode == 1
    assert "AssertionError: assert '1.15.5' == '2'" in done.stdout
    assert "1 failed, 2 passed" in done.stdout  # and test_session, which is skipped
    assert "tf2bridge" not in done.stdout
    check_nothing_is_written_beside(tmp_path)


def test_pytest_reads_python_2(tmp_path: Path) -> None:
    write(tmp_path, test_old="def test_old():\n    print 'begins'\n    assert 7 / 2 == 3\n    assert 1 == 2, 'odd'\n")
    done = run(tmp_path, "--api", "0.12", "-m", "pytest", "-q", "test_old.py")
    assert done.returncode == 1
    assert "AssertionError: odd\nE       assert 1 == 2" in done.stdout


@pytest.mark.parametrize("arguments", [("-m", "unittest", "-q", "test_net"), ("test_net.py",)])
def test_unittest(arguments: tuple[str, ...], tmp_path: Path) -> None:
    write(tmp_path, test_net=TESTS, net=NET)
    done = run(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert "Ran 2 tests" in done.stderr
    check_nothing_is_written_beside(tmp_path)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("train.py -m x", ([], "script", ["train.py", "-m", "x"])),
        ("-u -m pkg.train --steps 5", (["-u"], "-m", ["pkg.train", "--steps", "5"])),
        ("-um pkg", (["-u"], "-m", ["pkg"])),
        ("-W ignore -X dev -Wd t.py", (["-W", "ignore", "-X", "dev", "-Wd"], "script", ["t.py"])),
        ("-c code arg", ([], "-c", ["code", "arg"])),
        ("-", ([], "", ["-"])),
        ("", ([], "", [])),
    ],
)
def test_what_an_interpreter_is_asked_to_run(command: str, expected: tuple[list[str], str, list[str]]) -> None:
    assert split(command.split()) == expected


def test_a_process_that_ran_eagerly_is_refused(tmp_path: Path) -> None:
    code = (
        "import tensorflow as tf\ntf.constant(1) + 1\n"
        "from pathlib import Path\nfrom tf2bridge.run import execute\nexecute(Path('train.py'), None, [])"
    )
    write(tmp_path, train="")
    env = {**QUIET, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert EagerProcessError.__name__ in done.stderr.splitlines()[-1]
    assert execute


def test_a_program_of_tensorflow_2_is_one_line(tmp_path: Path) -> None:
    write(tmp_path, train="import tensorflow as tf\n\ntf.random.set_seed(3)\n")
    done = run(tmp_path, "train.py")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "tf2bridge: error: train.py:3: tf.random.set_seed is a name of TensorFlow 2, which no release of 1.x had; "
        "run the program with Python itself"
    )


def test_a_program_that_looks_older_gets_a_hint(tmp_path: Path) -> None:
    write(tmp_path, train="import net\n", net="import tensorflow as tf\ntf.mul(1, 2)\n")
    assert (
        "train.py looks older than 1.15 (tf.mul on line 2 of net.py): try --api 0.12"
        in run(tmp_path, "train.py").stderr
    )


def test_keras_means_keras_2(tmp_path: Path) -> None:
    write(
        tmp_path,
        train="""
            import tensorflow as tf
            import keras
            from keras.layers import Dense
            from keras.layers.core import Dropout
            from keras.utils import np_utils
            from keras import backend as K
            K.set_session(tf.Session())
            print(Dense is tf.keras.layers.Dense, Dropout is tf.keras.layers.Dropout)
            print(np_utils.to_categorical([1]).tolist())
            from keras import ops
        """,
    )
    done = run(tmp_path, "train.py")
    assert done.stdout == "True True\n[[0.0, 1.0]]\n"
    assert "keras.ops is no name of Keras 2" in done.stderr.splitlines()[-1]


def test_a_module_of_tensorflow_is_run_as_a_tool(tmp_path: Path) -> None:
    done = run(tmp_path, "-m", "tensorflow.python.tools.inspect_checkpoint", "--file_name", "")
    assert "Usage: inspect_checkpoint --file_name=" in done.stdout

"""Queues of files and rows become datasets; `fixtures/sessions/programs/queued.py` is recorded and proven."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import HEAD, native, numbers, run

READ = HEAD + inspect.cleandoc("""
    queue = tf.train.string_input_producer(['FILE'], num_epochs=2)
    reader = tf.TextLineReader()
    key, line = reader.read(queue)
    a, b = tf.decode_csv(line, [[0.], [0]])
    a = a * 2.
""")
BATCHED = "\nrows, labels = tf.train.batch([a, b], batch_size=2, allow_smaller_final_batch=True)\n"
LOOP = inspect.cleandoc("""
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(coord=coord)
        try:
            while not coord.should_stop():
                print(sess.run(RESULT))
        except tf.errors.OutOfRangeError:
            coord.request_stop()
        coord.join(threads)
""")


def program(read: str, fetched: str, folder: Path) -> str:
    (folder / "rows.csv").write_bytes(b"1.5,1\n2.5,2\n3.5,3\n")
    return (read + LOOP.replace("RESULT", fetched)).replace("FILE", str(folder / "rows.csv"))


def test_rows_of_a_file_are_read_in_batches(tmp_path: Path) -> None:
    text = native(program(READ + BATCHED, "[rows, labels]", tmp_path)).text
    assert "coord" not in text and "    a = a * 2.\n    return a, b\n" in text
    # what genuine 1.15.5 printed
    printed = "[array([3., 5.], dtype=float32), array([1, 2], dtype=int32)] " * 1
    printed += "[array([7., 3.], dtype=float32), array([3, 1], dtype=int32)] "
    printed += "[array([5., 7.], dtype=float32), array([2, 3], dtype=int32)]"
    assert run(text).split() == printed.split()


def test_rows_without_batches_are_taken_one_by_one(tmp_path: Path) -> None:
    text = native(program(READ.replace("a = a * 2.", "") + "\n", "[b, a]", tmp_path)).text
    printed = numbers(run(text).replace("int32", "").replace("float32", ""))
    assert printed == [1, 1.5, 2, 2.5, 3, 3.5] * 2


def test_a_shuffled_queue_shuffles_as_many_rows_as_it_holds(tmp_path: Path) -> None:
    batch = BATCHED.replace("batch(", "shuffle_batch(", 1).replace("batch_size=2", "2, 50, min_after_dequeue=3")
    text = native(program(READ + batch, "labels", tmp_path)).text
    assert ".map(read_example).shuffle(50).batch(2)" in text
    assert sorted("".join(run(text).split()).replace("][", "").strip("[]")) == list("112233")


def test_arrays_are_shuffled_anew_in_each_epoch() -> None:
    text = HEAD + "rows = [1, 2, 3]\nx, y = tf.train.slice_input_producer([rows, rows], num_epochs=4)\nz = x * y\n"
    text = native(text + LOOP.replace("RESULT", "z")).text
    assert "from_tensor_slices((rows, rows)).shuffle(len(rows)).repeat(4)" in text
    squares = run(text).split()
    assert [sorted(squares[at : at + 3]) for at in range(0, 12, 3)] == [["1", "4", "9"]] * 4


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("num_epochs=2", "shuffle=bool(data)"),  # computed
        ("a = a * 2.", "name = tf.strings.join([key, 'x'])"),  # the key is the place in the file
        ("TextLineReader()", "IdentityReader()"),
        ("batch_size=2", "batch_size=2, enqueue_many=True"),
        ("batch_size=2", "batch_size=2, dynamic_pad=True"),
        ("a = a * 2.", "w = tf.Variable([1.])\nwith tf.name_scope('s'):\n    a = a * w"),
        ("a = a * 2.", "a = tf.zeros([])"),  # the batches have no row's value
        ("a = a * 2.", "k = 2.\na = a * k\nk = 3."),  # a function reads k when it is called
        ("sess.run(RESULT)", "sess.run([RESULT, a])"),  # one row beside the batches
        ("coord.join(threads)", "coord.join(threads)\n    print(coord.joined)"),
    ],
)
def test_queues_that_are_used_otherwise_are_refused(old: str, new: str, tmp_path: Path) -> None:
    text = READ + BATCHED + LOOP
    assert old in text
    text = program(text.replace(old, new).replace(LOOP, ""), "rows", tmp_path) if old in READ + BATCHED else (
        (READ + BATCHED + LOOP.replace(old, new)).replace("RESULT", "rows").replace("FILE", "f")
    )  # fmt: skip
    with pytest.raises(NotNativeError, match="has no counterpart"):
        native("data = 1\n" + text)


def test_a_name_of_another_function_is_another_name(tmp_path: Path) -> None:
    lines = "\n".join("    " + line for line in READ.removeprefix(HEAD).splitlines())
    batch = "\n    rows, labels = tf.train.batch([a, b], 2, allow_smaller_final_batch=True)\n    return rows\n"
    text = HEAD + f"def read():\n{lines}{batch}def show(b):\n    print(b.shape)\nrows = read()\n"
    loop = LOOP.replace("print(sess.run(RESULT))", "show(sess.run(rows))").replace("FILE", "")
    (tmp_path / "rows.csv").write_bytes(b"1.5,1\n2.5,2\n3.5,3\n")
    made = native((text + loop).replace("FILE", str(tmp_path / "rows.csv"))).text
    assert run(made).split() == ["(2,)"] * 3


@pytest.mark.parametrize(
    ("fetched", "printed"), [("[key, content]", ["[b'FILE',", "b'1.5,1']"]), ("content", ["b'1.5,1'"])]
)
def test_whole_files_are_read(fetched: str, printed: list[str], tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_bytes(b"1.5,1")
    read = HEAD + (
        "names = tf.train.match_filenames_once('FILE')\n"
        "queue = tf.train.string_input_producer(names, num_epochs=1)\n"
        "reader = tf.WholeFileReader()\nkey, content = reader.read(queue)\n"
    )
    text = (read + LOOP.replace("RESULT", fetched)).replace("FILE", str(tmp_path / "rows.csv"))
    expected = [part.replace("FILE", str(tmp_path / "rows.csv")) for part in printed]
    assert run(native(text).text).split() == expected


def test_records_of_one_length_are_read(tmp_path: Path) -> None:
    (tmp_path / "rows.bin").write_bytes(bytes([9, 1, 2, 3, 4, 5, 6, 8]))
    read = HEAD + (
        "queue = tf.train.string_input_producer(['FILE'], num_epochs=1)\n"
        "reader = tf.FixedLengthRecordReader(record_bytes=3, header_bytes=1, footer_bytes=1)\n"
        "_, record = reader.read(queue)\npixels = tf.decode_raw(record, tf.uint8)\n"
        "rows = tf.train.batch([pixels], 1)\n"
    )
    text = (read + LOOP.replace("RESULT", "rows")).replace("FILE", str(tmp_path / "rows.bin"))
    assert run(native(text).text).split() == ["[[1", "2", "3]]", "[[4", "5", "6]]"]


@pytest.mark.parametrize("reader", ["tf.IdentityReader()", "tf.FixedLengthRecordReader(3, hop_bytes=1)"])
def test_other_readers_are_refused(reader: str, tmp_path: Path) -> None:
    read = READ.replace("tf.TextLineReader()", reader)
    with pytest.raises(NotNativeError):
        native(program(read + "\n", "b", tmp_path))

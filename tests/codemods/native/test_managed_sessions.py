"""Sessions with hooks, and those of supervisors; `hooked.py` and `supervised.py` are recorded and proven."""

from __future__ import annotations

import inspect

import pytest

from codemods.native.plain_sessions import with_plain_sessions
from codemods.native.refusals import NotNativeError
from tests import oracles
from tests.codemods.native.test_rewriting import HEAD, native, run

GRAPH = HEAD + inspect.cleandoc("""
    import os
    import tempfile
    folder = tempfile.mkdtemp()
    def saved(end='.index'):
        return sorted(name for name in os.listdir(folder) if name.endswith(end))
    x = tf.placeholder(tf.float32, [None, 2])
    w = tf.get_variable('w', [2, 1], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(tf.matmul(x, w))
    global_step = tf.train.get_or_create_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=global_step)
    data = np.ones([1, 2])
""")
STOP = "tf.train.StopAtStepHook(last_step=5)"


def program(opening: str, *body: str, before: str = "") -> str:
    """Returns a program with a session that a line opens."""
    return f"{GRAPH}\n{before}\nwith {opening} as sess:\n" + "".join(f"    {line}\n" for line in body)


def training(*hooks: str, options: str = "", before: str = "", fetched: str = "train_op") -> str:
    """Returns a program whose hooks stop its loop."""
    opening = f"tf.train.MonitoredTrainingSession(hooks=[{', '.join(hooks)}]{options})"
    return program(opening, "while not sess.should_stop():", f"    sess.run({fetched}, {{x: data}})", before=before)


OWN = inspect.cleandoc("""
    class Watch(tf.train.SessionRunHook):
        def __init__(self, most, loss, name='loss'):
            self.most = most
            self.loss = loss
            self.name = name
        def after_create_session(self, session, coord):
            print('begins')
        def before_run(self, run_context):
            return tf.train.SessionRunArgs({'value': self.loss, 'weights': w})
        def after_run(self, run_context, run_values):
            results = run_values.results
            print('%s %.4f' % (self.name, run_values.results['value']), results['weights'].shape)
            if results['value'] < self.most:
                run_context.request_stop()
        def end(self, session):
            print('ends')
""")
ENDS = "rows = tf.data.Dataset.from_tensor_slices([1., 2.]).make_one_shot_iterator().get_next()\n"
PROGRAMS = {
    "a hook that stops at a step": training(STOP) + "print(saved())\n",
    "a number of steps": training("tf.train.StopAtStepHook(num_steps=2)", "Watch(-9., loss)", before=OWN),
    "a hook of the program that stops": training(STOP, "Watch(1.7, loss, name='sum')", before=OWN) + "print('done')\n",
    "checkpoints by steps": training(
        STOP, "tf.train.CheckpointSaverHook(folder, save_steps=2, checkpoint_basename='net')"
    )
    + "print(saved())\n",
    "checkpoints by seconds": training(STOP, options=", checkpoint_dir=folder, save_checkpoint_secs=600")
    + "print(saved())\n",
    "no checkpoints by time": training(STOP, options=", checkpoint_dir=folder, save_checkpoint_secs=None")
    + "print(saved())\n",
    "a session whose data end": program(
        "tf.train.MonitoredTrainingSession(checkpoint_dir=folder)",
        "while not sess.should_stop():",
        "    print(sess.run(rows))",
        before=ENDS,
    )
    + "print(saved())\n",
    "a session whose batches end": program(
        "tf.train.MonitoredTrainingSession(checkpoint_dir=folder, chief_only_hooks=[Watch(-9., loss)])",
        "while not sess.should_stop():",
        "    _, value = sess.run([train_op, loss], {x: next(batches)})",
        "    print('%.3f' % value)",
        before=OWN + "\nbatches = iter([data, data])",
    )
    + "print(saved())\n",
    "a supervisor whose data end": program(
        "sv.managed_session()", "while not sv.should_stop():", "    print(sess.run(rows))",
        before=ENDS + "sv = tf.train.Supervisor(logdir=folder, save_model_secs=0)",
    )
    + "print(saved())\n",
    "a supervisor that the program stops": program(
        "sv.managed_session()",
        "for step in range(9):",
        "    if sv.should_stop():",
        "        break",
        "    _, value = sess.run([train_op, loss], {x: data})",
        "    print('%.4f' % value)",
        "    if step > 2:",
        "        sv.request_stop()",
        "print(sess.run(sv.global_step))",
        before="sv = tf.train.Supervisor()",
    ),
    "a supervisor without a block": GRAPH
    + "\n"
    + inspect.cleandoc("""
        sv = tf.train.Supervisor(logdir=os.path.join(folder, 'logs'), save_model_secs=0)
        sess = sv.prepare_or_wait_for_session(config=tf.ConfigProto())
        sv.start_queue_runners(sess)
        for step in range(3):
            if sv.should_stop():
                break
            sess.run(train_op, {x: data})
        print('%.4f' % sess.run(loss, {x: data}))
        sv.saver.save(sess, os.path.join(folder, 'last'), global_step=sv.global_step)
        sv.stop()
        print(saved())
    """),
}  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_session_does_what_genuine_tensorflow_did(name: str) -> None:
    ran = oracles.run("1.15.5", PROGRAMS[name])
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert run(native(PROGRAMS[name]).text).split() == ran.stdout.split()


def test_checkpoints_of_a_supervisor_are_written_by_time_in_its_loop() -> None:
    text = program(
        "sv.managed_session()",
        "for step in range(3):",
        "    # trains",
        "    sess.run(train_op, {x: data})",
        before="sv = tf.train.Supervisor(logdir=folder, save_model_secs=30)",
    )
    made = native(text + "print(saved())\n").text
    assert "    if time.time() >= next_save:\n" in made and "next_save = time.time() + 30\n" in made
    assert run(made).split() == ["['model.ckpt-0.index']"]


def test_the_first_checkpoint_of_early_releases_was_that_of_the_first_step() -> None:
    text = training(STOP, options=", checkpoint_dir=folder")
    late, early = (with_plain_sessions(text, release) for release in ("1.12.3", "1.4.1"))
    assert late is not None and early is not None
    assert "saved_step = None" in early.made.text and "saved_step = None" not in late.made.text


def test_the_count_of_steps_is_that_of_the_same_function_or_class() -> None:
    step, session = (
        "STEP = tf.train.get_or_create_global_step()\n",
        f"tf.train.MonitoredTrainingSession(hooks=[{STOP}])",
    )
    other = "def other():\n    " + step.replace("STEP", "count")
    function = f"def train():\n    {step.replace('STEP', 'step')}    with {session} as sess:\n        sess.run(x)\n"
    method = f"    def train(self):\n        with {session} as sess:\n            sess.run(x)\n"
    owner = f"class Net(object):\n    def __init__(self):\n        {step.replace('STEP', 'self.step')}{method}"
    for text, place in ((function, "step"), (owner, "self.step")):
        made = with_plain_sessions(HEAD + other + text)
        assert made is not None and f"= sess.run({place})\n" in made.made.text
    with pytest.raises(NotNativeError, match="which variable counts the steps"):
        with_plain_sessions(HEAD + other + f"with {session} as sess:\n    sess.run(x)\n")


def test_a_method_that_only_asks_for_tensors_goes() -> None:
    made = native(training("Watch(-9., loss)", STOP, before=OWN)).text
    assert "before_run" not in made and "def after_run(self, results):" in made


def test_steps_of_summaries_have_a_note() -> None:
    text = training(STOP, options=", checkpoint_dir=folder, save_summaries_steps=2")
    made = native(text.replace("global_step = ", "tf.summary.scalar('loss', loss)\nglobal_step = ", 1))
    assert "one run earlier" in made.notes[0][1]
    assert run(made.text + "print(len(saved('.v2')))\n").split() == ["1"]


SUPERVISED = "sv = tf.train.Supervisor()"
REFUSED = [
    (training(STOP, options=", is_chief=chief"), "several workers"),
    (training(STOP, options=", master=target"), "another server"),
    (training(STOP, options=", scaffold=scaffold"), "the option scaffold"),
    (training(STOP, "make()"), "what this hook does"),
    (training("tf.train.FinalOpsHook(loss)"), "FinalOpsHook has no counterpart"),
    (training("tf.train.LoggingTensorHook([loss], every_n_iter=2)"), "a dict of tensors"),
    (training("tf.train.LoggingTensorHook({'a': 'Sum:0'}, every_n_iter=2)"), "by text"),
    (
        training(STOP).replace("sess.run(train_op, {x: data})", "sess.run([f(), sess.run(loss)])"),
        "a statement of its own",
    ),
    (
        training(STOP, "Watch(1., loss)", before=OWN).replace(
            "    sess.run(train_op", "    a = sess.run([train_op, x]"
        ),
        "each value",
    ),
    (training("Watch(1., loss)", before=OWN.replace("e': self.loss", "e': self.other")), "which tensor self.other"),
    (training("Watch(1., loss)", before=OWN.replace("print('begins')", "session.run(w)")), "in another way"),
    (training("Watch(1., loss)", before=OWN.replace("self.name = name", "print(loss)")), "in Python code"),
    (training(STOP, before="second = optimizer.minimize(loss, global_step)"), "several training ops count"),
    (program("sv.managed_session()", "print(sv)", before=SUPERVISED), "given to a function"),
    (program("sv.managed_session()", "sv.loop(60, len)", before=SUPERVISED), "the part loop"),
    (program("sv.managed_session()", "pass", before=SUPERVISED.replace(")", "init_fn=init)")), "the option init_fn"),
    (
        program(
            "sv.managed_session()",
            "pass",
            before="tf.summary.scalar('a', loss)\n" + SUPERVISED.replace("()", "(logdir='a')"),
        ),
        "a thread computes the summaries",
    ),
    (GRAPH + "\nsess = tf.train.MonitoredTrainingSession()\n", "as sess"),
]


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_what_is_not_certain_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotNativeError, match=why):
        native(text)

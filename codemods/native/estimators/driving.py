"""The functions that train, evaluate and predict in place of an Estimator, with a session of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

INPUTS = '''\
def numpy_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=False):
    """Returns a function that yields batches of arrays, with labels if there are any.

    What is shuffled has a new order in each epoch. A batch may reach into the next epoch.
    """

    def batch(rows):
        features = {name: value[rows] for name, value in x.items()} if isinstance(x, dict) else x[rows]
        return features if y is None else (features, y[rows])

    def input_fn():
        size, left = len(next(iter(x.values())) if isinstance(x, dict) else x), np.arange(0)
        draws = np.random.RandomState()
        for _ in itertools.repeat(None) if num_epochs is None else range(num_epochs):
            left = np.concatenate([left, draws.permutation(size) if shuffle else np.arange(size)])
            while len(left) >= batch_size:
                yield batch(left[:batch_size])
                left = left[batch_size:]
        if len(left):
            yield batch(left)

    return input_fn
'''
"""What `tf.estimator.inputs.numpy_input_fn` becomes: `numpy_io.py` and `feeding_functions.py` of 1.15.5."""


SESSION = """\
{of.saver} = {v1}.train.Saver()
{of.sess} = {v1}.Session()
{of.sess}.run({v1}.global_variables_initializer())
{of.model_dir} = {folder}
{of.latest} = {tf}.train.latest_checkpoint({of.model_dir})
if {of.latest}:
    {of.saver}.restore({of.sess}, {of.latest})
"""
"""The session, which continues from the last checkpoint in the folder of the Estimator."""


@dataclass(frozen=True)
class Spelled:
    """The names of what the Estimator made, and of the elements of a batch."""

    sess: str = ""
    saver: str = ""
    global_step: str = ""
    model_dir: str = ""
    latest: str = ""
    batch: str = ""
    targets: str = ""
    value: str = ""


def train(name: str, of: Spelled, given: str, feeds: str, fetches: str, has_end: bool, numpy: str) -> list[str]:
    """Returns the lines of the function that trains.

    Args:
        name: Its name.
        of: The names of what it uses.
        given: What an input_fn gives, as "batch, targets".
        feeds: The entries of the feed dict.
        fetches: The training op and the loss.
        has_end: Whether it gets `max_steps`.
        numpy: What the file calls NumPy.
    """
    lines = [f"def {name}(input_fn, steps=None{', max_steps=None' if has_end else ''}):"]
    if has_end:
        lines += [
            "    if max_steps is not None:",
            f"        first = {of.sess}.run({of.global_step})",
            "        if first >= max_steps:",
            "            return",
            "        steps = max_steps - first",
        ]
    save = f"{of.saver}.save({of.sess}, os.path.join({of.model_dir}, 'model.ckpt'), global_step={of.global_step})"
    return [
        *lines,
        f"    for {given} in itertools.islice(input_fn(), steps):",
        f"        _, {of.value} = {of.sess}.run([{fetches}], feed_dict={{{feeds}}})",
        f"        if {numpy}.isnan({of.value}):",
        "            raise RuntimeError('NaN loss during training.')",
        f"    {save}",
    ]


def evaluate(
    name: str, of: Spelled, given: str, feeds: str, metrics: Mapping[str, str], counters: Sequence[str]
) -> list[str]:
    """Returns the lines of the function that evaluates.

    Args:
        name: Its name.
        of, given, feeds: See `train`.
        metrics: Key of a result -> the tensor with its value so far.
        counters: The objects that count the metrics.
    """
    fetched = ", ".join(f"{key!r}: {tensor}" for key, tensor in metrics.items())
    return [
        f"def {name}(input_fn, steps=None):",
        *(f"    {counter}.reset()" for counter in counters),
        f"    for {given} in itertools.islice(input_fn(), steps):",
        f"        results = {of.sess}.run({{{fetched}}}, feed_dict={{{feeds}}})",
        f"    results['global_step'] = {of.sess}.run({of.global_step})",
        "    return results",
    ]


def predict(name: str, of: Spelled, given: str, feeds: str, predictions: Mapping[str, str] | str) -> list[str]:
    """Returns the lines of the function that yields the predictions of each row.

    Args:
        name, of, given, feeds: See `train`.
        predictions: Key -> tensor, or the only tensor. They are fetched in the order of their keys, as a session does.
    """
    head = [f"def {name}(input_fn):", f"    for {given} in input_fn():"]
    if isinstance(predictions, str):
        return [*head, f"        rows = {of.sess}.run({predictions}, feed_dict={{{feeds}}})", "        yield from rows"]
    fetched = ", ".join(f"{key!r}: {predictions[key]}" for key in sorted(predictions))
    lines = [*head, f"        columns = {of.sess}.run({{{fetched}}}, feed_dict={{{feeds}}})"]
    if [*predictions] == sorted(predictions):
        return [*lines, "        for row in zip(*columns.values()):", "            yield dict(zip(columns, row))"]
    return [
        *lines,
        f"        names = ({', '.join(map(repr, predictions))})",
        "        for row in zip(*(columns[name] for name in names)):",
        "            yield dict(zip(names, row))",
    ]

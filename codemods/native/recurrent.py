"""The recurrent cells of TensorFlow 1 as short classes, and the functions that run them, which a program gets once.

The formulas and the names of variables are those of `rnn_cell_impl.py`, `rnn.py` and `seq2seq.py` of 1.15.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_CELL = '''\
class Cell:
    """A recurrent cell of TensorFlow 1. It makes its variables at its first call, under the scope of that call."""

    def __init__(self, num_units, activation, name):
        self.num_units, self.activation, self.name = num_units, activation or tf.tanh, name
        self.state_size = self.output_size = num_units
        self.weights = {}

    def linear(self, inputs, size, scope, part="", bias=0.0):
        """Returns inputs * kernel + bias."""
        if part not in self.weights:
            name = "/".join(filter(None, [scope, self.name, part]))
            with tf.init_scope():
                kernel = keras.initializers.GlorotUniform()([inputs.shape[-1], size])
                self.weights[part] = (
                    tf.Variable(kernel, name=name + "/kernel"), tf.Variable(tf.fill([size], bias), name=name + "/bias"))
        kernel, bias = self.weights[part]
        return tf.matmul(inputs, kernel) + bias

    def variables(self):
        return [variable for pair in self.weights.values() for variable in pair]

    def zero_state(self, batch_size, dtype):
        return tf.nest.map_structure(lambda size: tf.zeros([batch_size, size], dtype), self.state_size)
'''

_TUPLE = """\
LSTMStateTuple = collections.namedtuple("LSTMStateTuple", ("c", "h"))
"""

_LSTM = """\
class {0}(Cell):
    def __init__(self, num_units, forget_bias=1.0, state_is_tuple=True, activation=None, name="{1}"):
        super().__init__(num_units, activation, name)
        self.forget_bias = forget_bias
        self.state_size = LSTMStateTuple(num_units, num_units)

    def __call__(self, inputs, state, scope=""):
        c, h = state
        gates = self.linear(tf.concat([inputs, h], 1), 4 * self.num_units, scope)
        i, j, f, o = tf.split(gates, 4, 1)
        c = c * tf.sigmoid(f + self.forget_bias) + tf.sigmoid(i) * self.activation(j)
        h = self.activation(c) * tf.sigmoid(o)
        return h, LSTMStateTuple(c, h)
"""

_CLASSES: Mapping[str, str] = {
    "BasicLSTMCell": _LSTM.format("BasicLSTMCell", "basic_lstm_cell"),
    "LSTMCell": _LSTM.format("LSTMCell", "lstm_cell"),
    "GRUCell": """\
class GRUCell(Cell):
    def __init__(self, num_units, activation=None, name="gru_cell"):
        super().__init__(num_units, activation, name)

    def __call__(self, inputs, state, scope=""):
        gates = self.linear(tf.concat([inputs, state], 1), 2 * self.num_units, scope, "gates", bias=1.0)
        r, u = tf.split(tf.sigmoid(gates), 2, 1)
        new = self.activation(self.linear(tf.concat([inputs, r * state], 1), self.num_units, scope, "candidate"))
        state = u * state + (1 - u) * new
        return state, state
""",
    "BasicRNNCell": """\
class BasicRNNCell(Cell):
    def __init__(self, num_units, activation=None, name="basic_rnn_cell"):
        super().__init__(num_units, activation, name)

    def __call__(self, inputs, state, scope=""):
        output = self.activation(self.linear(tf.concat([inputs, state], 1), self.num_units, scope))
        return output, output
""",
    "MultiRNNCell": '''\
class MultiRNNCell(Cell):
    """Cells one above the other; the state is a tuple of their states."""

    def __init__(self, cells, state_is_tuple=True):
        self.cells = cells
        self.state_size = tuple(cell.state_size for cell in cells)
        self.output_size = cells[-1].output_size

    def variables(self):
        return [variable for cell in self.cells for variable in cell.variables()]

    def __call__(self, inputs, state, scope=""):
        states = []
        for number, cell in enumerate(self.cells):
            below = "/".join(filter(None, [scope, "multi_rnn_cell", f"cell_{number}"]))
            inputs, new = cell(inputs, state[number], below)
            states.append(new)
        return inputs, tuple(states)
''',
    "DropoutWrapper": '''\
class DropoutWrapper:
    """A cell whose inputs and outputs are dropped, by another draw at each step."""

    def __init__(self, cell, input_keep_prob=1.0, output_keep_prob=1.0, seed=None):
        self.cell, self.variables, self.zero_state = cell, cell.variables, cell.zero_state
        self.state_size, self.output_size = cell.state_size, cell.output_size
        self.input_keep_prob, self.output_keep_prob, self.seed = input_keep_prob, output_keep_prob, seed

    def drop(self, values, keep_prob):
        if not tf.is_tensor(keep_prob) and keep_prob >= 1:
            return values
        return tf.nn.dropout(values, rate=1 - keep_prob, seed=self.seed)

    def __call__(self, inputs, state, scope=""):
        output, state = self.cell(self.drop(inputs, self.input_keep_prob), state, scope)
        return self.drop(output, self.output_keep_prob), state
''',
}
WRAPPERS = frozenset(("MultiRNNCell", "DropoutWrapper"))
"""Cells that have no variables but those of other cells, so that a function can make them anew."""

_STEP = '''\
def rnn_step(cell, inputs, state, time, sequence_length, scope):
    """Returns the output and the new state of a step. Behind the end of a sequence, these are 0 and the old state."""
    output, new = cell(inputs, state, scope)
    if sequence_length is None:
        return output, new
    runs = (time < tf.cast(sequence_length, tf.int32))[:, None]
    new = tf.nest.map_structure(lambda value, before: tf.where(runs, value, before), new, state)
    return tf.where(runs, output, tf.zeros_like(output)), new
'''

_STATIC = '''\
def static_rnn(cell, inputs, initial_state=None, dtype=None, sequence_length=None, scope="rnn"):
    """Returns the outputs of a cell for the inputs of each step, and its last state."""
    state = cell.zero_state(tf.shape(inputs[0])[0], dtype) if initial_state is None else initial_state
    outputs = []
    for time, step in enumerate(inputs):
        output, state = rnn_step(cell, step, state, time, sequence_length, scope)
        outputs.append(output)
    return outputs, state
'''

_DYNAMIC = '''\
def dynamic_rnn(cell, inputs, sequence_length=None, initial_state=None, dtype=None, time_major=False, scope="rnn"):
    """Returns the outputs of a cell for all steps, and its last state."""
    steps = inputs if time_major else tf.transpose(inputs, [1, 0, 2])
    state = cell.zero_state(tf.shape(steps)[1], dtype) if initial_state is None else initial_state
    cell(steps[0], state, scope)  # makes the variables before the loop
    length = tf.shape(steps)[0]

    def step(time, outputs, state):
        output, state = rnn_step(cell, steps[time], state, time, sequence_length, scope)
        return time + 1, outputs.write(time, output), state

    start = 0, tf.TensorArray(steps.dtype, length), state
    _, outputs, state = tf.while_loop(lambda time, *_: time < length, step, start)
    outputs = outputs.stack()
    return (outputs if time_major else tf.transpose(outputs, [1, 0, 2])), state
'''

_DECODER = '''\
def rnn_decoder(decoder_inputs, initial_state, cell, scope="rnn_decoder"):
    """Returns the outputs of a cell for the inputs of each step, and its last state."""
    state, outputs = initial_state, []
    for inputs in decoder_inputs:
        output, state = cell(inputs, state, scope)
        outputs.append(output)
    return outputs, state
'''

_FUNCTIONS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "rnn_decoder": (_DECODER, ()),
    "rnn_step": (_STEP, ()),
    "static_rnn": (_STATIC, ("rnn_step",)),
    "dynamic_rnn": (_DYNAMIC, ("rnn_step",)),
    "static_bidirectional_rnn": (
        '''\
def static_bidirectional_rnn(
    cell_fw, cell_bw, inputs, initial_state_fw=None, initial_state_bw=None, dtype=None, scope="bidirectional_rnn"
):
    """Returns the outputs of both directions side by side, and their last states."""
    forward, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, None, scope + "/fw")
    backward, state_bw = static_rnn(cell_bw, inputs[::-1], initial_state_bw, dtype, None, scope + "/bw")
    return [tf.concat(pair, 1) for pair in zip(forward, backward[::-1])], state_fw, state_bw
''',
        ("rnn_step", "static_rnn"),
    ),
    "bidirectional_dynamic_rnn": (
        '''\
def bidirectional_dynamic_rnn(
    cell_fw, cell_bw, inputs, sequence_length=None, initial_state_fw=None, initial_state_bw=None, dtype=None,
    time_major=False, scope="bidirectional_rnn"
):
    """Returns the outputs of both directions for all steps, and their last states."""

    def turned(values):
        axis = 0 if time_major else 1
        if sequence_length is None:
            return tf.reverse(values, [axis])
        return tf.reverse_sequence(values, sequence_length, seq_axis=axis, batch_axis=1 - axis)

    options = dict(sequence_length=sequence_length, dtype=dtype, time_major=time_major)
    forward, state_fw = dynamic_rnn(cell_fw, inputs, initial_state=initial_state_fw, scope=scope + "/fw", **options)
    backward, state_bw = dynamic_rnn(
        cell_bw, turned(inputs), initial_state=initial_state_bw, scope=scope + "/bw", **options)
    return (forward, turned(backward)), (state_fw, state_bw)
''',
        ("rnn_step", "dynamic_rnn"),
    ),
}


def cell_class(name: str) -> str | None:
    """Returns the class for a cell of TensorFlow 1, "LSTMCell" for "nn.rnn_cell.LSTMCell"; None if there is none."""
    module, _, short = name.rpartition(".")
    return short if module in ("nn.rnn_cell", "contrib.rnn", "rnn_cell") and short in _CLASSES else None


def function_of(name: str) -> str | None:
    """Returns the function for one that runs cells, "static_rnn" for "contrib.rnn.static_rnn"; None if none does."""
    module, _, short = name.rpartition(".")
    if short == "rnn_decoder":
        return short if module in ("contrib.legacy_seq2seq", "nn.seq2seq", "nn") else None
    return short if module in ("nn", "contrib.rnn") and short in _FUNCTIONS.keys() - {"rnn_step"} else None


def is_state(name: str) -> bool:
    """Returns whether a name is that of the state of an LSTM."""
    return name in ("nn.rnn_cell.LSTMStateTuple", "contrib.rnn.LSTMStateTuple", "rnn_cell.LSTMStateTuple")


def written(names: Iterable[str]) -> list[str]:
    """Returns the classes and functions of these names, with what they need, as texts of a program."""
    wanted = set(names)
    for name in list(wanted & _FUNCTIONS.keys()):
        wanted |= set(_FUNCTIONS[name][1])
    classes = [name for name in _CLASSES if name in wanted]
    functions = [_FUNCTIONS[name][0] for name in _FUNCTIONS if name in wanted]
    parts = [_TUPLE] if any("LSTM" in name for name in wanted) else []
    parts += [_CELL] if classes else []
    return [*parts, *(_CLASSES[name] for name in classes), *functions]

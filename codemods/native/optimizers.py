"""The optimizers of TensorFlow 1 as short classes, which a rewritten program gets once.

Each step is the kernel that TensorFlow 1 ran (`training_ops.cc`), so every number is the same. Keras computes some
steps otherwise: Adam takes 1 - beta in double precision, SGD scales its momentum by the rate, and RMSprop begins with
zeros.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_BASE = '''\
class Optimizer:
    """Steps of an optimizer of TensorFlow 1, by the same kernels."""

    def __init__(self, learning_rate):
        self.learning_rate = learning_rate
        self.slots = {}

    def slot(self, var, name, value=0.0):
        """Returns the variable that belongs to `var`, and makes it with its first value at first use."""
        key = var.ref(), name
        if key not in self.slots:
            with tf.init_scope():
                first = tf.fill(var.shape, tf.cast(value, var.dtype))
                self.slots[key] = tf.Variable(first, trainable=False, name=var.name.split(":")[0] + "/" + name)
        return self.slots[key].handle

    def apply_gradients(self, grads_and_vars, learning_rate=None):
        """Makes one step. Variables without a gradient stay as they are."""
        rate = self.learning_rate if learning_rate is None else learning_rate
        pairs = [(grad, var) for grad, var in grads_and_vars if grad is not None]
        for grad, var in pairs:
            if isinstance(grad, tf.IndexedSlices):
                rows, places = tf.unique(grad.indices)
                values = tf.math.unsorted_segment_sum(grad.values, places, tf.size(rows))
                self.sparse_step(var, values, rows, tf.cast(rate, var.dtype))
            else:
                self.step(var, grad, tf.cast(rate, var.dtype))
        self.finish(pairs)

    def sparse_step(self, var, grad, rows, rate):
        """Makes a step by gradients of some rows. Without a kernel for rows, all others have the gradient 0."""
        full = tf.scatter_nd(rows[:, None], grad, tf.shape(var, out_type=rows.dtype))
        self.step(var, full, rate)

    def finish(self, pairs):
        """Ends a step."""
        pass  # AutoGraph cannot read a body that is a docstring alone
'''

_CLASSES: Mapping[str, str] = {
    "GradientDescent": """\
class GradientDescent(Optimizer):
    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(learning_rate)

    def step(self, var, grad, rate):
        tf.raw_ops.ResourceApplyGradientDescent(var=var.handle, alpha=rate, delta=grad)

    def sparse_step(self, var, grad, rows, rate):
        var.scatter_sub(tf.IndexedSlices(grad * rate, rows))
""",
    "Momentum": """\
class Momentum(Optimizer):
    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum", use_nesterov=False):
        super().__init__(learning_rate)
        self.momentum = momentum
        self.use_nesterov = use_nesterov

    def step(self, var, grad, rate):
        tf.raw_ops.ResourceApplyMomentum(
            var=var.handle, accum=self.slot(var, "Momentum"), lr=rate, grad=grad,
            momentum=tf.cast(self.momentum, var.dtype), use_nesterov=self.use_nesterov)

    def sparse_step(self, var, grad, rows, rate):
        tf.raw_ops.ResourceSparseApplyMomentum(
            var=var.handle, accum=self.slot(var, "Momentum"), lr=rate, grad=grad, indices=rows,
            momentum=tf.cast(self.momentum, var.dtype), use_nesterov=self.use_nesterov)
""",
    "Adam": """\
class Adam(Optimizer):
    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08, use_locking=False, name="Adam"):
        super().__init__(learning_rate)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.beta1_power = tf.Variable(beta1, trainable=False, dtype=tf.float32, name="beta1_power")
        self.beta2_power = tf.Variable(beta2, trainable=False, dtype=tf.float32, name="beta2_power")

    def step(self, var, grad, rate):
        tf.raw_ops.ResourceApplyAdam(
            var=var.handle, m=self.slot(var, "Adam"), v=self.slot(var, "Adam_1"), lr=rate, grad=grad,
            beta1_power=tf.cast(self.beta1_power, var.dtype), beta2_power=tf.cast(self.beta2_power, var.dtype),
            beta1=tf.cast(self.beta1, var.dtype), beta2=tf.cast(self.beta2, var.dtype),
            epsilon=tf.cast(self.epsilon, var.dtype))

    def finish(self, pairs):
        self.beta1_power.assign(self.beta1_power * self.beta1)
        self.beta2_power.assign(self.beta2_power * self.beta2)
""",
    "Adagrad": """\
class Adagrad(Optimizer):
    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name="Adagrad"):
        super().__init__(learning_rate)
        self.initial_accumulator_value = initial_accumulator_value

    def step(self, var, grad, rate):
        accum = self.slot(var, "Adagrad", self.initial_accumulator_value)
        tf.raw_ops.ResourceApplyAdagrad(var=var.handle, accum=accum, lr=rate, grad=grad)

    def sparse_step(self, var, grad, rows, rate):
        accum = self.slot(var, "Adagrad", self.initial_accumulator_value)
        tf.raw_ops.ResourceSparseApplyAdagrad(var=var.handle, accum=accum, lr=rate, grad=grad, indices=rows)
""",
    "RMSProp": """\
class RMSProp(Optimizer):
    def __init__(
        self, learning_rate, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False, centered=False, name="RMSProp"
    ):
        super().__init__(learning_rate)
        if centered:
            raise ValueError("centered RMSProp has another step")
        self.decay, self.momentum, self.epsilon = decay, momentum, epsilon

    def settings(self, var, grad, rate):
        rho, momentum, epsilon = (tf.cast(x, var.dtype) for x in (self.decay, self.momentum, self.epsilon))
        return dict(
            var=var.handle, ms=self.slot(var, "RMSProp", 1.0), mom=self.slot(var, "RMSProp_1"), lr=rate, grad=grad,
            rho=rho, momentum=momentum, epsilon=epsilon)

    def step(self, var, grad, rate):
        tf.raw_ops.ResourceApplyRMSProp(**self.settings(var, grad, rate))

    def sparse_step(self, var, grad, rows, rate):
        tf.raw_ops.ResourceSparseApplyRMSProp(indices=rows, **self.settings(var, grad, rate))
""",
    "Adadelta": """\
class Adadelta(Optimizer):
    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-08, use_locking=False, name="Adadelta"):
        super().__init__(learning_rate)
        self.rho, self.epsilon = rho, epsilon

    def step(self, var, grad, rate):
        tf.raw_ops.ResourceApplyAdadelta(
            var=var.handle, accum=self.slot(var, "Adadelta"), accum_update=self.slot(var, "Adadelta_1"), lr=rate,
            rho=tf.cast(self.rho, var.dtype), epsilon=tf.cast(self.epsilon, var.dtype), grad=grad)

    def sparse_step(self, var, grad, rows, rate):
        tf.raw_ops.ResourceSparseApplyAdadelta(
            var=var.handle, accum=self.slot(var, "Adadelta"), accum_update=self.slot(var, "Adadelta_1"), lr=rate,
            rho=tf.cast(self.rho, var.dtype), epsilon=tf.cast(self.epsilon, var.dtype), grad=grad, indices=rows)
""",
    "EarlyAdadelta": """\
class EarlyAdadelta(Optimizer):
    \"\"\"Adadelta as up to TensorFlow 1.4: the variable moves by averages that have this step already.\"\"\"

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-08, use_locking=False, name="Adadelta"):
        super().__init__(learning_rate)
        self.rho, self.epsilon = rho, epsilon

    def step(self, var, grad, rate):
        accum, accum_update = self.slot(var, "Adadelta"), self.slot(var, "Adadelta_1")
        tf.raw_ops.ResourceApplyAdadelta(
            var=var.handle, accum=accum, accum_update=accum_update, lr=tf.zeros_like(rate),
            rho=tf.cast(self.rho, var.dtype), epsilon=tf.cast(self.epsilon, var.dtype), grad=grad)
        squares = tf.raw_ops.ReadVariableOp(resource=accum, dtype=var.dtype)
        steps = tf.raw_ops.ReadVariableOp(resource=accum_update, dtype=var.dtype)
        var.assign_sub(tf.sqrt(steps + self.epsilon) * tf.math.rsqrt(squares + self.epsilon) * grad * rate)

    def sparse_step(self, var, grad, rows, rate):
        accum, accum_update = self.slot(var, "Adadelta"), self.slot(var, "Adadelta_1")
        tf.raw_ops.ResourceSparseApplyAdadelta(
            var=var.handle, accum=accum, accum_update=accum_update, lr=tf.zeros_like(rate),
            rho=tf.cast(self.rho, var.dtype), epsilon=tf.cast(self.epsilon, var.dtype), grad=grad, indices=rows)
        squares = tf.raw_ops.ResourceGather(resource=accum, indices=rows, dtype=var.dtype)
        steps = tf.raw_ops.ResourceGather(resource=accum_update, indices=rows, dtype=var.dtype)
        step = tf.sqrt(steps + self.epsilon) * tf.math.rsqrt(squares + self.epsilon) * grad * rate
        var.scatter_sub(tf.IndexedSlices(step, rows))
""",
}
_EARLY = {"Adadelta": "EarlyAdadelta"}
"""Class -> that of programs of TensorFlow 0.x to 1.4."""


def class_of(name: str, is_early: bool = False) -> str | None:
    """Returns the class for an optimizer of TensorFlow 1, "Adam" for "train.AdamOptimizer"; None if there is none.

    Args:
        name: The name of the optimizer.
        is_early: The program was written for TensorFlow 1.4 or earlier.
    """
    short = name.removeprefix("train.").removesuffix("Optimizer")
    known = short if short in _CLASSES else None
    return _EARLY.get(short, known) if is_early else known


def written(names: Iterable[str]) -> str:
    """Returns the classes of these names, with their common base, as text of a program."""
    chosen = sorted(set(names))
    return "\n\n".join([_BASE, *(_CLASSES[name] for name in chosen)]) if chosen else ""

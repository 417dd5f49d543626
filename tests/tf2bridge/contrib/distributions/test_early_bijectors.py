"""Bijectors up to 1.4 have the rank of their events themselves, and attention its previous alignments."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import forked, oracles

PROGRAM = """
import numpy as np
distributions = tf.contrib.distributions
bijectors = distributions.bijectors
x = np.array([[0.3, 0.6], [0.2, 0.7], [0.5, 0.25]], np.float32)

def show(*tensors):
    print(*[np.round(value, 3).tolist() for value in tf.Session().run(tensors)])

for bijector in (
    bijectors.Exp(), bijectors.Exp(1), bijectors.PowerTransform(0.5, 1), bijectors.Softplus(1, 2.0),
    bijectors.Sigmoid(), bijectors.SinhArcsinh(0.5, 1.5, 1), bijectors.Identity(event_ndims=1),
    bijectors.SigmoidCentered(), bijectors.Affine([1.0, 2.0], scale_diag=[2.0, 3.0]),
    bijectors.Affine(2.0, 3.0, event_ndims=0), bijectors.Affine([1.0, 2.0], 3.0),
    bijectors.SoftmaxCentered(event_ndims=1), bijectors.CholeskyOuterProduct(0),
    bijectors.AffineLinearOperator([1.0, 2.0], tf.contrib.linalg.LinearOperatorTriL([[2.0, 0.0], [1.0, 3.0]])),
    bijectors.Chain([bijectors.Exp(event_ndims=1), bijectors.Invert(bijectors.Softplus(event_ndims=1))]),
):
    print(bijector.name, isinstance(bijector, bijectors.Bijector))
    show(bijector.event_ndims, bijector.forward(x), bijector.forward_log_det_jacobian(x))
    show(bijector.inverse(x), bijector.inverse_log_det_jacobian(x, name="log_det"))
    show(bijectors.Invert(bijector).inverse_log_det_jacobian(x))
show(bijectors.AbsoluteValue().inverse_log_det_jacobian(x))
show(bijectors.CholeskyOuterProduct().forward_log_det_jacobian([[1.0, 0.0], [2.0, 3.0]]))
inline = bijectors.Inline(tf.exp, tf.log, lambda y: -tf.reduce_sum(tf.log(y), -1))
show(inline.event_ndims, inline.forward_log_det_jacobian(x))
for wrong in (lambda: bijectors.AbsoluteValue(1), lambda: bijectors.Affine(scale_diag=[1.0], event_ndims=0),
              lambda: bijectors.Affine(event_ndims=2), lambda: bijectors.SoftmaxCentered(2)):
    try:
        wrong()
    except ValueError as error:
        print(error)


class Coupling(bijectors.Bijector):
    def __init__(self, size, event_ndims=1, validate_args=False, name="coupling"):
        super(Coupling, self).__init__(event_ndims=event_ndims, validate_args=validate_args, name=name)
        self.size = size

    def _forward(self, x):
        kept, changed = x[:, : self.size], x[:, self.size :]
        return tf.concat([kept, changed * tf.exp(tf.tanh(kept)) + 0.5 * kept], 1)

    def _inverse(self, y):
        kept, changed = y[:, : self.size], y[:, self.size :]
        return tf.concat([kept, (changed - 0.5 * kept) * tf.exp(-tf.tanh(kept))], 1)

    def _forward_log_det_jacobian(self, x):
        return tf.reduce_sum(tf.tanh(x[:, : self.size]), axis=self._event_dims_tensor(x))

    def _inverse_log_det_jacobian(self, y):
        return -self._forward_log_det_jacobian(y)


class Scaled(bijectors.ConditionalBijector):
    def __init__(self):
        super(Scaled, self).__init__(event_ndims=0, name="scaled")

    def _forward(self, x, by):
        return x * by

    def _inverse(self, y, by):
        return y / by

    def _inverse_log_det_jacobian(self, y, by):
        return -tf.log(by) * tf.ones_like(y)


class Doubled(bijectors.Bijector):
    def __init__(self):
        super(Doubled, self).__init__(is_constant_jacobian=True)

    def _forward(self, x):
        return 2.0 * x

    def _forward_log_det_jacobian(self, x):
        return tf.constant(1.386)


normal = distributions.MultivariateNormalDiag([0.0, 1.0], [1.0, 2.0])
affine = bijectors.Affine(scale_tril=[[1.0, 0.0], [0.5, 2.0]])
chain = bijectors.Chain([Coupling(1), affine, bijectors.Invert(Coupling(1))])
flow = distributions.TransformedDistribution(normal, chain)
show(flow.log_prob(x), flow.prob(x), flow.bijector.inverse_log_det_jacobian(x))
bijector = bijectors.Exp(event_ndims=1)
y = bijector.forward(x)
print(bijector.inverse_log_det_jacobian(y) is bijector.inverse_log_det_jacobian(y))
doubled = Doubled()
print(doubled.name, doubled.event_ndims, doubled.forward_log_det_jacobian(x).shape)
show(Scaled().forward(x, by=2.0), Scaled().inverse_log_det_jacobian(x, by=2.0))
conditional = distributions.ConditionalTransformedDistribution(distributions.Normal(0.0, 1.0), Scaled())
show(conditional.log_prob(x, bijector_kwargs={"by": 2.0}))
standard = distributions.Normal(0.0, 1.0)
for transformed in (
    distributions.TransformedDistribution(standard, bijectors.Exp(event_ndims=1), event_shape=[2]),
    distributions.TransformedDistribution(standard, bijectors.Exp(), event_shape=[2]),  # without its event_ndims
    distributions.TransformedDistribution(standard, bijectors.AbsoluteValue()),
    distributions.TransformedDistribution(standard),
    distributions.RelaxedOneHotCategorical(0.5, [1.0, 2.0]),
):
    show(transformed.log_prob(x[:2]), transformed.prob(x[:2]))
scaled = bijectors.Affine(scale_identity_multiplier=2.0, event_ndims=0)
show(distributions.TransformedDistribution(standard, scaled, event_shape=[3], batch_shape=[2]).entropy())
show(normal.bijector.inverse_log_det_jacobian(x), normal.log_prob(x))
show(distributions.SinhArcsinh(1.0, 2.0, 0.5, 1.5).log_prob(x))
with tf.Graph().as_default():
    tf.set_random_seed(3)
    chain = bijectors.Chain([bijectors.Exp(1), bijectors.Affine(scale_diag=[2.0, 3.0])])
    drawn = distributions.TransformedDistribution(distributions.Normal(0.0, 1.0), chain, event_shape=[2])
    show(drawn.sample(2))

values = tf.reshape(tf.range(24.0), [2, 3, 4]) / 10.0
query, before = tf.ones([2, 4]), tf.one_hot([0, 0], 3)
for mechanism in (
    tf.contrib.seq2seq.LuongAttention, tf.contrib.seq2seq.BahdanauAttention,
    tf.contrib.seq2seq.LuongMonotonicAttention, tf.contrib.seq2seq.BahdanauMonotonicAttention,
):
    tf.get_variable_scope().set_initializer(tf.constant_initializer(0.1))
    with tf.variable_scope(mechanism.__name__):
        alignments = mechanism(4, values)(query, previous_alignments=before)
        cell = tf.contrib.seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(4), mechanism(4, values))
        output, state = cell(query, cell.zero_state(2, tf.float32))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        print(np.round(session.run([alignments, state.alignments]), 3).tolist())
"""
GENUINE = "import tensorflow as tf\n"
OURS = "from tf2bridge import v1 as tf\ntf.enable(api={!r})\n"


PRINTED = Path(__file__).with_name("early_bijectors.txt").read_text(encoding="utf-8")
"""What genuine 1.4.1 prints."""


def test_bijectors_of_1_4_know_their_rank() -> None:
    done = forked.run(OURS.format("1.4") + PROGRAM)
    assert done.stdout == PRINTED, done.stderr


@pytest.mark.oracle
def test_the_genuine_release_has_it_so() -> None:
    done = oracles.run("1.4.1", GENUINE + PROGRAM)
    assert done.stdout == PRINTED, done.stderr


def test_since_1_5_the_caller_says_the_rank() -> None:
    program = """
bijectors = tf.contrib.distributions.bijectors
print(tf.Session().run(bijectors.Exp().forward_log_det_jacobian([0.25, 0.5], event_ndims=1)))
print(tf.contrib.distributions.bijectors.Bijector is tf.python.ops.distributions.bijector_impl.Bijector)
mechanism = tf.contrib.seq2seq.LuongAttention(4, tf.ones([2, 3, 4]))
print(len(mechanism(tf.ones([2, 4]), state=tf.ones([2, 3]))), hasattr(bijectors.Exp(), "event_ndims"))
print("SigmoidCentered" in dir(bijectors), hasattr(bijectors, "SigmoidCentered"))
"""
    done = forked.run(OURS.format("1.12") + program)
    assert done.stdout == "0.75\nTrue\n2 False\nFalse False\n", done.stderr

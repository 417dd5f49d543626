"""Shampoo: gradients are multiplied by roots of second moments, a matrix for each axis of a variable.

Gupta, Koren and Singer, Shampoo: Preconditioned Stochastic Tensor Optimization (https://arxiv.org/abs/1802.09568).
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.opt.matrix_functions import matrix_inverse_pth_root, matrix_square_root

v1 = tf.compat.v1


class ShampooOptimizer(v1.train.Optimizer):  # type: ignore[misc, name-defined]  # TensorFlow has no types
    """Keeps a matrix of second moments for each axis of at most `max_matrix_size`, and a vector for each longer one.

    `gbar_decay`, `gbar_weight`, `mat_gbar_decay`, `mat_gbar_weight`, `learning_rate`, `svd_interval`,
    `precond_update_interval` and `alpha` may be functions of the step, which begins with 1.
    """

    def __init__(
        self,
        global_step: Any = 0,
        max_matrix_size: int = 768,
        gbar_decay: Any = 0.0,
        gbar_weight: Any = 1.0,
        mat_gbar_decay: Any = 1.0,
        mat_gbar_weight: Any = 1.0,
        learning_rate: Any = 1.0,
        svd_interval: Any = 1,
        precond_update_interval: Any = 1,
        epsilon: float = 1e-4,
        alpha: Any = 0.5,
        use_iterative_root: bool = False,
        use_locking: bool = False,
        name: str = "Shampoo",
    ) -> None:
        super().__init__(use_locking, name)
        self._global_step = v1.cast(global_step, tf.float32)
        self._max_matrix_size = max_matrix_size
        self._gbar_decay, self._gbar_weight = gbar_decay, gbar_weight
        self._mat_gbar_decay, self._mat_gbar_weight = mat_gbar_decay, mat_gbar_weight
        self._learning_rate, self._alpha, self._epsilon = learning_rate, alpha, epsilon
        self._svd_interval, self._precond_update_interval = svd_interval, precond_update_interval
        self._use_iterative_root = use_iterative_root

    def _create_slots(self, var_list: Any) -> None:
        for variable in var_list:
            with v1.colocate_with(variable):
                self._zeros_slot(variable, "gbar", self._name)
                for axis, size in enumerate(variable.get_shape().as_list()):
                    count = tf.convert_to_tensor(size)
                    if size > self._max_matrix_size:
                        moments = v1.zeros([count])
                    else:
                        moments = v1.zeros_like(v1.eye(count))
                        if self._svd_interval > 1:
                            self._get_or_make_slot(variable, v1.eye(count), f"H_{axis}", self._name)
                    self._get_or_make_slot(variable, moments, f"Gbar_{axis}", self._name)

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._apply(grad, var)

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        return self._apply(grad, var)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._apply_rows(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        return self._apply_rows(grad, var, indices)

    def _apply_rows(self, values: Any, variable: Any, indices: Any) -> Any:
        """Applies a sparse gradient.

        Only its rows change if the first axis keeps a vector and there is no momentum. Otherwise the gradient is made
        dense, with zeros in the other rows.
        """
        if variable.get_shape().as_list()[0] > self._max_matrix_size and self._gbar_decay == 0.0:
            return self._apply(values, variable, indices)
        shape = v1.shape(variable, out_type=indices.dtype)
        return self._apply(v1.scatter_nd(v1.expand_dims(indices, axis=1), values, shape), variable)

    def _apply(self, gradient: Any, variable: Any, indices: Any = None) -> Any:
        step = self._global_step + 1
        sizes = variable.get_shape().as_list()
        exponent = -_at(self._alpha, step) / len(sizes)
        scaled = self._averaged(gradient, variable, indices, step)
        for axis, size in enumerate(sizes):
            if size <= self._max_matrix_size:
                power = self._matrix(gradient, variable, axis, exponent, step)
                scaled = v1.tensordot(scaled, power, axes=([0], [0]), name=f"precond_{axis}")
            else:
                power = self._diagonal(gradient, variable, indices, axis, exponent, step)
                scaled = v1.transpose(scaled, perm=[*range(1, len(sizes)), 0]) * power
        rate = _at(self._learning_rate, step)
        if indices is not None:
            return v1.scatter_add(variable, indices, -rate * scaled)
        return v1.assign_sub(variable, rate * scaled)

    def _averaged(self, gradient: Any, variable: Any, indices: Any, step: Any) -> Any:
        """Returns the gradient averaged by the momentum. The gradient of some rows only is returned unchanged."""
        decay, weight = _at(self._gbar_decay, step), _at(self._gbar_weight, step)
        if indices is None:
            return _decayed(self.get_slot(variable, "gbar"), self._gbar_decay, decay, weight * gradient)
        if self._gbar_decay != 0.0:
            logging.warning(f"Not applying momentum for variable: {variable.name}")
        return gradient

    def _matrix(self, gradient: Any, variable: Any, axis: int, exponent: Any, step: Any) -> Any:
        """Returns the power of the second moments of one axis, [size, size], computed every `svd_interval` steps."""
        sizes, moments = variable.get_shape().as_list(), self.get_slot(variable, f"Gbar_{axis}")
        other_axes = [number for number in range(len(sizes)) if number != axis]
        interval = _at(self._precond_update_interval, step)
        decay, weight = _at(self._mat_gbar_decay, step), _at(self._mat_gbar_weight, step) * interval

        def updated() -> Any:
            products = v1.tensordot(gradient, gradient, axes=(other_axes, other_axes), name=f"grad_outer_{axis}")
            return _decayed(moments, self._mat_gbar_decay, decay, weight * products)

        mean = v1.cond(v1.mod(step, interval) < 1, updated, lambda: moments) / float(sizes[axis])
        if self._svd_interval == 1:
            return self._power(mean, sizes[axis], exponent)
        power = self.get_slot(variable, f"H_{axis}")
        return v1.cond(
            v1.mod(step, _at(self._svd_interval, step)) < 1,
            lambda: v1.assign(power, self._power(mean, sizes[axis], exponent)),
            lambda: power,
        )

    def _power(self, moments: Any, size: int, exponent: Any) -> Any:
        with v1.name_scope("matrix_iterative_power"):
            if self._use_iterative_root:
                root = matrix_square_root(moments, size, ridge_epsilon=self._epsilon)
                return matrix_inverse_pth_root(root, size, 2 * exponent, ridge_epsilon=0.0)
            if size == 1:
                return v1.pow(moments + self._epsilon, exponent)
            values, left, right = v1.svd(moments + self._epsilon * v1.eye(size), full_matrices=True)
            return v1.matmul(right * v1.pow(v1.maximum(values, self._epsilon), exponent), v1.transpose(left))

    def _diagonal(self, gradient: Any, variable: Any, indices: Any, axis: int, exponent: Any, step: Any) -> Any:
        """Returns the power of the second moments of a long axis, [size], or of the rows that have a gradient."""
        sizes, moments = variable.get_shape().as_list(), self.get_slot(variable, f"Gbar_{axis}")
        decay, weight = _at(self._mat_gbar_decay, step), _at(self._mat_gbar_weight, step)
        squares = gradient * gradient
        other_axes = [number for number in range(len(sizes)) if number != axis]
        if other_axes:
            squares = v1.reduce_sum(squares, axis=other_axes) / (1.0 if indices is not None else float(sizes[axis]))
        if axis == 0 and indices is not None:
            assert self._mat_gbar_decay == 1.0, "sparse gradients need mat_gbar_decay=1.0"
            new = v1.gather(v1.scatter_add(moments, indices, weight * squares), indices)
        else:
            new = _decayed(moments, self._mat_gbar_decay, decay, weight * squares)
        return v1.where(v1.greater(new, 0), v1.pow(new, exponent), v1.zeros_like(new))


def _at(value: Any, step: Any) -> Any:
    """Returns the value of a parameter at a step. The parameter is a number, or a function of the step."""
    return value(step) if callable(value) else value


def _decayed(slot: Any, decay: Any, decay_now: Any, new: Any) -> Any:
    """Returns the slot after the update `decay_now` * slot + new. If `decay` is 0, returns `new` without a slot."""
    if decay == 0.0:
        return new
    if decay == 1.0:
        return v1.assign_add(slot, new)
    return slot.assign_add((decay_now - 1) * slot + new)

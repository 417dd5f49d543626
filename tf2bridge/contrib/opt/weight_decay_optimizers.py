"""Optimizers with decoupled weight decay: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2017."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.opt.coefficients import called, resource_row_add

v1 = tf.compat.v1


class DecoupledWeightDecayExtension:
    """Mixin, listed before an optimizer class, that shrinks each variable by `weight_decay` before the step.

    `apply_gradients` takes `decay_var_list`, the variables to shrink. None or an empty list means all variables.
    """

    def __init__(self, weight_decay: Any, **kwargs: Any) -> None:
        self._decay_var_list: Any = None
        self._weight_decay = weight_decay
        self._weight_decay_tensor: Any = None
        super().__init__(**kwargs)

    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = v1.train.Optimizer.GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
        decay_var_list: Any = None,
    ) -> Any:
        """Returns the op of one step; see `tf.train.Optimizer.minimize`.

        All variables are shrunk: as in 1.15.5, `decay_var_list` is lost before the step is built. To shrink some
        variables only, call `compute_gradients` and pass the list to `apply_gradients`.
        """
        self._choose(decay_var_list)
        return super().minimize(  # type: ignore[misc]
            loss,
            global_step=global_step,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            name=name,
            grad_loss=grad_loss,
        )

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None, decay_var_list: Any = None
    ) -> Any:
        """Returns the op of one step; see `tf.train.Optimizer.apply_gradients`."""
        self._choose(decay_var_list)
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)  # type: ignore[misc]

    def _choose(self, variables: Any) -> None:
        self._decay_var_list = {id(variable) for variable in variables} if variables else None

    def _prepare(self) -> None:
        self._weight_decay_tensor = tf.convert_to_tensor(called(self._weight_decay), name="weight_decay")
        super()._prepare()  # type: ignore[misc]

    def _decays(self, var: Any) -> bool:
        return self._decay_var_list is None or id(var) in self._decay_var_list

    def _decay_weights_op(self: Any, var: Any) -> Any:
        if self._decays(var):
            return var.assign_sub(self._weight_decay * var, self._use_locking)
        return tf.no_op()

    def _decay_rows(self: Any, var: Any, indices: Any, scatter_add: Any) -> Any:
        if self._decays(var):
            return scatter_add(var, indices, -self._weight_decay * tf.gather(var, indices), self._use_locking)
        return tf.no_op()

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        with tf.control_dependencies([self._decay_weights_op(var)]):
            return super()._apply_dense(grad, var)  # type: ignore[misc]

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        with tf.control_dependencies([self._decay_weights_op(var)]):
            return super()._resource_apply_dense(grad, var)  # type: ignore[misc]

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        with tf.control_dependencies([self._decay_rows(var, grad.indices, v1.scatter_add)]):
            return super()._apply_sparse(grad, var)  # type: ignore[misc]

    def _resource_scatter_add(self, x: Any, i: Any, v: Any, _: Any = None) -> Any:
        with tf.control_dependencies([resource_row_add(x, i, v)]):
            return x.value()

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        with tf.control_dependencies([self._decay_rows(var, indices, self._resource_scatter_add)]):
            return super()._resource_apply_sparse(grad, var, indices)  # type: ignore[misc]


def extend_with_decoupled_weight_decay(base_optimizer: Any) -> Any:
    """Returns a class like `base_optimizer` (a class) whose first parameter is `weight_decay`."""

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):  # type: ignore[misc]
        """The optimizer `base_optimizer` with decoupled weight decay. Its own arguments are keyword arguments."""

        def __init__(self, weight_decay: Any, *args: Any, **kwargs: Any) -> None:
            super().__init__(weight_decay, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, v1.train.MomentumOptimizer):  # type: ignore[name-defined,misc]
    """`tf.train.MomentumOptimizer` with decoupled weight decay."""

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "MomentumW",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            momentum=momentum,
            use_locking=use_locking,
            name=name,
            use_nesterov=use_nesterov,
        )


class AdamWOptimizer(DecoupledWeightDecayExtension, v1.train.AdamOptimizer):  # type: ignore[name-defined,misc]
    """`tf.train.AdamOptimizer` with decoupled weight decay."""

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "AdamW",
    ) -> None:
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            use_locking=use_locking,
            name=name,
        )

"""`AddSignOptimizer`: adds the agreement of the gradient's sign and its average's.

Formula: Bello, Zoph, Vasudevan and Le, "Neural Optimizer Search with Reinforcement Learning", 2017, section 4.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.opt.coefficients import cast_all
from tf2bridge.contrib.opt.sign_decay import Decay, SignOptimizer


class AddSignOptimizer(SignOptimizer):
    """Moves by rate * (alpha + decay * sign(g) * sign(m)) * g."""

    def __init__(
        self,
        learning_rate: Any = 0.1,
        alpha: Any = 1.0,
        beta: Any = 0.9,
        sign_decay_fn: Decay | None = None,
        use_locking: bool = False,
        name: str = "AddSignOptimizer",
    ) -> None:
        super().__init__(learning_rate, beta, sign_decay_fn, use_locking, name)
        self._alpha = alpha
        self._alpha_t: Any = None

    def _prepare_scale(self) -> None:
        self._alpha_t = tf.convert_to_tensor(self._alpha, name="alpha")

    def _arguments(self, var: Any, grad: Any) -> dict[str, Any]:
        values = cast_all(var, self._lr_t, self._alpha_t, self._sign_decay_t, self._beta_t)
        known = dict(zip(("lr", "alpha", "sign_decay", "beta"), values, strict=True))
        return {**known, "grad": grad, "use_locking": self._use_locking}

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return tf.raw_ops.ApplyAddSign(var=var, m=self.get_slot(var, "m"), **self._arguments(var, grad)).op

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        mean = self.get_slot(var, "m").handle
        return tf.raw_ops.ResourceApplyAddSign(var=var.handle, m=mean, **self._arguments(var, grad))

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        rate, alpha, beta = cast_all(var, self._lr_t, self._alpha_t, self._beta_t)

        def scale(agreement: Any) -> Any:
            (decay,) = cast_all(var, self._sign_decay_t)
            return alpha + decay * agreement

        return self._apply_rows(grad, var, beta, scale, rate)

"""`tf.keras.experimental.PeepholeLSTMCell`: an LSTM cell whose gates read its state.

Keras dropped the class with 2.12 (its release notes). The behaviour is that of TensorFlow 1.15.5. The equations are
from Gers et al., "Learning Precise Timing with LSTM Recurrent Networks", 2002.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tf2bridge.behaviour.installed import KERAS, supplier

_keras = supplier(KERAS)
_layers = import_module(f"{KERAS}.layers")
_WEIGHTS = "input_gate_peephole_weights forget_gate_peephole_weights output_gate_peephole_weights"


class PeepholeLSTMCell(_layers.LSTMCell):  # type: ignore[misc, name-defined]
    """An LSTM cell whose input and forget gates read the old state, and whose output gate reads the new state.

    Its arguments are those of `LSTMCell`. Each gate has one more weight, of shape [units].
    """

    def build(self, input_shape: Any) -> None:
        """Creates the weights of an LSTM cell and of the peepholes."""
        super().build(input_shape)
        for name in _WEIGHTS.split():
            setattr(self, name, self.add_weight(shape=(self.units,), name=name, initializer=self.kernel_initializer))

    def _compute_carry_and_output(self, x: Any, h_tm1: Any, c_tm1: Any) -> tuple[Any, Any]:
        """Returns the new state and the output gate, from each gate's input product and the last output."""
        gate, backend, units = self.recurrent_activation, _keras.backend, self.units

        def total(place: int) -> Any:
            # Slices rather than a split: random values depend on the number of operations.
            kernel = self.recurrent_kernel[:, place * units : (place + 1) * units]
            return x[place] + backend.dot(h_tm1[place], kernel)

        inputs = gate(total(0) + self.input_gate_peephole_weights * c_tm1)
        forget = gate(total(1) + self.forget_gate_peephole_weights * c_tm1)
        state = forget * c_tm1 + inputs * self.activation(total(2))
        return state, gate(total(3) + self.output_gate_peephole_weights * state)

    def _compute_carry_and_output_fused(self, z: Any, c_tm1: Any) -> tuple[Any, Any]:
        """Returns the new state and the output gate, from the sums of the gates."""
        gate = self.recurrent_activation
        inputs = gate(z[0] + self.input_gate_peephole_weights * c_tm1)
        forget = gate(z[1] + self.forget_gate_peephole_weights * c_tm1)
        state = forget * c_tm1 + inputs * self.activation(z[2])
        return state, gate(z[3] + self.output_gate_peephole_weights * state)

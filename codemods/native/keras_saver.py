"""The saver of a program whose optimizer is one of Keras."""

from __future__ import annotations

import ast
import json

from codemods.native.legacy_optimizers import KerasOptimizer
from codemods.native.state import Rewriting

CLASS = '''\
class SaverWithOptimizer(Saver):
    """A Saver that has the variables of an optimizer of Keras too.

    `slots` gives the ending of their names for slots of TensorFlow 1, whose checkpoints are also restored. `power` is
    the name there of a power of a constant, which tells the number of steps, and the constant.
    """

    def __init__(self, variables, optimizer, slots, power=None, max_to_keep=5):
        super().__init__(variables, max_to_keep)
        self.optimizer, self.slots, self.power = optimizer, slots, power

    def by_name(self):
        pairs = super().by_name()
        own = {variable.name: variable.value for variable in self.optimizer.variables}
        if len(own) < len(self.optimizer.variables):
            raise ValueError(f"variables of the optimizer have the same name: {sorted(own)}")
        old = {
            f"{variable.name.replace('/', '_').replace(':', '_')}_{ending}": f"{name}/{slot}"
            for name, variable in pairs.items() for slot, ending in self.slots.items()
        }
        return {**pairs, **{old.get(name, f"optimizer/{name}"): variable for name, variable in own.items()}}

    def restore(self, save_path):
        """Gives the variables the values of a checkpoint. What it lacks starts anew, with a warning."""
        reader = tf.train.load_checkpoint(save_path)
        if reader.has_tensor("_CHECKPOINTABLE_OBJECT_GRAPH"):
            super().restore(save_path)
            return
        anew = []
        for name, variable in self.by_name().items():
            if not name.startswith("optimizer/"):
                variable.assign(reader.get_tensor(name))
            elif name not in ("optimizer/iteration", "optimizer/learning_rate"):
                variable.assign(tf.zeros_like(variable))
                anew.append(name)
        if self.power:
            name, base = self.power
            power = max(float(reader.get_tensor(name)), 1e-38)  # it is 0 after many steps
            self.optimizer.iterations.assign(round(math.log(power) / math.log(base)) - 1)
        if anew:
            warnings.warn(f"not in this checkpoint, so they start anew: {anew}")
'''
"""The class that a program with such a saver gets once."""
MADE = "SaverWithOptimizer(lambda"
"""How the text of a call begins that makes one."""


def call(state: Rewriting, place: str, made: KerasOptimizer, prefix: str, listed: str, option: str) -> str:
    """Returns the call that makes the saver.

    Args:
        state: The rewriting.
        place: What holds the optimizer.
        made: The optimizer.
        prefix: What the scopes round its training op add to names of its variables.
        listed: The expression of the other variables.
        option: Further arguments.
    """
    state.translation.imports.update(("math", "warnings"))
    state.keras_savers = True
    slots = {slot: ending for slot, ending in made.slots().items() if ending}
    power = ""
    if made.legacy.powers:
        name, parameter = list(made.legacy.powers.items())[-1]  # that of the larger constant
        value = made.given.get(parameter)
        base = state.source.text_of(value) if isinstance(value, ast.expr) else repr(made.legacy.parameters[parameter])
        power = f', ("{prefix}{name}", {base})'
    return f"{MADE}: {listed}, {place}, {json.dumps(slots)}{power}{option})"

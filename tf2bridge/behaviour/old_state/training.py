"""Optimizers, sessions, variables, tables and tensor arrays."""

from __future__ import annotations

import threading
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.old_state import Derived, method, renamed


def _power(index: int) -> Derived:
    """Returns the variable with a power of Adam's `beta1` or `beta2`; None before `apply_gradients`, as in 1.4."""
    return Derived(lambda optimizer: optimizer._get_beta_accumulators()[index])


def _by_name(op_list: Any, convert_variable_to_tensor: bool = True) -> Any:
    util: Any = internals.training.saveable_object_util
    return util.op_list_to_dict(op_list, convert_variable_to_tensor)


def _as_tensor(variable: Any) -> Any:
    return variable.value()


def _reference(variable: Any) -> Any:
    raise NotImplementedError(
        f"variable {variable.name} is a resource variable, which has no reference to its buffer; "
        "make it with use_resource=False, or use variable.handle"
    )


ROWS = {
    "tensorflow.python.training.adam:AdamOptimizer": {
        "_beta1_power": _power(0),
        "_beta2_power": _power(1),
        "_updated_lr": None,
    },
    "tensorflow.python.client.session:BaseSession": {
        "_extend_lock": Derived(lambda session: session.__dict__.setdefault("_extend_lock", threading.Lock())),
        "_created_with_new_api": True,
    },
    "tensorflow.python.ops.ref_variable:RefVariable": {"_AsTensor": method(_as_tensor)},
    "tensorflow.python.ops.resource_variable_ops:BaseResourceVariable": {
        "_AsTensor": method(_as_tensor),
        "_ref": method(_reference),
        "_graph_shape": renamed("shape"),
    },
    "tensorflow.python.ops.lookup_ops:LookupInterface": {
        "_table_ref": renamed("resource_handle"),
        "table_ref": renamed("resource_handle"),
        "_init": renamed("initializer"),
        "init": renamed("initializer"),
    },
    "tensorflow.python.distribute.distribute_lib:StrategyBase": {"experimental_run_v2": renamed("run")},
    "tensorflow.python.training.saver:BaseSaverBuilder": {"OpListToDict": staticmethod(_by_name)},
    "tensorflow.python.ops.tensor_array_ops:TensorArray": {
        "_handle": renamed("handle"),
        "_flow": renamed("flow"),
        "_dtype": renamed("dtype"),
    },
}

"""`tf.contrib.integrate`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.integrate"
_HERE = "tf2bridge.contrib.integrate"

OWN = {
    **names(_PATH, f"{_HERE}.odes.adaptive", "odeint"),
    **names(_PATH, f"{_HERE}.odes.fixed", "odeint_fixed"),
}

ALIASES = same(f"{_PATH}.python.ops.odes", _PATH, "odeint odeint_fixed")

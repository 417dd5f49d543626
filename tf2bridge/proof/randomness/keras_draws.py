"""Controls the draws of Keras 3, by controlling `draw_seed`, which gives the seeds for its stateless ops."""

from __future__ import annotations

import collections
import functools
import sys
from importlib.util import find_spec
from typing import Any

from tf2bridge.patching import on_undo, put
from tf2bridge.proof.randomness.keys import of_scope, of_variable
from tf2bridge.proof.randomness.refusals import UncontrolledCallError

_UIDS = "object_name_uids"


def install(control: Any) -> None:
    """Hooks Keras 3, and the generator of tf_keras, if they are installed."""
    if find_spec("tf_keras") is not None:
        _old_keras(control)
    if find_spec("keras") is None:
        return
    import keras
    from keras.src.random import seed_generator

    original = seed_generator.draw_seed
    hooked = _draw_seed(control, keras, original, _Naming(control, keras))
    for module in [module for name, module in sys.modules.items() if name.startswith("keras.src.")]:
        if vars(module).get("draw_seed") is original:
            put(module, "draw_seed", hooked)


def _draw_seed(control: Any, keras: Any, original: Any, naming: _Naming) -> Any:
    from keras.src.backend.common.symbolic_scope import in_symbolic_scope

    @functools.wraps(original)
    def draw_seed(seed: Any) -> Any:
        generator = isinstance(seed, keras.random.SeedGenerator)
        if in_symbolic_scope() or control.in_data or not (seed is None or isinstance(seed, int) or generator):
            return original(seed)
        if keras.backend.backend() != "tensorflow":
            backend = keras.backend.backend()
            raise UncontrolledCallError(f"Keras on {backend}", "run it with KERAS_BACKEND=tensorflow")
        key, name = naming.of(seed if generator else None)
        return control.seed(key, seed if generator else None, name)

    return draw_seed


class _Naming:
    """Finds the purpose of a draw of Keras: the variable to initialize, or else the layer that is called."""

    def __init__(self, control: Any, keras: Any) -> None:
        from keras.src.backend.common import global_state

        self._keras, self._state = keras, global_state
        self._initializing: list[list[Any]] = []
        self._generators: dict[str, list[Any]] = {}
        self._models: set[str] = set()
        scope = keras.src.backend.common.name_scope.name_scope
        put(scope, "__init__", self._noting_models(scope.__init__))
        if keras.backend.backend() == "tensorflow":
            variable = keras.src.backend.Variable
            original = variable._initialize_with_initializer
            put(variable, "_initialize_with_initializer", self._hooked(original))
        if control.by == "name":
            on_undo(
                functools.partial(global_state.set_global_attribute, _UIDS, global_state.get_global_attribute(_UIDS))
            )
            global_state.set_global_attribute(_UIDS, collections.defaultdict(int))

    def of(self, generator: Any) -> tuple[str, str]:
        """Returns (key of the draw, its full name)."""
        if self._initializing:
            current = self._initializing[-1]
            variable, earlier = current
            current[1] += 1
            key = of_variable(self._without_model(variable.path))
            return (f"{key}:{earlier}" if earlier else key), variable.path
        from keras.src.backend.common.name_scope import current_path

        path = current_path()
        key = of_scope(self._without_model(path))
        known = self._generators.setdefault(key, [])
        if generator is not None and not any(generator is earlier for earlier in known):
            known.append(generator)
        place = next((number for number, earlier in enumerate(known) if earlier is generator), 0)
        return (f"{key}:{place}" if place else key), path

    def _hooked(self, original: Any) -> Any:
        @functools.wraps(original)
        def initialize(variable: Any, initializer: Any) -> Any:
            self._initializing.append([variable, 0])
            try:
                return original(variable, initializer)
            finally:
                self._initializing.pop()

        return initialize

    def _noting_models(self, original: Any) -> Any:
        """Makes each layer remember the path of the model that built it, whichever model calls it later."""

        @functools.wraps(original)
        def init(scope: Any, *args: Any, **kwargs: Any) -> None:
            original(scope, *args, **kwargs)
            if isinstance(scope.caller, self._keras.Model) and not scope.override_parent:
                self._models.add(scope.name)

        return init

    def _without_model(self, path: str) -> str:
        """Returns the path within the model, without the model's name, which TF 1.x does not have."""
        model, slash, within = path.partition("/")
        return within if slash and model in self._models else path


def _old_keras(control: Any) -> None:
    from tf_keras.src import backend

    original = backend.RandomGenerator.make_seed_for_stateless_op

    @functools.wraps(original)
    def make(self: Any) -> Any:
        if original(self) is None:
            return None  # the generator then draws by stateful ops
        from tf2bridge.proof.randomness.ops import scope_in_force

        scope = scope_in_force()
        return control.seed(of_scope(scope), self, scope)

    put(backend.RandomGenerator, "make_seed_for_stateless_op", make)

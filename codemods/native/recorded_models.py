"""The model of a program that is made from its recorded graph: which functions it needs, and who writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Form = str | None | list["Form"] | tuple["Form", ...]
"""A tensor by its name, None for an operation, or a list or tuple of forms."""


@dataclass(frozen=True)
class ModelFunction:
    """A function of the model.

    Attributes:
        name: Its name.
        feeds: Parameter -> the tensor of the graph that it stands for, in the order of the parameters.
        fetches: The tensors that it returns.
        operations: The operations that it runs.
        result: The form of what it returns, if that is not one tensor or a tuple of them: lists and tuples of tensors,
            with None for operations.
    """

    name: str
    feeds: Mapping[str, str]
    fetches: tuple[str, ...]
    operations: tuple[str, ...]
    result: Form = None


@dataclass(frozen=True)
class ModelWanted:
    """The model that a program needs.

    Attributes:
        name: The package that holds it, "train_model".
        program: The file of the program, for the docstring.
        graph: The number of the recorded graph.
        functions: Its functions.
        saved: The variables that it has for checkpoints, whether a function needs them or not.
    """

    name: str
    program: str
    graph: int
    functions: tuple[ModelFunction, ...]
    saved: tuple[str, ...] = ()


ModelWriter = Callable[[ModelWanted], Mapping[str, bytes]]
"""Returns the files of the package: name -> content. Raises NotNativeError if the graph has no form as source."""

"""Files that stand in every decompiled package as they are here. They import nothing of tf2bridge."""

from typing import Any


def load() -> Any:
    """Raises NotImplementedError: each written package has its own `load` in place of this one."""
    raise NotImplementedError("the package that these files are copied into has the model")


class Trainer:
    """Stands for the class of a written package that can be trained."""

    @classmethod
    def load(cls) -> Any:
        """Raises NotImplementedError: each written package has its own class in place of this one."""
        raise NotImplementedError("the package that these files are copied into has the trainer")

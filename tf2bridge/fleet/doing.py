"""What a run does: one command with its options."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from tf2bridge.fleet.inputs import is_packed
from tf2bridge.fleet.inventory import Item
from tf2bridge.fleet.stores import is_url
from tf2bridge.fleet.verbs import NOT_LOOKED_INTO, VERBS, Verb
from tf2bridge.named_code import names_code

_BUILDING = {"--into", "--inputs"}
"""Options of `convert` and `compare` with which these build or run models."""


@dataclass(frozen=True)
class Do:
    """A command of tf2bridge, as `--do` gives it.

    Attributes:
        name: the command.
        words: the words after it, as they were typed; without the other side of `compare`.
        written: the name of what it writes for an item; "" if it writes nothing.
        version: the version of tf2bridge, because another one may give other results.
        contents: a digest of the files that the words name.
        other: the other side of `compare`, with {path}, {name} and {stem} of the item, or the folder of an earlier run.
    """

    name: str
    words: tuple[str, ...]
    written: str
    version: str
    contents: str = ""
    other: str = ""

    @property
    def verb(self) -> Verb:
        return VERBS[self.name]

    @property
    def keeps_apart(self) -> bool:
        """Whether each item needs a fresh process, because models are built, which leave state in Keras."""
        names = {word.partition("=")[0] for word in self.words}
        return self.verb.keeps_apart or bool(names & _BUILDING) or names_code(self.other)

    def takes(self, item: Item) -> bool:
        """Returns whether the command takes items of this kind. The inventory's error is said for unknown kinds."""
        if self.verb.writes_beside and (is_packed(item) or is_url(item.path)):
            return False
        return item.kind in self.verb.kinds or item.kind in NOT_LOOKED_INTO

    def as_json(self) -> dict[str, Any]:
        """Returns the command as plain JSON values."""
        return dataclasses.asdict(self)


def do_of(stored: dict[str, Any]) -> Do:
    """Returns the command that `as_json` gave."""
    return Do(**{**stored, "words": tuple(stored["words"])})

"""The errors of reading a graph and of names in it."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from pathlib import Path, PureWindowsPath

from tf2bridge.errors import BridgeError


class NoGraphError(BridgeError):
    """A path holds no graph of TensorFlow."""

    def __init__(self, path: Path | str, other: str = "") -> None:
        state = f"it is {other}" if other else "no graph of TensorFlow is in it, or its beginning is damaged"
        super().__init__(
            f"{path}: {state}; name a .pb, .pbtxt, .meta or event file, a SavedModel or hub directory, or a checkpoint "
            "with its .meta"
        )


class DamagedGraphError(BridgeError):
    """A file that should hold a graph cannot be read."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: the graph cannot be read ({why}); copy the file again from where it came from")


class UnsoundGraphError(DamagedGraphError):
    """The nodes of a graph contradict each other."""

    def __init__(self, path: Path | str, why: str) -> None:
        BridgeError.__init__(
            self,
            f"{path}: its nodes do not fit together ({why}); copy the file again from where it came from, or name just "
            "the outputs that are needed",
        )


class RefusedGraphError(UnsoundGraphError):
    """TensorFlow does not accept a graph as it was read."""

    def __init__(self, path: Path | str, answer: str) -> None:
        BridgeError.__init__(
            self,
            f"{path}: TensorFlow refuses its nodes ({answer}); copy the file again from where it came from, or, if "
            "TensorFlow 1.x loads it, name just the outputs that are needed",
        )


class TagsError(BridgeError):
    """No graph of a SavedModel has the given tags, or several have."""

    def __init__(self, path: Path | str, tag_sets: Sequence[Sequence[str]], given: Collection[str] | None) -> None:
        graphs = "; ".join(", ".join(tags) or "none" for tags in tag_sets) or "none at all"
        asked = (
            "it holds several graphs" if given is None else f"no graph has just the tags {', '.join(given) or 'none'}"
        )
        super().__init__(f"{path}: {asked}; name the tags of one: {graphs}")


class UnknownNameError(BridgeError, KeyError):
    """A name fits no tensor or operation of a graph, or more than one."""

    def __init__(self, name: str, known: Collection[str], fitting: Sequence[str] = ()) -> None:
        near = list(fitting[:5]) or difflib.get_close_matches(name, known, 5, 0.5)
        state = "fits several" if fitting else "is no tensor or operation of the graph"
        super().__init__(f"{name!r} {state}{'; near are ' + ', '.join(near) if near else ''}")

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownSignatureError(BridgeError, KeyError):
    """A graph has no signature of a key."""

    def __init__(self, key: str, known: Sequence[str]) -> None:
        super().__init__(f"the graph has no signature {key!r}; it has {', '.join(known) or 'none'}")

    def __str__(self) -> str:
        return str(self.args[0])


class NoDefaultSignatureError(BridgeError):
    """A SavedModel of TensorFlow 2 has no default signature, and its graph alone has no outputs."""

    def __init__(self, path: Path | str, known: Sequence[str]) -> None:
        remedy = (
            f"name one of its signatures with signature= (--signature): {', '.join(known)}"
            if known
            else "its functions are known to its objects alone. Save it with signatures: "
            "tf.saved_model.save(model, path, signatures={'serving_default': model.a_function})"
        )
        super().__init__(f"{path}: a SavedModel of TensorFlow 2 without a default signature; {remedy}")


class NoVocabularyError(BridgeError):
    """The vocabulary file of a table is missing, or only the graph names it."""

    def __init__(self, path: Path | str, endpoint: str, recorded: str) -> None:
        name = PureWindowsPath(recorded).name
        super().__init__(
            f"{path}: a table is filled from {recorded!r} ({endpoint}), a path of the machine that made the graph. Put "
            f"{name} beside the graph, or name the file with assets={{{name!r}: PATH}} (--asset {name}=PATH); where "
            "that path is right and you trust the graph, permit it with allow_ops=['InitializeTableFromTextFile*']"
        )

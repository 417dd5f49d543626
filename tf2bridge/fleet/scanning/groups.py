"""Groups the names in a folder: files that are read together, such as those of a checkpoint, are one group."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath

from tf2bridge.formats.checkpoints.state_file import STATE
from tf2bridge.formats.sidecars import SUFFIX as OF_SEAL
from tf2bridge.proof.recording.folding import JOURNAL, MEMBERS

_OF_V2 = re.compile(r"(.+)\.(?:index|data-\d{5}-of-\d{5})", re.DOTALL)
_SHARD = re.compile(r"(.+)-\d{5}-of-(\d{5})", re.DOTALL)
_ANY_SHARD = "-?????-of-"
_META = ".meta"
_SAVED_MODEL = ("saved_model.pb", "saved_model.pbtxt")
_WITH_SAVED_MODEL = ("tfhub_module.pb", "keras_metadata.pb", "fingerprint.pb", "variables", "assets", "assets.extra")
_OF_RECORDING = (JOURNAL, MEMBERS)
_TEXTS = (
    ".py .pyc .pyi .ipynb .md .rst .c .cc .cpp .h .hpp .cu .java .js .ts .css .html .sh .bat .yml .yaml .toml .lock"
)
_MEDIA = ".png .jpg .jpeg .gif .bmp .tif .tiff .svg .ico .pdf .wav .mp3 .mp4 .avi .ttf .woff .woff2 .so .dll .o .a"
_OTHERS = frozenset(f"{_TEXTS} {_MEDIA}".split())
"""Suffixes of files that are never opened, because no graph, checkpoint or archive has them."""


class Form(Enum):
    """What a group seems to be by its names; its content decides."""

    V2 = "files of one V2 checkpoint"
    SHARDS = "files NAME-00000-of-00002 and so on"
    FILE = "one file, perhaps with its .meta"
    FOLDER = "a folder as a whole"
    REPOSITORY = "a folder that may be a repository"


@dataclass(frozen=True, slots=True)
class Group:
    """Files that are read together.

    Attributes:
        form: what they seem to be.
        folder: the folder that holds them: a local path, or a URL.
        name: the name in the folder that the item gets: a prefix, a file or "" for the folder itself.
        files: the names of its files in the folder, and of folders that it has as a whole.
    """

    form: Form
    folder: str
    name: str
    files: tuple[str, ...] = ()

    @property
    def prefix(self) -> str:
        """What the names of all its files begin with."""
        return self.name.rpartition(_ANY_SHARD)[0] if self.form is Form.SHARDS else self.name

    @property
    def path(self) -> str:
        """The path of the item."""
        if not self.name:
            return self.folder
        return f"{self.folder}{'' if self.folder.endswith('/') else '/'}{self.name}" if self.folder else self.name


def whole(folder: str, names: Collection[str]) -> Group | None:
    """Returns the group of the names that make a folder one item, such as those of a SavedModel; None without such."""
    for first, others in ((_SAVED_MODEL, _WITH_SAVED_MODEL), (_OF_RECORDING, ())):
        if any(name in names for name in first):
            return Group(Form.FOLDER, folder, "", tuple(name for name in (*first, *others) if name in names))
    return None


def groups(folder: str, names: Iterable[str]) -> Iterator[Group]:
    """Yields the groups of the files in a folder, sorted by name."""
    forms, members = _members(names)
    for name in sorted(members):
        files = tuple(sorted(members[name]))
        if forms[name] is not Form.FILE or len(files) > 1 or not is_skipped(name):
            yield Group(forms[name], folder, name, files)


def _members(names: Iterable[str]) -> tuple[dict[str, Form], dict[str, list[str]]]:
    """Returns name of a group -> its form, and name of a group -> names of its files."""
    forms: dict[str, Form] = {}
    members: defaultdict[str, list[str]] = defaultdict(list)
    metas: list[str] = []
    for name in names:
        if v2 := _OF_V2.fullmatch(name):
            own, form = v2[1], Form.V2
        elif shard := _SHARD.fullmatch(name):
            own, form = f"{shard[1]}{_ANY_SHARD}{shard[2]}", Form.SHARDS
        elif name.endswith(_META):
            metas.append(name)
            continue
        else:
            own, form = name, Form.FILE
        members[own].append(name)
        forms[own] = Form.V2 if Form.V2 in (form, forms.get(own)) else form
    sharded = {own.rpartition(_ANY_SHARD)[0]: own for own, form in forms.items() if form is Form.SHARDS}
    for meta in metas:
        prefix = meta.removesuffix(_META)
        own = prefix if prefix in forms else sharded.get(prefix, meta)
        members[own].append(meta)
        forms.setdefault(own, Form.FILE)
    return forms, members


def is_skipped(name: str) -> bool:
    """Returns whether a file of this name is never looked at."""
    return name == STATE or name.endswith(OF_SEAL) or PurePosixPath(name).suffix.lower() in _OTHERS

"""`VocabularyProcessor` of contrib.learn: documents to rows of word ids; reads what TF 1.x pickled."""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.contrib.learn.preprocessing.categorical_vocabulary import CategoricalVocabulary
from tf2bridge.contrib.learn.refusals import UnsafePickleError

TOKENS = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+", re.UNICODE)
"""The pattern of a word: a run of capitals, the head of a CamelCase word, or a run of letters."""


class ModeKeys:
    """The modes of a contrib.learn model function."""

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError if the mode is unknown."""
        if key not in (cls.TRAIN, cls.EVAL, cls.INFER):
            raise ValueError(f"mode is {key!r}; it must be 'train', 'eval' or 'infer'")


def tokenizer(iterator: Iterable[str]) -> Iterator[list[str]]:
    """Yields the words of each document."""
    for document in iterator:
        yield TOKENS.findall(document)


class VocabularyProcessor:
    """Turns documents into rows of `max_document_length` word ids, 0 for unknown words and for the rest of a row."""

    def __init__(
        self,
        max_document_length: int,
        min_frequency: int = 0,
        vocabulary: CategoricalVocabulary | None = None,
        tokenizer_fn: Callable[[Iterable[str]], Iterable[list[str]]] | None = None,
    ) -> None:
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = vocabulary if vocabulary else CategoricalVocabulary()
        self._tokenizer = tokenizer_fn if tokenizer_fn else tokenizer

    def fit(self, raw_documents: Iterable[str], unused_y: Any = None) -> VocabularyProcessor:
        """Learns the words of the documents and freezes the vocabulary; returns itself."""
        del unused_y
        for words in self._tokenizer(raw_documents):
            for word in words:
                self.vocabulary_.add(word)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents: Iterable[str], unused_y: Any = None) -> Iterator[Any]:
        """Learns the words of the documents, then yields their rows."""
        self.fit(raw_documents, unused_y)
        return self.transform(raw_documents)

    def transform(self, raw_documents: Iterable[str]) -> Iterator[Any]:
        """Yields one int64 row [max_document_length] for each document."""
        for words in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            for place, word in enumerate(words[: self.max_document_length]):
                row[place] = self.vocabulary_.get(word)
            yield row

    def reverse(self, documents: Iterable[Iterable[int]]) -> Iterator[str]:
        """Yields the words of each row of ids, joined by spaces."""
        for row in documents:
            yield " ".join(str(self.vocabulary_.reverse(word)) for word in row)

    def save(self, filename: str) -> None:
        """Writes the processor to `filename`."""
        with tensorflow().io.gfile.GFile(filename, "wb") as file:
            file.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename: str) -> VocabularyProcessor:
        """Returns the processor saved in `filename`, by us or by TF 0.12 to 1.15.

        Raises UnsafePickleError if the file asks for anything but a vocabulary: a pickle can run any code.
        """
        with tensorflow().io.gfile.GFile(filename, "rb") as file:
            processor = _VocabularyUnpickler(io.BytesIO(file.read())).load()
        if not isinstance(processor, VocabularyProcessor):
            raise UnsafePickleError(type(processor).__name__)
        return processor


class _VocabularyUnpickler(pickle.Unpickler):
    """Finds the few classes of a vocabulary, wherever its TensorFlow kept them."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, encoding="utf-8")  # Python 2 strings

    def find_class(self, module: str, name: str) -> Any:
        ours = {
            known_class.__name__: known_class for known_class in (VocabularyProcessor, CategoricalVocabulary, tokenizer)
        }
        if name in ours and module.startswith(("tensorflow.", "tensorflow_core.", "tf2bridge.")):
            return ours[name]
        plain = {
            ("collections", "defaultdict"),
            ("builtins", "int"),
            ("__builtin__", "int"),
            ("copy_reg", "_reconstructor"),
        }
        plain |= {("copyreg", "_reconstructor"), ("builtins", "object"), ("__builtin__", "object")}
        if (module, name) in plain:
            return super().find_class(module, name)
        raise UnsafePickleError(f"{module}.{name}")

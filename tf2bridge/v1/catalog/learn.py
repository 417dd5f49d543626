"""`tf.contrib.learn`."""

from __future__ import annotations

from tf2bridge.v1.listing import names

_PATH = "contrib.learn"
_HERE = "tf2bridge.contrib.learn"

OWN = {
    **names("contrib.learn.preprocessing", f"{_HERE}.vocabulary", "VocabularyProcessor tokenizer"),
    **names("contrib.learn.preprocessing", f"{_HERE}.categories", "CategoricalVocabulary"),
    **names(_PATH, f"{_HERE}.vocabulary", "ModeKeys"),
    **names("contrib.learn.datasets.mnist", f"{_HERE}.mnist", "read_data_sets DataSet extract_images extract_labels"),
}

ALIASES = {
    "contrib.learn.python.learn.preprocessing.text": "contrib.learn.preprocessing",
    "contrib.learn.python.learn.datasets.mnist": "contrib.learn.datasets.mnist",
}

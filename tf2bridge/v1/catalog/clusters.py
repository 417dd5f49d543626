"""Clusters: the server, whose errors TensorFlow only logs or waits on."""

from __future__ import annotations

from tf2bridge.v1.listing import names

OWN = names("train", "tf2bridge.train.clusters.server", "Server")

ALIASES = {"distribute.Server": "train.Server"}

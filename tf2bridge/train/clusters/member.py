"""A task of a cluster as the launcher starts it: `tf2bridge run`, with a line to the launcher."""

from __future__ import annotations

import sys

from tf2bridge.train.clusters import link

if __name__ == "__main__":
    link.connect()
    from tf2bridge.cli import main

    main(["run", *sys.argv[1:]])

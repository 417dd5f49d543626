"""`python -m tf2bridge`: the same as the `tf2bridge` script."""

import sys

if sys.version_info < (3, 10):
    sys.exit("tf2bridge: error: Python %d.%d is too old; use Python 3.10 to 3.13" % sys.version_info[:2])

from tf2bridge.cli import main

main(prog_name="tf2bridge")

"""`python -m tf2bridge`: the same as the `tf2bridge` script."""

from tf2bridge.cli import main

main(prog_name="tf2bridge")

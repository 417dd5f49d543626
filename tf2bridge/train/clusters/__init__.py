"""Starts clusters of parameter servers and workers on this machine, watches them, and ends them without leftovers.

The launcher:

- `launching.py` turns a program into the commands of its tasks. `program.py` says which program it is, `flags.py` how
  the program learns its task, `telling.py` what each task is given, and `tasks.py` where each task listens.
- `cluster.py` runs the tasks. `process.py` is one task with all processes that it starts; `output.py` prints the lines
  of the tasks.

A task: `member.py` starts the task, `link.py` reports its state to the launcher, and `server.py` is its
`tf.train.Server`.
"""

"""Clusters of parameter servers and workers: started on this machine, watched, and ended without a trace.

`launching.py` from a program to the commands of its tasks: `program.py` which program it is, `flags.py` how it learns
its place, `telling.py` what each task is given, `tasks.py` where each listens. `cluster.py` runs them: `process.py` one
of them and all that it starts, `output.py` what they print. Within a task, `member.py` begins it, `link.py` tells the
launcher where it stands, and `server.py` is its `tf.train.Server`.
"""

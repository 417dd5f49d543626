"""Clusters of parameter servers and workers: started on this machine, watched, and ended without a trace.

`tasks.py` which processes there are and where they listen; `flags.py` how a program is told which of them it is;
`telling.py` the arguments and the environment of each; `process.py` one process and all it started; `cluster.py`
all of them; `link.py` what a task tells the launcher; `member.py` how a task begins.
"""

"""The bijectors of 1.4 as that release had them: those of later releases, with the rank of events of their own.

Parameters, defaults and what is summed are those of genuine 1.4.1; the other bijectors came in 1.5.
"""

"""The rules, one in a file of its own: each module has `RULE`. See `tf2bridge.decompile.idioms.rule`."""

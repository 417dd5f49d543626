"""`contrib.learn.RunConfig` places a process in its cluster as genuine TensorFlow 1.15.5 did."""

from __future__ import annotations

import pytest

from tests import forked, oracles

PROGRAM = """
import json, os
{imports}
ps_and_workers = {{"ps": ["a:1"], "worker": ["b:1", "c:1"]}}
for value in (
    {{}},
    {{"cluster": ps_and_workers}},
    {{"cluster": ps_and_workers, "task": {{"type": "worker", "index": 0}}}},
    {{"cluster": ps_and_workers, "task": {{"type": "worker", "index": 1}}}},
    {{"cluster": ps_and_workers, "task": {{"type": "worker", "index": 2}}}},
    {{"cluster": ps_and_workers, "task": {{"type": "ps", "index": 0}}, "model_dir": "/there"}},
    {{"cluster": ps_and_workers, "task": {{"type": "chief", "index": 0}}}},
    {{"cluster": {{"master": ["a:1"], "worker": ["b:1"]}}, "task": {{"type": "master"}}, "environment": "cloud"}},
    {{"cluster": {{"worker": ["b:1"]}}, "task": {{"type": "worker", "index": 0}}}},
):
    os.environ["TF_CONFIG"] = json.dumps(value)
    try:
        c = tf.contrib.learn.RunConfig(save_checkpoints_steps=5)
    except ValueError as error:
        print(str(error).split(" in the")[0])
        continue
    print(c.task_type, c.task_id, c.master, c.is_chief, end=" ")
    print(c.num_ps_replicas, c.num_worker_replicas, c.environment, c.model_dir)
changed = c.replace(model_dir="other")
print(changed.model_dir, c.save_checkpoints_secs, changed.save_checkpoints_steps, changed.uid() == c.uid())
print(changed.uid(whitelist=["model_dir"]) == c.uid(whitelist=["model_dir"]), changed.task_type)
"""
PRINTED = """\
None 0  True 0 0 local None
None 0  True 1 2 local None
worker 0 grpc://b:1 True 1 2 local None
worker 1 grpc://c:1 False 1 2 local None
2 is not a valid task_id for task_type worker
ps 0 grpc://a:1 False 1 2 local /there
chief is not a valid task_type
master 0 grpc://a:1 True 0 2 cloud None
worker 0  True 0 1 local None
other None 5 False
True worker
"""


def test_the_rules_are_those_of_1_15() -> None:
    done = forked.run(PROGRAM.format(imports="from tf2bridge import v1 as tf\ntf.enable(api='1.15')"))
    assert done.stdout == PRINTED, done.stderr


@pytest.mark.oracle
def test_the_genuine_release_has_them() -> None:
    program = PROGRAM.format(imports="import tensorflow as tf")
    done = oracles.run("1.15.5", program)
    assert done.stdout == PRINTED, done.stderr

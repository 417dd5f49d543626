"""`tf.train.Server` of a program: what is wrong with a cluster is said, where TensorFlow logs, waits or goes on."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest

from tests import forked
from tf2bridge.train.clusters.tasks import on_loopback

# Prints what became of each server, as JSON.
START = """
import json, sys
from tf2bridge.v1.catalog import TREE
from tf2bridge.v1.namespace import resolve
from tf2bridge.errors import BridgeError
import tensorflow as tf
tf = tf.compat.v1
tf.disable_v2_behavior()
Server = resolve(TREE, "train.Server")

def told(arguments):
    try:
        server = eval(f"Server({arguments})")
    except (BridgeError, TypeError) as error:
        kinds = [kind.__name__ for kind in type(error).__bases__ if issubclass(kind, tf.errors.OpError)]
        return f"{type(error).__name__}: {error} {kinds}"
    with tf.Session(server.target) as session:
        return f"{session.run(tf.constant('it runs')).decode()} {isinstance(server, tf.train.Server)}"

print(json.dumps({arguments: told(arguments) for arguments in sys.argv[1:]}))
"""

RIGHT = {
    "cluster": "{'ps': ['127.0.0.1:FREE']}, job_name='ps', task_index=0",
    "sparse": "{'ps': {3: '127.0.0.1:FREE'}}, 'ps', 3",
    "any port": "tf.train.ClusterSpec({'local': ['localhost:0']})",
    "definition": "tf.train.ServerDef(cluster=tf.train.ClusterSpec({'a': ['127.0.0.1:FREE']}).as_cluster_def(), "
    "job_name='a', protocol='grpc')",
}
WRONG = {
    "job": (
        "{'ps': ['127.0.0.1:2222']}, job_name='worker', task_index=0",
        "UnknownJobError: the cluster has no job 'worker'; its jobs are 'ps': give the task one of these",
    ),
    "index": (
        "{'ps': ['127.0.0.1:2222']}, job_name='ps', task_index=3",
        "TaskIndexError: job 'ps' has no task 3; its tasks are 0 at 127.0.0.1:2222: give one of these indices",
    ),
    "host": (
        "{'ps': ['127.0.0.1:2222'], 'worker': ['nowhere.invalid:2222']}, job_name='ps', task_index=0",
        "UnresolvedHostError: the host of worker 0, nowhere.invalid:2222, does not resolve",
    ),
    "scheme": (
        "{'ps': ['grpc://127.0.0.1:2222']}, job_name='ps', task_index=0",
        "AddressError: ps 0 has the address 'grpc://127.0.0.1:2222', which is not host:port",
    ),
    "empty": ("{'ps': ['']}, job_name='ps', task_index=0", "AddressError: ps 0 has the address ''"),
    "port": ("{'ps': ['127.0.0.1:99999']}, job_name='ps', task_index=0", "AddressError: ps 0 has the address '127.0."),
    "string": (
        "{'ps': '127.0.0.1:2222'}, job_name='ps', task_index=0",
        "TypeError: The tasks for job 'ps' must be a list or a dictionary from integers to strings.",
    ),
    "taken": (
        "{'ps': ['127.0.0.1:TAKEN']}, job_name='ps', task_index=0",
        "PortInUseError: ps 0 cannot listen at 127.0.0.1:TAKEN: Address already in use; end what uses the port",
    ),
}

RAISED = {
    "job": "['InternalError']",
    "index": "['InvalidArgumentError']",
    "empty": "['InvalidArgumentError']",
    "taken": "['UnknownError']",
    "host": "[]",
}
"""What 1.15.5 raises for the same arguments: programs catch UnknownError and try another port."""


@pytest.fixture(scope="module")
def ports() -> Iterator[dict[str, list[str]]]:
    """Ports to put in place of FREE, one after the other, and the one of TAKEN, which another server has."""
    addresses = on_loopback({"free": len(RIGHT)})["free"]
    with socket.create_server(("", 0)) as taken:
        yield {"FREE": [a.rpartition(":")[2] for a in addresses], "TAKEN": [str(taken.getsockname()[1])]}


@pytest.fixture(scope="module")
def told(ports: dict[str, list[str]]) -> dict[str, str]:
    """What became of each server of RIGHT and WRONG, which are started one after the other in one process."""
    arguments = dict(zip(RIGHT, map(str.replace, RIGHT.values(), ["FREE"] * len(RIGHT), ports["FREE"]), strict=True))
    arguments |= {name: item.replace("TAKEN", ports["TAKEN"][0]) for name, (item, _) in WRONG.items()}
    done = forked.run(START, *arguments.values())
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    return {name: report[text] for name, text in arguments.items()}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_starts(name: str, told: dict[str, str]) -> None:
    assert told[name] == "it runs True"


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said(name: str, told: dict[str, str], ports: dict[str, list[str]]) -> None:
    assert told[name].startswith(WRONG[name][1].replace("TAKEN", ports["TAKEN"][0]))


@pytest.mark.parametrize("name", RAISED)
def test_what_is_wrong_is_caught_as_what_tensorflow_raises(name: str, told: dict[str, str]) -> None:
    assert told[name].endswith(RAISED[name])

"""A server of a cluster on this machine is out of reach for others, from the moment on that it listens."""

from __future__ import annotations

import contextlib
import json
import socket
import sys

import pytest

from tests import forked
from tf2bridge.train.clusters.loopback import is_loopback, made_on_loopback
from tf2bridge.train.clusters.tasks import on_loopback

linux = pytest.mark.skipif(sys.platform != "linux", reason="SO_BINDTODEVICE is Linux's")

# Prints the interface of each listening socket of the process, and what TensorFlow computed through the server.
SERVE = """
import contextlib, json, sys
from tf2bridge.v1.catalog import TREE
from tf2bridge.v1.namespace import resolve
import tensorflow as tf
tf = tf.compat.v1
tf.disable_v2_behavior()
import socket
from tf2bridge.train.clusters.loopback import _listening
server = eval(f"Server({sys.argv[1]})", {"Server": resolve(TREE, "train.Server"), "tf": tf})
with contextlib.ExitStack() as copies:
    devices = [each.getsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, 16) for _, each in _listening(0, copies)]
found = tf.Session(server.target).run(tf.constant("it runs")).decode() if sys.argv[2] == "run" else ""
print(json.dumps([[device.rstrip(b"\\0").decode() for device in devices], found]))
"""


def served(cluster: str, run: bool = True) -> tuple[set[str], str, str]:
    """The interfaces that a server listens on ("" for all), what it computed, and what was said."""
    done = forked.run(SERVE, cluster, "run" if run else "")
    assert done.returncode == 0, done.stderr
    devices, report = json.loads(done.stdout.splitlines()[-1])
    return set(devices), report, done.stderr


def a_free_port() -> int:
    return int(on_loopback({"free": 1})["free"][0].rpartition(":")[2])


@linux
@pytest.mark.parametrize("address", ["127.0.0.1:FREE", "localhost:FREE", "localhost:0"])
def test_a_cluster_of_this_machine_is_served_on_loopback_alone(address: str) -> None:
    devices, outputs, result = served(f"{{'ps': ['{address.replace('FREE', str(a_free_port()))}']}}")
    assert (devices, outputs) == ({"lo"}, "it runs")
    assert "every address" not in result


def test_a_cluster_of_other_machines_listens_on_every_address_and_says_so() -> None:
    cluster = f"{{'ps': ['127.0.0.1:{a_free_port()}', '192.0.2.1:2222']}}, 'ps', 0"
    devices, _, outputs = served(cluster, run=False)
    assert devices == {""}
    assert "tf2bridge: the server of ps 0 listens on every address of this machine, as the cluster is not" in outputs
    assert "let a firewall keep others away" in outputs


@linux
def test_nobody_gets_to_a_server_before_it_is_kept_on_loopback() -> None:
    port = a_free_port()
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(socket.socket(socket.AF_INET6 if socket.has_dualstack_ipv6() else socket.AF_INET))
        served_before: list[bool] = []

        def make() -> None:
            if server.family == socket.AF_INET6:
                server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            server.bind(("", port))
            server.listen()
            for _ in range(20):
                stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            server.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                stack.enter_context(server.accept()[0])
                served_before.append(True)

        assert made_on_loopback(make, port)
        assert not served_before
        stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
        server.setblocking(True)
        stack.enter_context(server.accept()[0])


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("127.0.0.1:1", True),
        ("127.8.9.1:1", True),
        ("localhost:1", True),
        ("[::1]:1", True),
        ("0.0.0.0:1", False),
        ("[::]:1", False),
        ("10.0.0.1:1", False),
        ("localhost.example:1", False),
        ("127.0.0.1.example:1", False),
    ],
)
def test_which_addresses_are_of_this_machine_alone(address: str, expected: bool) -> None:
    assert is_loopback(address) is expected

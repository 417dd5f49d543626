"""Queue runners and readers give a session of `tf2bridge.v1` what they gave one of genuine TensorFlow: also its end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import forked
from tests.tf2bridge.train.queues.inputs import HOME, RELEASES, genuine

_ALL = """
import json, os, sys
sys.path.insert(0, sys.argv[3])
from driver import drive
from programs import PROGRAMS, write_files
from tf2bridge import v1 as tf
tf.enable(api=sys.argv[1])
os.chdir(sys.argv[2])
write_files(tf, sys.argv[2])
print(json.dumps({name: drive(tf, PROGRAMS[name]) for name in sys.argv[4:]}))
"""


@pytest.mark.parametrize("release", RELEASES)
def test_a_session_takes_what_the_release_took(release: str, tmp_path: Path) -> None:
    theirs = genuine(release)
    done = forked.run(_ALL, release, str(tmp_path), str(HOME), *theirs)
    assert done.returncode == 0, done.stderr[-2000:]
    ours = json.loads(done.stdout.splitlines()[-1])
    assert list(ours) == list(theirs)
    unequal = [name for name, value in ours.items() if value != theirs[name]]
    assert not unequal, {name: (ours[name], theirs[name]) for name in unequal}

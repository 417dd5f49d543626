"""What the commands write lies where they were told, and takes the place of nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf2bridge.cli import main
from tf2bridge.commands.programs import _report_name
from tf2bridge.formats.graphs import event_writer
from tf2bridge.formats.messages import own


def test_a_report_takes_no_file_of_the_tree(tmp_path: Path) -> None:
    assert _report_name(tmp_path) == "report.html"
    (tmp_path / "report.html").symlink_to("nothing")
    assert _report_name(tmp_path) == "tf2bridge-report.html"
    (tmp_path / "tf2bridge-report.html").mkdir()
    assert _report_name(tmp_path) == "tf2bridge-report1.html"


def test_an_export_does_not_follow_a_link_to_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out.pb").symlink_to("made.pb")
    with pytest.raises(SystemExit) as ended:
        main(["export", str(tmp_path / "absent.pb"), str(tmp_path / "out.pb"), "--format", "frozen"])
    assert ended.value.code == 2
    assert "exists: choose another OUTPUT, or pass --force" in capsys.readouterr().err


def test_a_log_of_events_does_not_follow_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_writer.time, "time", lambda: 1000.5)
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "events.out.tfevents.1000.tf2bridge").symlink_to("mine")
    path = event_writer.write_log(own("GraphDef")(), tmp_path)
    assert (tmp_path / "mine").read_text() == "mine"
    assert path.is_file()
    assert not path.is_symlink()


def test_a_configuration_that_names_a_program_elsewhere_runs_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "outside.py").write_text("open('ran', 'w')\n")
    (tmp_path / "tree/train.py").write_text("import tensorflow as tf\n")
    (tmp_path / "tree/tf2bridge.toml").write_text("entry = '../outside.py'\ntrace = 'run.trace'\n")
    with pytest.raises(SystemExit) as ended:
        main(["migrate", str(tmp_path / "tree"), "--output", str(tmp_path / "new")])
    text = capsys.readouterr()
    assert (ended.value.code, text.out) == (2, "")
    assert "entry names '../outside.py', which is no file or module in" in text.err
    assert "give the program with --entry on the command line" in text.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["outside.py", "tree"]

"""What is compared with an old release is computed without oneDNN, and reports say so."""

from __future__ import annotations

import os

import pytest

from tf2bridge import kernels

SWITCHES = ("TF_ENABLE_ONEDNN_OPTS", "TENSORFLOW_USE_CUSTOM_CONTRACTION_KERNEL")


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SWITCHES:
        monkeypatch.setenv(name, "")  # so that what a test sets is taken back
        monkeypatch.delenv(name)


def test_processes_that_are_compared_have_no_onednn() -> None:
    chosen = kernels.environment()
    assert [chosen[name] for name in SWITCHES] == ["0", "false"]
    assert not set(SWITCHES) & set(os.environ)
    assert kernels.description().startswith("oneDNN is off")


def test_what_the_user_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_ENABLE_ONEDNN_OPTS", "1")
    kernels.choose()
    assert [os.environ[name] for name in SWITCHES] == ["1", "false"]
    assert "depend on the processor" in kernels.description()


def test_the_option_turns_it_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_ENABLE_ONEDNN_OPTS", "0")
    kernels.choose(onednn=True)
    assert [os.environ[name] for name in SWITCHES] == ["1", "true"]
    assert kernels.quantizes_by_processor()

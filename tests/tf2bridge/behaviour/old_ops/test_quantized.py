"""Programs that quantize are told that their numbers depend on the processor."""

from __future__ import annotations

import pytest

from tf2bridge.behaviour.old_ops import quantized


@pytest.mark.parametrize(
    ("switch", "types", "notices"),
    [("1", ["MatMul", "QuantizeV2"], 1), ("1", ["MatMul"], 0), ("0", ["QuantizeV2"], 0)],
)
def test_one_notice_where_onednn_is_not_off(
    switch: str, types: list[str], notices: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TF_ENABLE_ONEDNN_OPTS", switch)
    monkeypatch.setattr(quantized, "_notices", [])
    for _ in range(2):
        quantized.look(types)
    assert capsys.readouterr().err.count("TF_ENABLE_ONEDNN_OPTS=0") == notices

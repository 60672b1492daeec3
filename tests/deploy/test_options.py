"""What servers are told: the limit of a departure, the secret that several share, how long a page is waited for."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbformat.v4 import new_notebook
from voila.execute import VoilaExecutor

from widgets.serving.app import configuration
from widgets.serving.options import DEFAULT_DRAIN, BadOption, read


def test_a_departure_gives_an_hour_unless_it_is_said_otherwise() -> None:
    assert read([], {}).drain == DEFAULT_DRAIN == 3600
    assert read([], {"LDV_DRAIN": "0"}).drain == 0
    for wrong in ("-1", "une heure"):
        with pytest.raises(BadOption, match="LDV_DRAIN"):
            read([], {"LDV_DRAIN": wrong})


def test_servers_share_what_signs_their_cookies(tmp_path: Path) -> None:
    file = tmp_path / "temoins"
    file.write_text("s" * 40 + "\n", encoding="utf-8")
    options = read([], {"LDV_SECRET_FILE": str(file)})
    assert configuration(options).Voila.cookie_secret == b"s" * 40
    assert "sss" not in repr(options)
    assert "cookie_secret" not in configuration(read([], {})).Voila  # a new one at each start


def test_a_secret_that_is_none_is_said_in_french(tmp_path: Path) -> None:
    short = tmp_path / "court"
    short.write_text("azerty", encoding="utf-8")
    for path, why in ((short, "trop court"), (tmp_path / "absent", "ne se lit pas")):
        with pytest.raises(BadOption, match=why):
            read([], {"LDV_SECRET_FILE": str(path)})


def test_what_a_cell_shows_is_waited_for_as_long_as_the_cell() -> None:
    """Else a busy server lets the page go after four seconds, empty below its heading and without a word."""
    executor = VoilaExecutor(new_notebook(), config=configuration(read([], {})))
    assert executor.iopub_timeout == executor.timeout == 60
    assert executor.raise_on_iopub_timeout

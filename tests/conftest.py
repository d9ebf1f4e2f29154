"""What several test modules need."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import Program
from hypothesis import HealthCheck, settings
from liveprogram import Players

# How long an example takes says more about the machine than about us.
settings.register_profile("calm", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("calm")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared data and corpora beside the checkout; the test is skipped where it is absent."""
    folder = Path(__file__).resolve().parent.parent.parent / "shared"
    if not folder.is_dir():
        pytest.skip("../shared is not here")
    return folder


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The program inside this process, in English, with a data directory that does not exist yet."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    return Program(tmp_path / "home", monkeypatch)


@pytest.fixture
def players(tmp_path: Path) -> Iterator[Players]:
    """Real programs at live tables; what still runs at the end of the test is killed."""
    made = Players(tmp_path)
    yield made
    made.close()

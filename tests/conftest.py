"""What several test modules need."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared data and corpora beside the checkout; the test is skipped where it is absent."""
    folder = Path(__file__).resolve().parent.parent.parent / "shared"
    if not folder.is_dir():
        pytest.skip("../shared is not here")
    return folder

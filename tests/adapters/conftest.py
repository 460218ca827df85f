"""What all tests of the adapters share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out the wait for the disk: hundreds of files are written, and no power cut is tried here."""
    monkeypatch.setattr("os.fsync", lambda descriptor: None)

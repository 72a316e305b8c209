"""What several tests need: where real data may lie, and somebody without root's powers."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

NOBODY = 65534

# Tests run side by side: one thread each, and none that spins while it waits.
os.environ.setdefault("GOMP_SPINCOUNT", "1000")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Speed is measured in benchmarks/; here a busy machine must not fail a test.
settings.register_profile("tellapart", deadline=None)
settings.load_profile("tellapart")


@pytest.fixture
def shared_data() -> Path:
    """Real data beside the checkout, where there is any; it is never part of the project."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("needs the real data sets in ../shared/data")
    return folder


@pytest.fixture
def as_ordinary_user(tmp_path: Path) -> Callable[[], AbstractContextManager[None]]:
    """File permissions as most people know them, even where tests run as root."""

    @contextmanager
    def ordinary() -> Iterator[None]:
        if os.geteuid() != 0:
            yield
            return
        for folder in [tmp_path, *tmp_path.parents]:
            if not folder.stat().st_mode & 0o001:
                folder.chmod(0o755)
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)

    return ordinary

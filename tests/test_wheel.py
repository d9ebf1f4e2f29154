"""What is installed: everything the packages hold, under their own names, and nothing else."""

import importlib.util
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"hiddenagenda": ROOT / "hiddenagenda", "hiddenagenda_cli": ROOT / "cli" / "hiddenagenda_cli"}
BUILD = "import hatchling.build, sys; hatchling.build.build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """Build a wheel from a copy of the sources, so that building leaves nothing beside them."""
    folder = tmp_path_factory.mktemp("wheel")
    sources, built = folder / "sources", folder / "built"
    built.mkdir()
    shutil.copytree(ROOT, sources, ignore=shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info"))
    shutil.copyfile(ROOT / ".gitignore", sources / ".gitignore")
    if importlib.util.find_spec("hatchling"):
        subprocess.run([sys.executable, "-c", BUILD, str(built)], cwd=sources, check=True, capture_output=True)
    else:
        pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(built), "."]
        done = subprocess.run(pip, cwd=sources, check=False, capture_output=True, text=True)
        if done.returncode:
            pytest.skip("hatchling is not installed, and pip cannot fetch it: no wheel was looked at")
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as opened:
        yield opened


def contents(wheel: zipfile.ZipFile) -> set[str]:
    return {name for name in wheel.namelist() if ".dist-info/" not in name}


def metadata(wheel: zipfile.ZipFile, name: str) -> str:
    (found,) = [member for member in wheel.namelist() if member.endswith(f".dist-info/{name}")]
    return wheel.read(found).decode()


def test_only_our_packages_stand_at_the_top(wheel: zipfile.ZipFile) -> None:
    assert {name.partition("/")[0] for name in contents(wheel)} == set(PACKAGES)


def test_every_file_of_the_packages_is_there_and_no_other_but_the_translators(wheel: zipfile.ZipFile) -> None:
    expected = {
        f"{package}/{path.relative_to(folder).as_posix()}"
        for package, folder in PACKAGES.items()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".po"
    }
    assert contents(wheel) == expected


@pytest.mark.parametrize(
    "name", ["hiddenagenda/py.typed", "hiddenagenda_cli/py.typed", "hiddenagenda/cards/data/names.tsv"]
)
def test_what_is_no_code_is_there_too(wheel: zipfile.ZipFile, name: str) -> None:
    assert name in contents(wheel)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_catalogue_of_messages_is_compiled(wheel: zipfile.ZipFile, language: str) -> None:
    assert f"hiddenagenda/translations/{language}/LC_MESSAGES/hiddenagenda.mo" in contents(wheel)


def test_licence_and_command_are_declared(wheel: zipfile.ZipFile) -> None:
    assert metadata(wheel, "licenses/LICENSE") == (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "hiddenagenda = hiddenagenda_cli.main:main" in metadata(wheel, "entry_points.txt")
    assert "License-Expression: MIT" in metadata(wheel, "METADATA")


def test_what_is_installed_works(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "import hiddenagenda.commitment as module; from hiddenagenda.edge.catalogue import bundled;"
        "assert module.__file__.startswith(sys.argv[1]); bundled().check(); print(module.Commitment.of(b'').hex)"
    )
    run = [sys.executable, "-P", "-c", program, str(tmp_path)]
    done = subprocess.run(run, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

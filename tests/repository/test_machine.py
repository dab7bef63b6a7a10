"""What a machine lacks: apt is asked for each thing by itself, a browser
is found or not, and each skip says what it costs.
"""

import os
from pathlib import Path

import pytest

from scripts import browser
from scripts.errors import BadInput
from scripts.paths import ROOT
from tests import needs
from tests.run import program, run

PACKAGES = ROOT / "scripts/system_packages.sh"


def asked(tmp_path: Path, *names: str, uid: int = 0) -> tuple[list[str], str]:
    """(what apt was asked to install, call by call; what the script
    said), where apt knows no package named `unknown`.
    """
    program(
        tmp_path / "apt-get",
        f'[ "$1" = update ] && exit; echo "$*" >> {tmp_path}/asked; '
        '[[ $* != *unknown* ]] || { echo "E: no candidate" >&2; exit 100; }',
    )
    program(tmp_path / "id", f"echo {uid}")
    program(tmp_path / "sudo", "exit 1")
    done = run("bash", PACKAGES, *names, env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}, status=0)
    assert done.stderr == ""
    calls = (tmp_path / "asked").read_text(encoding="utf-8").splitlines() if (tmp_path / "asked").exists() else []
    return [call.removeprefix("install -y -qq ") for call in calls], done.stdout


def test_an_unknown_package_costs_only_itself(tmp_path):
    calls, said = asked(tmp_path, "unknown-one", "some-other")
    assert calls == ["unknown-one", "some-other"]
    assert "apt could not install unknown-one: E: no candidate" in said and "could not install some-other" not in said


def test_who_may_not_install_is_told_once(tmp_path):
    calls, said = asked(tmp_path, "some-one", "some-other", uid=1000)
    assert calls == [] and said == "No right to install; ask for: apt-get install some-one some-other\n"


def test_what_is_there_is_not_asked_for(tmp_path):
    installed = [package for package in needs.packages() if package != "chromium" and needs.is_there(package)]
    calls, _ = asked(tmp_path, *installed) if installed else ([], "")
    assert calls == []


def test_the_snap_is_passed_over(tmp_path, monkeypatch):
    """Ubuntu's chromium-browser is a script that leads to a snap; a Chrome
    beside it is taken, and without one there is none.
    """
    program(tmp_path / "chromium-browser", 'exec /snap/bin/chromium "$@"')
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "OF_PLAYWRIGHT", "print('/nowhere/chrome')")
    browser.find.cache_clear()
    try:
        with pytest.raises(BadInput, match="neither Chrome nor Chromium is installed"):
            browser.browser()
        chrome = program(tmp_path / "google-chrome", "exit")
        browser.find.cache_clear()
        assert browser.browser() == str(chrome)
        chrome.unlink()
        browser.find.cache_clear()
        monkeypatch.setattr(browser, "OF_PLAYWRIGHT", f"print({str(program(tmp_path / 'own', 'exit'))!r})")
        assert browser.browser() == str(tmp_path / "own")
    finally:
        browser.find.cache_clear()

"""What is fetched is a text, whole, and no larger than it may be; what is not is told in words."""

import time

import pytest

from scripts.sources import fetch
from scripts.sources.fetch import Fetcher, Gone, Unreachable
from tests.sources.server import leads, plain, serve

SLOW = [b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", *[b"a"] * 30]
BAD = {
    "/drip": (lambda handler: [handler.wfile.write(part) and time.sleep(0.05) for part in SLOW], "takes longer than"),
    "/silent": (lambda handler: time.sleep(2), "timed out"),
    "/huge": (plain("x" * 60_000), "larger than"),
    "/half": (plain("half of it", Content_Length="1000"), "broke off|invalid"),
    "/nonsense": (lambda handler: handler.wfile.write(b"\x16\x03\x01 what is this\r\n\r\n"), "is invalid"),
    "/pdf": (plain(b"%PDF-1.7", "application/pdf"), "it is not text, but application/pdf"),
    "/lies": (plain(b"\x89PNG\r\n\x1a\n\xff\xfe", "text/html; charset=utf-8"), "claims to be text/html, but is not"),
    "/nuls": (plain(b"a\0b", "text/plain"), "claims to be text/plain, but is not"),
    "/charset": (plain("a", "text/plain; charset=klingon"), "claims to be text/plain, but is not"),
    "/error": (plain("oh", status=500), "status 500"),
    "/circle": (leads("/circle"), "status 302"),
    "/file": (leads("file:///etc/passwd"), "status 302"),
}


@pytest.fixture
def fetcher(tmp_path) -> Fetcher:
    return Fetcher(tmp_path / "kept", seconds=60, pause=0)


@pytest.mark.parametrize("path", BAD)
def test_what_is_no_whole_text_is_told(path, fetcher, monkeypatch):
    answer, words = BAD[path]
    monkeypatch.setattr(fetch, "MOST_BYTES", 50_000)
    if path in ("/drip", "/silent"):  # of these alone little time is given: the machine that tests may be busy
        fetcher.seconds = 0.5
    with serve({path: answer}) as (_, home), pytest.raises(Unreachable, match=words):
        fetcher.get(home + path, forever=True)
    assert not fetcher.folder.exists(), "and nothing of it is kept"


def test_a_text_is_as_it_was_sent_and_is_asked_for_once(fetcher):
    old = plain("caf\xe9".encode("latin-1"), "text/plain; charset=latin-1")
    with serve({"/a": plain("Béluga, 40 GB\n"), "/old": old}) as (state, home):
        assert fetcher.get(f"{home}/a") == "Béluga, 40 GB\n"
        assert fetcher.get(f"{home}/old") == "café"
        fetcher.get(f"{home}/a")
        assert state.asked == ["/a", "/old"]


def test_a_page_that_moved_is_followed(fetcher):
    with serve({"/a": leads("/b", 301), "/b": leads("/c", 308), "/c": plain("c")}) as (_, home):
        assert fetcher.get(f"{home}/a") == "c"


def test_what_is_gone_is_not_what_is_silent(fetcher):
    with serve({"/410": plain("", status=410)}) as (_, home):
        for path in ("/404", "/410"):
            with pytest.raises(Gone):
                fetcher.get(home + path)


def test_a_host_that_wants_to_be_left_alone_or_is_not_there_is_asked_nothing_more(fetcher):
    with serve({"/a": plain("", status=429)}) as (state, home):
        for path in ("/a", "/b", "/c"):
            with pytest.raises(Unreachable, match="no more requests"):
                fetcher.get(home + path)
        assert state.asked == ["/a"]
    with serve({}) as (_, home):
        pass
    for path in ("/a", "/b"):
        with pytest.raises(Unreachable, match="no connection: Connection refused"):
            fetcher.get(home + path)
    assert len(fetcher.silent) == 2


def test_what_never_changes_is_sent_once(tmp_path):
    with serve({"/a": plain("one")}) as (state, home):

        def get() -> str:
            return Fetcher(tmp_path, pause=0).get(f"{home}/a", forever=True)

        assert [get(), get()] == ["one", "one"] and state.asked == ["/a"]
        for path in tmp_path.iterdir():
            path.write_bytes(b"\xff")
        assert get() == "one", "a spoilt copy is as none"


def test_without_room_nothing_is_kept_and_all_goes_on(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with serve({"/a": plain("one")}) as (_, home):
        assert Fetcher(tmp_path / "file" / "below", pause=0).get(f"{home}/a", forever=True) == "one"


def test_a_host_is_asked_with_a_pause(tmp_path):
    with serve({"/1": plain("1"), "/2": plain("2")}) as (_, home):
        fetcher, start = Fetcher(pause=0.2), time.monotonic()
        assert [fetcher.get(f"{home}/{n}") for n in (1, 2)] == ["1", "2"] and time.monotonic() - start > 0.2

"""What is fetched is a text, whole, soon, and no larger than it may be; what is not is told in words."""

import gzip
import threading

import pytest

from scripts.sources.fetch import Fetcher, Gone, Text, Unreachable
from tests.sources import server
from tests.sources.server import leads, plain, serve

BAD = {
    "/slow": (server.drips, "did not come whole within"),
    "/silent": (server.sleeps, "no answer within"),
    "/endless": (server.endless, "larger than"),
    "/huge": (plain("x" * 60_000), "larger than"),
    "/half": (server.breaks_off, "broke off"),
    "/nonsense": (server.is_no_server, "is broken"),
    "/pdf": (plain(b"%PDF-1.7", "application/pdf"), "it is no text, but application/pdf"),
    "/lies": (plain(b"\x89PNG\r\n\x1a\n\xff\xfe", "text/html; charset=utf-8"), "says that it is text/html, and is not"),
    "/nuls": (plain(b"a\0b", "text/plain"), "says that it is text/plain, and is not"),
    "/charset": (plain("a", "text/plain; charset=klingon"), "says that it is text/plain, and is not"),
    "/packed": (plain(gzip.compress(b"a"), Content_Encoding="gzip"), "comes packed"),
    "/error": (plain("oh", status=500), "status 500"),
    "/circle": (leads("/circle"), "more than 5 times"),
    "/file": (leads("file:///etc/passwd"), "which is no http address"),
    "/nowhere": (plain("", status=302), "status 302"),
}

TOO_SLOW = ("/slow", "/silent")  # of these alone little time is given: the machine that tests may be busy


@pytest.fixture
def fetcher(tmp_path) -> Fetcher:
    return Fetcher(tmp_path / "kept", schemes=("http",), seconds=60, most_bytes=50_000, pause=0)


@pytest.mark.parametrize("path", BAD)
def test_what_is_no_whole_text_is_told(path, fetcher):
    answer, words = BAD[path]
    if path in TOO_SLOW:
        fetcher.seconds = 0.5
    with serve({path: answer}) as (_, home), pytest.raises(Unreachable, match=words):
        fetcher.get(home + path)
    assert not list((fetcher.folder.parent).rglob("*.json")), "and nothing of it is kept"


def test_a_text_is_as_it_was_sent(fetcher):
    with serve(
        {"/a": plain("Béluga, 40 GB\n"), "/old": plain("caf\xe9".encode("latin-1"), "text/plain; charset=latin-1")}
    ) as (
        state,
        home,
    ):
        assert fetcher.get(f"{home}/a").text == "Béluga, 40 GB\n"
        assert fetcher.get(f"{home}/old").text == "café"
        fetcher.get(f"{home}/a")
        assert state.asked == ["/a", "/old"], "none is asked for twice"


def test_a_page_that_moved_for_good_names_its_new_address(fetcher):
    with serve({"/a": leads("/b", 301), "/b": leads("/c", 308), "/c": plain("c"), "/t": leads("/c")}) as (_, home):
        assert fetcher.get(f"{home}/a") == Text("c", f"{home}/c", f"{home}/c")
        assert fetcher.get(f"{home}/t").moved is None, "for today only"


def test_what_is_gone_is_not_what_is_silent(fetcher):
    with serve({"/410": plain("", status=410)}) as (_, home):
        for path in ("/404", "/410"):
            with pytest.raises(Gone):
                fetcher.get(home + path)


def test_a_host_that_wants_to_be_left_alone_is_asked_nothing_more(fetcher):
    with serve({"/a": plain("", status=429)}) as (state, home):
        for path in ("/a", "/b", "/c"):
            with pytest.raises(Unreachable, match="no more questions"):
                fetcher.get(home + path)
        assert state.asked == ["/a"]


def test_a_host_that_is_not_there_is_asked_once(fetcher):
    with serve({}) as (_, home):
        pass
    for path in ("/a", "/b"):
        with pytest.raises(Unreachable, match="no connection: Connection refused") as found:
            fetcher.get(home + path)
        assert found.value.host
    assert len(fetcher.silent) == 1


def test_an_unchanged_page_is_not_sent_again(tmp_path):
    with serve({"/a": plain("one", ETag='"1"'), "/b": plain("for ever")}) as (state, home):

        def get(path, **how):
            return Fetcher(tmp_path, schemes=("http",), pause=0).get(home + path, **how).text

        assert [get("/a"), get("/b", forever=True)] == ["one", "for ever"]
        state.pages |= {"/b": plain("never asked")}
        assert [get("/a"), get("/b", forever=True)] == ["one", "for ever"] and state.asked == ["/a", "/b", "/a"]
        state.pages |= {"/a": plain("two", ETag='"2"')}
        assert get("/a") == "two"
        for path in tmp_path.glob("*.json"):
            path.write_text('{"text": 3', encoding="utf-8")
        assert get("/a") == "two", "a spoilt copy is as none"


def test_without_room_nothing_is_kept_and_all_goes_on(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with serve({"/a": plain("one")}) as (_, home):
        assert Fetcher(tmp_path / "file" / "below", schemes=("http",), pause=0).get(f"{home}/a").text == "one"


def test_a_host_is_asked_one_thing_at_a_time_with_a_pause(tmp_path):
    with serve({f"/{n}": plain(str(n)) for n in range(4)}) as (state, home):
        fetcher, came = Fetcher(schemes=("http",), pause=0.05), []
        threads = [threading.Thread(target=lambda n=n: came.append(fetcher.get(f"{home}/{n}").text)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(came) == ["0", "1", "2", "3"] and state.most_at_once == 1

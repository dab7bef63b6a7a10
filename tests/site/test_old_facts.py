"""Facts that nobody has compared with their source for over a year are shown as such on the day a page is read."""

from scripts.facts import load_all

PAGE = "clusters/kestrel.html"
SOURCES = load_all()["kestrel"].sources
READ = sorted(source.read for sources in SOURCES.values() for source in sources)


def in_a_year(day: str, days: int) -> str:
    return f"{int(day[:4]) + 1}{day[4:8]}{int(day[8:]) + days:02}"


def test_the_page_shows_what_is_old_on_the_day_it_is_read(visit):
    page = visit(PAGE, fresh=True)  # all pages of a browser share its clock
    rows = {source for sources in SOURCES.values() for source in sources}
    for day, old in ((in_a_year(READ[0], 0), 0), (in_a_year(READ[-1], 1), 1)):
        page.clock.set_fixed_time(f"{day}T12:00:00Z")
        page.reload()
        assert page.locator("p.old-facts").count() == old
        assert page.locator("td", has_text="over a year ago").count() == old * len(rows)
    said = page.locator("p.old-facts").inner_text()
    assert "partitions" in said and "Ask the operator" in said
    page.locator("p.old-facts a").click()
    assert page.url.endswith("#sources") and page.locator("#sources").count() == 1
    assert page.faults == []

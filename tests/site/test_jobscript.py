"""The page on which readers write, check and move job scripts, in a real browser, as they use it."""

import gzip
import json
import re

import pytest
from bs4 import BeautifulSoup

from scripts.engine.bundle import JS, ordered
from scripts.engine.data import facts
from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.paths import write_whole
from scripts.site.after import engine, lean
from tests.site import looks
from tests.site.looks import DESK, NARROWEST, OF_COLOURS, PHONE

PAGE = "jobscript.html"
EDITOR = ".own-editor textarea"
VERDICT = ".own-verdict"
TRIED = "[aria-busy=false] > .own-findings"  # fixes come after the verdict
BYTES_OF_VERDICTS = 15_000  # the engine that decides, and the facts of all systems, compressed
JUDGED = "() => jobscriptPage.ready.size > 0"


@pytest.fixture
def write(visit):
    """write(fragment): the page with that address, its script written and judged."""

    def write(fragment="cluster=kestrel&gpu=h100&gpus=2", **given):
        page = visit(f"{PAGE}#{fragment}", given.pop("width", DESK), **given)
        page.wait_for_function("() => document.querySelector('.own-editor textarea')?.value")
        page.hover(EDITOR)
        page.wait_for_function(JUDGED)
        return page

    return write


def said(page) -> str:
    return page.inner_text(VERDICT)


def script(page) -> str:
    return page.input_value(EDITOR)


def field(page, label):
    return page.get_by_role("combobox", name=label, exact=True)


def test_a_reader_writes_a_script_edits_it_and_shares_it(write):
    page = write()
    assert "#SBATCH --gpus=h100:2\n" in script(page) and said(page).startswith("Kestrel accepts this script.")

    field(page, "Time").select_option("4h")
    assert "#SBATCH --time=04:00:00\n" in script(page) and "time=4h" in page.url
    page.go_back()
    page.wait_for_function("() => !location.hash.includes('time=')")
    page.wait_for_function("() => !document.querySelector('.own-editor textarea').value.includes('04:00:00')")
    field(page, "Time").select_option("other…")
    page.get_by_role("textbox", name="Time").press("Escape")
    assert page.evaluate("document.activeElement.name") == "time", "the focus is where it was"
    assert field(page, "Time").input_value() == "1h"

    page.press(EDITOR, "Control+End")
    page.keyboard.insert_text("echo mine, for fun\n")
    field(page, "GPUs per node").select_option("1")
    page.wait_for_function("() => location.hash.includes('gpus=1')")
    page.wait_for_function("() => document.querySelector('.own-editor textarea').value.includes('h100:1')")
    assert script(page).endswith("echo mine, for fun\n"), "a reader's own line stays"
    assert "mine" not in page.url

    page.get_by_role("button", name="Copy", exact=True).click()
    page.wait_for_function("() => document.querySelector('.own-told').textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()") == script(page)
    with page.expect_download() as got:
        page.get_by_role("button", name="Download").click()
    assert got.value.suggested_filename == "job.sh"
    assert got.value.path().read_bytes() == script(page).encode()

    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("() => document.querySelector('.own-told').textContent === 'Link copied'")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url and link.endswith("#cluster=kestrel&gpu=h100&gpus=1")
    page.reload()
    page.wait_for_function("() => document.querySelector('.own-editor textarea')?.value.includes('h100:1')")
    assert page.faults == [] and page.asked == []


@pytest.mark.parametrize(
    ("fragment", "wanted"),
    [
        (
            "cluster=trillium&program=pytorch-container",
            ["check_gpu.py", "pytorch.sif", "trillium-gpu", "sbatch job.sh"],
        ),
        ("cluster=rivanna&program=jax", ["multiply_jax.py", "$HOME/everything", "On a login node of Rivanna"]),
        ("cluster=kestrel&gpus=2&program=own-environment", ["all_gpus.py", "/projects/myproject/pytorch-gpu"]),
    ],
)
def test_what_must_be_there_before_the_job_is_linked(write, site, fragment, wanted):
    box = write(fragment).locator(".own-main > :last-child")
    assert [words for words in ["Before you submit", *wanted] if words not in box.inner_text()] == []
    links = [link.get_attribute("href").split("#")[0] for link in box.locator("a").all()]
    assert len(links) > 1 and [link for link in links if not (site / link).is_file()] == []


def typed(page, value, label="Time"):
    if field(page, label).count():
        field(page, label).select_option("other…")
    page.get_by_role("textbox", name=label).fill(value)
    page.keyboard.press("Enter")


def chosen(page) -> dict:
    return page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.own-side select')].map(s => [s.name, s.value]))"
    )


def test_no_verdict_stands_before_a_system_is_chosen(visit):
    page = visit(PAGE, DESK)
    assert said(page).startswith("This example is for ")
    page.get_by_label("System", exact=True).select_option("kestrel")
    page.wait_for_function("() => document.querySelector('.own-verdict').textContent.startsWith('Kestrel accepts')")


def test_facts_that_do_not_arrive_are_told(visit):
    page = visit("404.html", DESK)
    page.route("**/data/lumi.js", lambda route: route.abort())
    page.goto(page.url.replace("404.html", PAGE))
    page.wait_for_function("() => /lumi.js. Load the page/.test(document.querySelector('.own-verdict')?.textContent)")


def test_a_time_is_read_as_people_write_it_before_anything_else_is_loaded(visit):
    page = visit(f"{PAGE}#cluster=roihu&gpus=2", DESK)
    page.route("**/joined/more.js", lambda route: None)  # it never comes
    page.wait_for_function("() => document.querySelector('.own-editor textarea')?.value")
    for value in ("30 hours", "1 day 6 hours", "30h", "1800 min", "1-06:00", "30:00:00"):
        typed(page, value)
        page.wait_for_function("() => location.hash.includes('time=1d6h')")
        page.wait_for_function("() => document.activeElement.name === 'time'")
        assert field(page, "Time").locator("option:checked").inner_text() == "30 hours", value
        field(page, "Time").select_option("4h")
        page.wait_for_function("() => location.hash.includes('time=4h')")
    assert page.faults == [] and field(page, "GPUs per node").input_value() == "2"


def test_what_cannot_be_had_is_told_at_its_field_and_changes_nothing_else(write):
    page = write()
    kept, others = script(page), chosen(page)
    typed(page, "30d")
    page.wait_for_selector(f"{VERDICT}.refused")
    assert "at most" in said(page) and "not updated" in page.inner_text(".own-name") and script(page) == kept
    assert chosen(page) == others | {"time": "30d"}
    assert field(page, "Time").get_attribute("aria-invalid") == "true" and "at most" in page.inner_text(
        ".own-error:not(:empty)"
    )
    assert page.locator("select[name=mail] option:disabled").count() == 0, "another field is no part of it"
    page.get_by_role("button", name="Use 10 days").click()
    page.wait_for_selector(f"{VERDICT}.accepted")
    assert "#SBATCH --time=10-00:00:00\n" in script(page) and page.inner_text(".own-name") == "job.sh"
    assert page.locator("option:disabled").count(), "what cannot be had cannot be chosen"
    page.locator("details:not([hidden]) > summary", has_text="unavailable?").first.click()
    assert page.locator("details[open] li").first.inner_text().strip()

    typed(page, "soon")
    page.wait_for_selector(f"{VERDICT}.refused")
    box = page.get_by_role("textbox", name="Time")
    assert box.input_value() == "soon" and box.get_attribute("placeholder") == "30h"
    assert "1 day 6 hours" in page.inner_text("#own-write-time") and chosen(page) == others | {"time": "soon"}
    box.fill("30")
    page.get_by_role("textbox", name="Time").press("Enter")
    page.get_by_role("button", name="Use 30 hours").click()
    page.wait_for_selector(f"{VERDICT}.accepted")
    assert looks.axe(page) == [] and page.faults == []


def test_what_another_system_has_not_stays_chosen_and_all_errors_stand_at_their_fields(visit):
    page = visit(f"{PAGE}#cluster=roihu&gpu=l40&memory=lots&array=x", DESK)
    page.wait_for_selector(f"{VERDICT}.refused")
    errors = page.locator(".own-error:not(:empty)")
    assert errors.count() == 2 and "not an amount of memory" in errors.first.inner_text()
    field(page, "System").select_option("lumi")
    page.wait_for_function("() => document.querySelectorAll('.own-error:not(:empty)').length === 3")
    assert field(page, "GPU").input_value() == "l40" and script(page) == "", "Roihu's script is not LUMI's"
    assert page.get_by_role("button", name=re.compile("^Use AMD MI250X")).count() == 1


OF_ROIHU = "#!/bin/bash\n#SBATCH --account=project_2009999\n#SBATCH --partition=gpumedium\n#SBATCH --time=60\n#SBATCH "


def test_what_is_neither_a_yes_nor_a_no_is_told_with_its_line_and_who_answers(visit):
    page = visit(f"{PAGE}#mode=check&cluster=roihu", DESK)
    page.fill(EDITOR, f"{OF_ROIHU}--gres=gpu:1\nsrun ./a\n")
    page.wait_for_selector(f"{VERDICT}.not-judged")
    assert said(page).startswith("Roihu may reject this script. 1 note. Line 5: the reason to reject it is")
    assert "On Roihu, run sbatch --test-only job.sh." in said(page)
    page.fill(EDITOR, f"{OF_ROIHU}--gres=gpu:gh200:1 --overcommit\nsrun ./a\n")
    page.wait_for_function("() => document.querySelector('.own-verdict').textContent.includes('unknown')")
    assert said(page).startswith("We cannot check this here. 1 note. Line 5: unknown to this page. Ask the scheduler.")
    assert "./guide check roihu job.sh" in said(page) and page.faults == []


def test_it_gives_the_advice_of_guide_check(visit):
    page = visit(f"{PAGE}#mode=check&cluster=roihu", DESK)
    page.fill(EDITOR, f"{OF_ROIHU}--gres=gpu:gh200:1\nmodule load StdEnv/2023\npip install torch-x86_64.whl\n")
    page.wait_for_selector(".own-findings li")
    texts = page.locator(".own-findings li").all_inner_texts()
    assert any("is built for x86_64, but this job's nodes are aarch64" in text for text in texts), texts
    assert any("StdEnv is a module of" in text for text in texts), texts


FAULTY = b"\r\n".join(
    (
        b"#!/bin/bash",
        b"#SBATCH --account=myproject",
        b"#SBATCH --gpus=h100:2",
        b"#SBATCH --time=30-00:00:00",
        b"echo \xff",
        b"",
    )
)

DROPPED = """(field, item) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(...item)
  return field.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer}))
}"""


def test_a_dropped_text_is_the_editors_and_what_cannot_be_read_or_chosen_is_told(visit):
    page = visit(f"{PAGE}#cluster=nowhere", DESK)
    page.wait_for_function("() => /no system .*, roihu, /.test(document.querySelector('.own-verdict')?.textContent)")
    page.evaluate("location.hash = 'mode=check&cluster=kestrel'")
    page.get_by_text("Paste a script, or choose").wait_for()
    assert page.locator(EDITOR).evaluate(DROPPED, ["x", "text/plain"]), "the browser puts it in its place"
    page.evaluate("location.hash = 'mode=explain&cluster=kestrel'")
    page.get_by_label("Error message").evaluate(
        DROPPED.replace("...item", "new File([item], 'slurm-1.out')"), "\xff\nKilled"
    )
    page.locator(".own-answers h2", has_text="Killed").wait_for()
    page.evaluate("location.hash = 'mode=check&cluster=kestrel'")
    page.get_by_text("Paste a script, or choose").wait_for()
    page.evaluate("() => { Blob.prototype.arrayBuffer = () => Promise.reject(Error('a folder')) }")
    assert not page.locator(EDITOR).evaluate(DROPPED.replace("...item", "new File([], 'folder')"))
    page.get_by_text("This file cannot be read.").wait_for()
    assert page.faults == []


def test_a_file_is_read_as_it_is_and_mended(visit):
    page = visit(f"{PAGE}#mode=check&cluster=kestrel", DESK)
    page.set_input_files("input[type=file]", {"name": "mine.sh", "mimeType": "text/plain", "buffer": FAULTY})
    page.wait_for_selector(".own-findings li")
    assert said(page).startswith("Kestrel rejects this script.") and page.inner_text(".own-name") == "mine.sh"
    kinds = [item.split(",")[0] for item in page.locator(".own-findings li").all_inner_texts()]
    assert "Error (refused)" in " ".join(kinds) and page.locator(".line.error").count()
    assert re.search("Windows|carriage", page.inner_text(".own-findings")), "the bytes are kept"
    with page.expect_download() as got:
        page.get_by_role("button", name="Download").click()
    assert got.value.path().read_bytes() == FAULTY, "what is not mended goes out as it came in"

    given = bytes(range(256)) + "é€😀".encode() + b"\xed\xa0\x80\xf0\x80\xe2\x82a\xf4\x90"
    decoded = page.evaluate(
        "given => jobscriptPage.part('more').then(more => more.decoded(Uint8Array.from(given).buffer).split('')"
        ".map(unit => unit.charCodeAt(0)))",
        list(given),
    )
    wanted = given.decode("utf-8", "surrogateescape").encode("utf-16-le", "surrogatepass")
    assert decoded == [int.from_bytes(wanted[at : at + 2], "little") for at in range(0, len(wanted), 2)]

    page.get_by_role("button", name=re.compile("^line 4")).first.click()
    selected = "field => getSelection().toString() || field.value.slice(field.selectionStart, field.selectionEnd)"
    assert page.locator(EDITOR).evaluate(selected) == "#SBATCH --time=30-00:00:00"
    for _ in range(8):
        page.wait_for_selector(TRIED)
        before = page.locator(".own-findings li").count()
        mends = page.get_by_role("button", name="Fix it")
        if not mends.count():
            break
        mends.first.click()
        assert page.locator(".own-findings li").count() < before, "a fix takes its finding away"
    assert "\r" not in page.evaluate("jobscriptPage.text()") and "30-00" not in script(page)


OF_A_READER = """#!/bin/bash
#SBATCH --partition=gpumedium
#SBATCH --gres=gpu:a100:2
#SBATCH --mem=64G
#SBATCH --cpus-per-task=16
#SBATCH --time=1-00:00:00
module load pytorch
#SBATCH --mail-type=ALL
srun python train.py
"""
IN_VIEW = "where => { const {top, bottom} = document.querySelector(where).getBoundingClientRect();"
IN_VIEW += " return top >= 0 && bottom <= innerHeight }"


def test_fixes_are_shown_beside_the_script_marked_and_undone(visit):
    page = visit(f"{PAGE}#mode=check&cluster=roihu", DESK)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_selector("input[type=file]")
    assert page.get_attribute(EDITOR, "placeholder").startswith("#!/bin/bash")
    page.fill(EDITOR, OF_A_READER)
    page.wait_for_selector(TRIED)
    seen = [page.evaluate(IN_VIEW, where) for where in (VERDICT, ".own-script", ".own-findings li:nth-child(3)")]
    assert seen == [True] * 3
    fixes = page.get_by_role("button", name="Fix it")
    assert fixes.count() == 4, "GPU, memory, module, place of the directive; whose account it is only the reader knows"
    assert "Add your account" in page.inner_text(".own-findings") and "project_2001234" not in script(page)

    fixes.first.click()
    page.wait_for_selector(TRIED)
    assert "--gres=gpu:gh200:2" in script(page) and page.inner_text(".line.changed").endswith("gpu:gh200:2\n")
    assert "Fixed: line 3" in page.inner_text(".own-fixed")
    assert page.evaluate("document.activeElement.textContent") == "Undo"
    while fixes.count():
        fixes.first.click()
        page.wait_for_selector(TRIED)
    assert "--mem" not in script(page) and "module load python-pytorch\n" in script(page)
    undo = page.get_by_role("button", name="Undo")
    while undo.count():
        undo.press("Enter")
    assert script(page) == OF_A_READER and page.evaluate("document.activeElement.matches('textarea')")

    page.evaluate("value => localStorage.setItem('my-account', value)", '{"roihu": {"account": "project_2009999"}}')
    page.evaluate("myAccount.load()")
    page.wait_for_function("() => document.querySelector('.own-findings').textContent.match(/Fix it/g)?.length === 5")
    page.wait_for_selector(TRIED)
    page.locator(".own-findings li", has_text="no account").get_by_role("button", name="Fix it").click()
    page.wait_for_selector(TRIED)
    assert "#SBATCH --account=project_2009999\n" in script(page) and page.faults == []
    assert looks.axe(page) == []


def test_a_pasted_script_is_judged_as_it_is_typed(visit):
    page = visit(f"{PAGE}#mode=check&cluster=kestrel", DESK)
    page.evaluate("navigator.clipboard.writeText('#!/bin/bash\\r\\n#SBATCH --time=1:00:00\\r\\n')")
    page.focus(EDITOR)
    page.keyboard.press("Control+V")
    page.wait_for_selector(".own-findings li")
    good = "#!/bin/bash\n#SBATCH --account=myproject --gpus=h100:1 --time=1:00:00\nsrun python3 x.py\n"
    page.evaluate("text => navigator.clipboard.writeText(text)", good)
    page.press(EDITOR, "Control+A")
    page.keyboard.press("Control+V")
    page.wait_for_selector(f"{VERDICT}.accepted")
    page.fill(EDITOR, "#!/bin/bash\n#SBATCH --acount=myproject\n")
    page.wait_for_selector(f"{VERDICT}.refused")
    page.fill(EDITOR, "")
    page.wait_for_function("() => document.querySelector('.own-verdict').textContent.startsWith('Paste')")
    assert page.faults == []


OLD = (
    "#!/bin/bash\n#SBATCH --account=project_2001234\n#SBATCH --partition=gpu\n#SBATCH --gres=gpu:v100:2\n"
    "#SBATCH --time=10:00:00\nmodule load pytorch\nsrun python3 train.py\n"
)


def test_a_script_is_moved_side_by_side_with_reasons(visit):
    page = visit(f"{PAGE}#cluster=puhti", DESK)
    assert page.inner_text(".own-modes [aria-current]") == "Move a script", "nobody writes for a system that is off"
    assert field(page, "To").input_value() == "roihu"
    page.fill(EDITOR, OLD)
    page.wait_for_selector(".own-changes li")
    moved = page.inner_text(".own-listing")
    lines = [page.locator(f"{where} .line.changed").all_inner_texts() for where in (".own-editor", ".own-listing")]
    assert [any(gpu in line for line in some) for some, gpu in zip(lines, ("v100", "gh200"), strict=True)] == [True] * 2
    assert not any("train.py" in line for some in lines for line in some)
    assert page.inner_text(".own-changes h2") == "To do" and page.locator(".own-todo input[type=checkbox]").count()
    left, right = (page.locator(where).bounding_box() for where in (".own-main > .own-script", ".own-moved"))
    assert left["y"] == right["y"] and left["x"] < right["x"]
    assert "--gres=gpu:gh200:2" in moved and "v100" not in moved and "train.py" in moved
    assert "v100" in page.inner_text(".own-changes") and page.locator(f"{VERDICT}.accepted").count() == 1
    with page.expect_download() as got:
        page.locator(".own-moved").get_by_role("button", name="Download").click()
    assert "gh200:2" in got.value.path().read_text(encoding="utf-8")
    field(page, "To").select_option("kestrel")
    page.wait_for_function("() => document.querySelector('.own-listing')?.textContent.includes('h100')")
    assert page.url.endswith("#mode=move&cluster=puhti&to=kestrel") and page.faults == []
    assert looks.axe(page) == []
    looks.resize(page, PHONE)
    left, right = (page.locator(where).bounding_box() for where in (".own-main > .own-script", ".own-moved"))
    assert left["x"] == right["x"] and left["y"] < right["y"]
    page.fill(EDITOR, "#!/bin/bash\n#SBATCH --gres=gpu:v100:4 --nodes=900\n")
    page.get_by_text("Cannot be moved").wait_for()
    assert page.locator(".own-listing").count() == 0 and "could not create" in said(page)


def test_the_system_that_a_script_names_is_chosen_or_asked_for(visit):
    page = visit(f"{PAGE}#mode=move", DESK)
    hint = page.locator(".own-side [role=status]")
    page.fill(EDITOR, OLD)
    hint.get_by_text("Chosen because the script names account project_2001234").wait_for()
    assert (field(page, "From").input_value(), field(page, "To").input_value()) == ("puhti", "roihu")
    assert page.evaluate("document.activeElement.matches('.own-editor textarea')"), "who types goes on typing"
    page.fill(EDITOR, "#!/bin/bash\n#SBATCH --account=def-prof --gpus-per-node=h100:1\n")
    hint.get_by_role("button", name="Use Nibi").click()
    page.fill(EDITOR, OLD)
    hint.get_by_role("button", name="Use Puhti").wait_for()
    assert field(page, "From").input_value() == "nibi", "what the reader chose stays"
    assert looks.axe(page) == [] and page.faults == []


def test_a_message_is_explained_with_its_link(visit, site):
    page = visit(f"{PAGE}#mode=explain&cluster=kestrel", PHONE)
    box = page.get_by_role("textbox", name="Error message")
    box.fill("slurmstepd: error: Detected 1 oom_kill event in StepId=123456.batch.")
    link = page.locator(".own-answers a").first
    link.wait_for()
    address, _, anchor = link.get_attribute("href").partition("#")
    assert f'id="{anchor}"' in (site / address).read_text(encoding="utf-8")
    assert "sbatch: error" in box.get_attribute("placeholder")
    box.fill("what nobody ever said")
    page.get_by_text("We do not know this message.").wait_for()
    box.fill("sbatch: error: the requested wibble exceeds the time limit 7 of the partition")
    page.locator(".own-answers", has_text="The most similar messages").wait_for()
    near = [link.get_attribute("href") for link in page.locator(".own-answers li a").all()]
    assert 1 <= len(near) <= 3
    for address, _, anchor in (href.partition("#") for href in near):
        assert f'id="{anchor}"' in (site / address).read_text(encoding="utf-8")
    assert "HPC-Help@nlr.gov" in page.inner_text(".own-answers")
    search = page.get_by_role("link", name=re.compile("^Search this guide"))
    assert "requested%20wibble" in search.get_attribute("href")
    assert looks.axe(page) == [] and page.faults == []
    search.click()
    page.wait_for_selector(".md-search-result__link")
    assert "wibble" in page.input_value(".md-search__input")


HOSTILE = ['"><img src=x onerror=alert(1)>', "$(rm -rf ~)", "a\nb", "'; drop", "\\", "%", "%E0%A4%A", "＄{x}"]


@pytest.mark.nightly
def test_hostile_values_are_text_in_every_field_and_in_the_address(visit, write):
    page = write()
    page.evaluate("() => { window.harmed = false; window.alert = () => window.harmed = true }")
    for value in HOSTILE:
        for name in ("time", "gpu", "gpus", "memory", "program", "array", "cluster", "x"):
            page.evaluate("given => location.hash = given", f"cluster=kestrel&{name}={value}")
        page.evaluate(looks.TWO_FRAMES)
        assert "rm -rf" not in script(page) and "onerror" not in script(page)
    for value in HOSTILE:
        typed(page, value)
        page.wait_for_function("value => jobscriptPage.state.fields.time === value", arg=value.replace("\n", " "))
        assert "rm -rf" not in script(page) and "onerror" not in script(page)
    page.evaluate("location.hash = 'mode=check&cluster=kestrel'")
    page.wait_for_selector("input[type=file]")
    for value in [*HOSTILE, *(f"#SBATCH --partition={value}" for value in HOSTILE)]:
        page.fill(EDITOR, value)
        page.evaluate(looks.TWO_FRAMES)
    page.fill(EDITOR, "#SBATCH --time=1 " * 60_000)  # 1 MB
    page.get_by_text("but we check at most").wait_for()
    page.set_input_files("input[type=file]", {"name": HOSTILE[0], "mimeType": "x", "buffer": b"\x00\xff" * 500_000})
    page.wait_for_function("() => document.querySelector('.own-name').textContent.includes('onerror')")
    page.locator(".own-acts").get_by_text("Clear").click()
    page.wait_for_function("() => document.querySelector('.own-editor textarea').value === ''")
    for mode in ("move", "explain"):
        page.evaluate("mode => location.hash = `mode=${mode}&cluster=kestrel`", mode)
        page.wait_for_selector(f".own-bench.{mode} .own-main textarea")
        for value in HOSTILE:
            page.fill(".own-main textarea", value)
            page.evaluate(looks.TWO_FRAMES)
    assert page.locator("article img").count() == 0 and page.evaluate("window.harmed") is False
    assert page.faults == [] and page.asked == []


def test_a_hostile_address_opens_the_page(visit):
    for value in ("".join(HOSTILE), "cluster=kestrel&time=" + HOSTILE[0], "%\\", "x" * 100_000):
        page = visit(f"{PAGE}#{value}", PHONE)
        page.wait_for_function("() => document.querySelector('.own-editor textarea')?.value")
        assert page.faults == [], value
        page.close()


def test_the_keyboard_alone_writes_a_script(write):
    page = write()
    field(page, "System").focus()
    page.keyboard.press("Tab")
    seen = []
    for _ in range(40):
        seen.append(page.evaluate("document.activeElement.name || document.activeElement.textContent"))
        if seen[-1] == "time":
            page.keyboard.press("ArrowDown")
        if page.evaluate("document.activeElement.matches('.own-editor textarea')"):
            break
        page.keyboard.press("Tab")
    assert {"gpu", "gpus", "nodes", "time", "program"} <= set(seen) and "Copy" in seen
    assert "time=2h" in page.url and "02:00:00" in script(page), "the focus stayed where it was"
    page.keyboard.type("sf/")  # keys that open the search elsewhere
    assert "sf/" in script(page) and not page.evaluate("document.getElementById('__search').checked")


@pytest.mark.parametrize("mode, label", [("check", "System"), ("move", "From"), ("explain", "System")])
def test_a_redrawn_control_keeps_the_focus(mode, label, visit):
    page = visit(f"{PAGE}#mode={mode}&cluster=puhti", DESK)
    field(page, label).focus()
    for _ in range(2):
        before = page.url
        page.keyboard.press("ArrowDown")
        page.wait_for_function("before => location.href !== before", arg=before)
        page.wait_for_function("() => document.activeElement.matches('.own-side select')")
    page.get_by_role("link", name="Check a script").press("Enter")
    page.wait_for_function("() => document.activeElement.matches('[aria-current=page]')")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")
    page.get_by_role("button", name="Copy", exact=True).press("Enter")
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Copy"


def test_it_fits_a_phone_in_both_colours_and_on_paper(write):
    page = write(width=PHONE, scheme="dark")
    faults = []
    for width in (PHONE, NARROWEST):
        looks.resize(page, width)
        faults += looks.overhanging(page, width) + looks.cut(page) + looks.axe(page, OF_COLOURS)
    page.evaluate("location.hash = 'mode=check&cluster=kestrel'")
    page.wait_for_selector("input[type=file]")
    page.fill(EDITOR, FAULTY.decode("latin-1"))
    page.wait_for_selector(".own-findings li")
    faults += looks.overhanging(page, NARROWEST) + looks.cut(page) + looks.axe(page)
    page.emulate_media(media="print", color_scheme="light")
    assert not page.is_visible(".own-side") and not page.is_visible("h2")
    assert page.is_visible(".own-editor pre") and page.is_visible(VERDICT)
    assert faults == [] and page.faults == []


def test_it_works_in_a_folder_without_a_request(visit, folder):
    page = visit(f"{PAGE}#cluster=kestrel&gpus=2", DESK, home=folder.as_uri())
    page.wait_for_function("() => document.querySelector('.own-editor textarea')?.value")
    page.hover(EDITOR)
    page.wait_for_function(JUDGED)
    page.evaluate("location.hash = 'mode=check&cluster=kestrel'")
    page.wait_for_selector("input[type=file]")
    page.fill(EDITOR, "#!/bin/bash\n#SBATCH --acount=x\n")
    page.wait_for_selector(f"{VERDICT}.refused")
    assert page.faults == [] and page.asked == []


def test_without_javascript_it_leads_to_the_scripts_of_each_system(site):
    soup = BeautifulSoup((site / PAGE).read_text(encoding="utf-8"), "html.parser")
    assert soup.select_one(".own-place").has_attr("hidden")
    links = {link["id"]: link["href"] for link in soup.select(".own-without [id^='cluster=']")}
    assert set(links) == {f"cluster={key}" for key in load_all()}
    for href in links.values():
        name, _, anchor = href.partition("#")
        assert f'id="{anchor}"' in (site / name).read_text(encoding="utf-8")


def test_each_systems_page_and_the_home_page_lead_here(site):
    for key, cluster in load_all().items():
        html = (site / "clusters" / f"{key}.html").read_text(encoding="utf-8")
        leads = cluster.running or cluster.status.successor in load_all()
        assert (f'href="../jobscript.html#cluster={key}"' in html) == leads
    assert '<a href="jobscript.html">' in (site / "index.html").read_text(encoding="utf-8").partition("<article")[2]


def test_every_module_of_the_engine_is_joined_once(site):
    """But for those that only the command or programs elsewhere need."""
    joined = [path for chunk in engine.chunks().values() for path in chunk.modules()]
    assert len(joined) == len(set(joined))
    files = {path for path in JS.rglob("*.js") if not path.name.endswith(".test.js")}
    of_pages = {path for entry in engine.PAGES.values() for path in ordered(entry)}
    elsewhere = {"after.js", "asks.js", "where.js", "commands.js", "api.js", "test_facts.js"}
    assert {path.name for path in files - set(joined) - of_pages} <= elsewhere
    for name in engine.chunks():
        assert (site / engine.FOLDER / "joined" / f"{name}.js").stat().st_size > 100, name


def test_a_verdict_and_all_it_knows_is_small(site):
    decides = (site / engine.FOLDER / "joined" / "verdict.js").read_text(encoding="utf-8")
    known = [facts.system(cluster) for cluster in load_all().values()]
    written = lean.script(f"jobscript.systems = {json.dumps(known)}")
    assert len(gzip.compress((decides + written).encode(), 9)) <= BYTES_OF_VERDICTS


def test_scripts_and_styles_are_minified_and_texts_are_kept(tmp_path):
    code = ";(jobscript => {\n  /** two */\n  const long = 'b' // three\n  f(\"http://x\", `a\n  b`, long)\n})(q)\n"
    small = lean.script(code)
    assert "\n" not in small.replace("`a\n  b`", "") and "http://x" in small and "`a\n  b`" in small
    assert "two" not in small and "long" not in small
    assert lean.style("/* a */\na { b: c; }\n@media x { d { e: f } }\n") == "a{b:c}@media x{d{e:f}}"
    html = "<nav>\n   <a>\n</a></nav><article><pre>\n  x</pre></article>"
    assert lean.page(html) == "<nav>\n<a>\n</a></nav><article><pre>\n  x</pre></article>"
    for name in (lean.FIRST, *lean.OTHERS):
        write_whole(tmp_path / "assets" / name, "")
    wrong = tmp_path / "assets" / "mine.js"
    write_whole(wrong, "const a = ;")
    with pytest.raises(BadInput, match="mine.js: this is not a script: unexpected ;"):
        lean.write(tmp_path)

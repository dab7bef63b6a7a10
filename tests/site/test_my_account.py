"""My account: a reader's own values in all scripts, kept in this browser, harmless in a shell, forgotten on demand."""

import json
import re

import pytest

from scripts.facts import load_all
from scripts.paths import ROOT
from scripts.site.after.my_account import data, of_system
from tests.site import looks
from tests.site.looks import DESK

PAGE = "clusters/kestrel.html"
MARKS = "[...document.querySelectorAll('mark.my-account')].map(mark => mark.textContent).filter(Boolean)"
SHOWN = "() => document.querySelector('.own-editor textarea')?.value.includes('--account=solar7')"
STORED = "localStorage.getItem('my-account')"
CODE = "[...document.querySelectorAll('article pre code')].map(code => code.textContent)"
HOSTILE = ['"><img src=x onerror=a()>', "$(rm -rf ~)", "`id`", "a b", "a;b", "-rf", "a\nb", "é", "x" * 201, "../../etc"]


# Each value into its field, and what is kept after that.
TRY = """given => given.map(([name, value]) => {
  const field = document.getElementById(`my-account-${name}`)
  const type = text => {
    field.value = text
    field.dispatchEvent(new Event('input', {bubbles: true}))
  }
  type(value)
  field.form.requestSubmit()
  const kept = JSON.parse(localStorage.getItem('my-account'))
  type('')
  if (kept) field.form.requestSubmit()
  return kept
})"""


def open_panel(page):
    page.get_by_role("button", name="My account").click()
    page.get_by_role("dialog", name="My account").wait_for()


def fill(page, **values):
    for label, value in values.items():
        page.get_by_label(label.replace("_", " ")).fill(value)
    page.get_by_role("button", name="Save").click()
    return page.locator(".my-account-said").inner_text()


def downloaded(page) -> str:
    with page.expect_download() as got:
        page.get_by_role("link", name="Download one_gpu.sh").first.click()
    assert got.value.suggested_filename == "one_gpu.sh"
    return got.value.path().read_text(encoding="utf-8")


def test_values_are_worn_kept_copied_downloaded_and_forgotten(visit, site):
    page = visit(PAGE, DESK)
    before = page.evaluate(CODE)
    assert page.evaluate(MARKS) == [] and page.evaluate("typeof myAccount.filled") == "undefined", "nothing is loaded"
    open_panel(page)
    assert looks.axe(page) == []
    said = fill(
        page, Project_or_account="solar7", User_name="jdoe", Directory_of_your_environment="/projects/solar7/env"
    )
    assert "place" in said
    page.get_by_role("button", name="Close").click()
    script = (ROOT / "snippets/kestrel/one_gpu.sh").read_text(encoding="utf-8").rstrip()
    wanted = script.replace("/projects/myproject/pytorch-gpu", "/projects/solar7/env").replace("myproject", "solar7")
    assert wanted in [code.rstrip() for code in page.evaluate(CODE)] and "myproject" not in "".join(page.evaluate(CODE))
    inline = page.evaluate("[...document.querySelectorAll('article :not(pre) > code')].map(code => code.textContent)")
    assert "jdoe@kestrel.hpc.nlr.gov" in " ".join(inline) and "--account=solar7" in inline
    assert "<user>" not in " ".join(inline)
    page.reload()
    page.wait_for_selector("mark.my-account", state="attached")
    assert looks.axe(page) == []
    block = page.locator("pre", has_text="--job-name=one-gpu").first
    block.hover()
    block.locator("xpath=..").get_by_role("button", name="Copy").first.click()
    page.get_by_text("Copied to clipboard").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").rstrip() == wanted
    assert downloaded(page) == f"{wanted}\n"
    assert page.faults == [] and page.asked == []
    # Elsewhere: a command that names no system is filled; a script of another system is not, though it looks the same.
    page.goto(page.url.replace(PAGE, "clusters/swift.html"))
    page.evaluate("myAccount.load()")
    assert page.evaluate(MARKS) == [] and "myproject" in "".join(page.evaluate(CODE))
    page.goto(page.url.replace("clusters/swift.html", "learn/install-software.html"))
    page.wait_for_selector("mark.my-account", state="attached")
    assert set(page.evaluate(MARKS)) <= {"solar7", "/projects/solar7/env", "jdoe"}
    # Paper stays as it is, and the screen has them again behind it.
    page.evaluate(f"addEventListener('beforeprint', () => printed = {MARKS})")
    page.pdf()
    assert page.evaluate("printed") == [] and page.evaluate(MARKS)
    page.goto(page.url.replace("learn/install-software.html", PAGE))
    page.wait_for_selector("mark.my-account", state="attached")
    open_panel(page)
    page.get_by_role("button", name="Clear all").click()
    assert page.evaluate(STORED) is None and page.evaluate(MARKS) == [] and page.evaluate(CODE) == before
    # What is read without JavaScript has neither the button nor a value.
    for file in (PAGE, "llms.txt", "clusters/kestrel.md"):
        text = (site / file).read_text(encoding="utf-8")
        assert "solar7" not in text and "my-account-open" not in text, file


def test_hostile_values_are_not_taken_nor_believed(visit):
    page = visit(PAGE)
    open_panel(page)
    given = [
        [name, f"/{value}" if name == "environment" else value]
        for value in HOSTILE
        for name in ("account", "user", "environment")
    ]
    for (name, value), taken in zip(given, page.evaluate(TRY, given), strict=True):
        # A field of one line takes no line break in, and what is left is harmless; so is a dash behind a slash.
        harmless = "\n" in value
        assert taken is None or harmless and taken == {"kestrel": {name: value.replace("\n", "")}}, (name, value)
    # What another page of the same host wrote there is checked, too; and what is no JSON is nothing.
    for stored in (json.dumps({"kestrel": {"account": "$(id)", "user": 7}, "nowhere": {"account": "x"}}), "{", "null"):
        page.evaluate("value => localStorage.setItem('my-account', value)", stored)
        page.reload()
        page.evaluate("myAccount.load()")
        assert page.evaluate("myAccount.values") == {} and page.evaluate(MARKS) == []
    assert page.faults == [] and page.locator("article img[src=x]").count() == 0


def test_accounts_have_their_systems_form(visit):
    page, third = visit("clusters/lumi.html"), visit("clusters/roihu.html")
    open_panel(page)
    assert "Nothing was saved" in fill(page, Project_or_account="def-me", User_name="a b")
    assert page.evaluate(STORED) is None
    wrong = page.locator(".my-account-wrong").all_inner_texts()
    assert wrong[0].startswith("This cannot be the project") and wrong[1].startswith("This cannot be the user name")
    # What is typed for one system is there after a look at another, and saved or rejected with that.
    choose = page.locator("#my-account-system").select_option
    choose("kestrel")
    assert "Nothing was saved" in fill(page, Project_or_account="solar7")
    assert page.locator("#my-account-system").input_value() == "lumi" and page.evaluate(STORED) is None
    assert page.get_by_label("Project or account").input_value() == "def-me"
    fill(page, User_name="", Project_or_account="project_462000998")
    assert json.loads(page.evaluate(STORED)).keys() == {"lumi", "kestrel"}
    choose("kestrel")
    fill(page, Project_or_account="")
    choose("lumi")
    assert "place" in fill(page, Project_or_account="project_462000999")
    assert json.loads(page.evaluate(STORED)) == {"lumi": {"account": "project_462000999"}}
    assert "project_462000123" not in "".join(page.evaluate(CODE))
    other = visit("clusters/roihu.html")
    open_panel(other)
    fill(other, Project_or_account="project_2009999")
    page.wait_for_function("() => myAccount.values.roihu")  # or its next Save would forget that
    third.wait_for_function("() => myAccount.values?.roihu")  # open since before anything was stored


@pytest.mark.nightly
def test_it_works_from_a_folder_and_without_storage(visit, folder):
    page = visit(PAGE, home=folder.as_uri(), fresh=True)
    page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw Error() }, configurable: true})")
    page.reload()
    assert looks.search(page, "cuda out of memory")
    page.keyboard.press("Escape")
    open_panel(page)
    assert "forgotten when you leave" in fill(page, Project_or_account="solar7")
    page.get_by_role("button", name="Close").click()
    assert "--account=solar7\n" in downloaded(page)
    assert "solar7" in page.evaluate(MARKS) and page.asked == [] and page.faults == []


@pytest.mark.parametrize(
    "name", [PAGE, "clusters/compare.html", "wrong/ended.html", "jobscript.html", "learn/your-gpu.html"]
)
def test_a_page_that_a_browser_has_saved_has_each_part_once(name, visit, folder):
    page, saved = visit(name, home=folder.as_uri()), (folder / name).with_name("saved.html")
    parts = page.locator(".my-account-open, .md-code__nav, main :is(label, select, input, small, tr, div:has(h2))")
    found = []
    for at in (folder / name, saved):
        page.goto(at.as_uri())
        page.keyboard.press("Tab")
        page.wait_for_timeout(700)
        found.append(parts.count())
        saved.write_text(page.content(), encoding="utf-8")
    saved.unlink()
    assert found[0] == found[1] > 1 and not [fault for fault in page.faults if "Cannot" in fault]


@pytest.mark.parametrize("key", sorted(load_all()))
def test_what_is_replaced_stands_in_the_systems_scripts(key):
    cluster = load_all()[key]
    found = of_system(cluster)
    texts = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "snippets" / key).glob("*.sh"))
    for name in ("account", "environment"):
        assert found[name] is None or found[name] in texts, name
    assert found["account"] == cluster.policy.sample_account
    assert found["hosts"] == [login.host for login in cluster.login]
    paths = " ".join(place.path for place in cluster.storage)
    assert found["places"] == sorted(set(re.findall(r"<\w+>", paths)) - {"<user>"})


def test_systems_that_run_come_first():
    running = [load_all()[key].running for key in json.loads(data().partition(" = ")[2])]
    assert running == sorted(running, reverse=True) and False in running


def test_beside_the_form_it_opens_on_its_system_and_says_where_values_go(visit):
    page = visit("jobscript.html#cluster=kestrel", DESK)
    page.wait_for_function("() => document.querySelector('.own-verdict')?.textContent.includes('is a placeholder')")
    open_panel(page)
    assert page.get_by_label("System").last.input_value() == "kestrel"
    said = fill(page, Project_or_account="solar7", Directory_of_your_environment="$HOME/.conda/envs/mine")
    assert "script on this page" in said
    assert json.loads(page.evaluate(STORED))["kestrel"]["environment"] == "$HOME/.conda/envs/mine"
    page.wait_for_function(SHOWN)


def test_what_the_form_wrote_shows_them_and_is_copied_as_it_is_seen(visit):
    page = visit("jobscript.html#cluster=kestrel", DESK)
    page.evaluate("value => localStorage.setItem('my-account', value)", json.dumps({"kestrel": {"account": "solar7"}}))
    page.reload()
    page.wait_for_function(SHOWN)
    page.get_by_role("button", name="Copy", exact=True).first.click()
    page.get_by_text("Copied").first.wait_for()
    shown = page.input_value(".own-editor textarea")
    assert "#SBATCH --account=solar7\n" in shown == page.evaluate("navigator.clipboard.readText()")
    assert "solar7 is your account" in page.inner_text(".own-verdict")
    page.press(".own-editor textarea", "Control+End")
    page.keyboard.insert_text("echo mine\n")
    page.evaluate("() => { myAccount.values = {}; dispatchEvent(new Event('my-account')) }")
    page.wait_for_function("() => document.querySelector('.own-editor textarea').value.includes('--account=myproject')")
    assert page.input_value(".own-editor textarea").endswith("echo mine\n"), "a reader's own line stays"
    assert page.evaluate(MARKS) == [] and "solar7" not in page.url

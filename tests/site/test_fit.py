"""Whether a model fits is answered in the page, by the function that the command uses."""

from scripts.engine.ask import ask
from tests.site.looks import DESK, axe

PAGE = "learn/choose-a-gpu.html"


def test_the_page_answers_as_the_command_does(visit):
    page = visit(PAGE, DESK)
    part = page.locator(".fit")
    part.get_by_label("Model or parameters").fill("Llama 3.3 70B")
    part.get_by_label("Use").select_option("lora")
    part.get_by_label("Precision").select_option("4-bit")
    part.get_by_label("checkpointing").check()
    (found,) = ask("fit", [], [{"model": "Llama 3.3 70B", "use": "lora", "precision": "4-bit", "checkpointing": True}])
    said = part.locator("[role=status]").inner_text()
    assert all(f"{each['name']}: {each['size']}" in said for each in found["parts"])
    assert part.locator("tbody tr").count() == len(found["places"])
    assert page.asked == [] and page.faults == [] and axe(page) == []
    (place, *_) = [each for each in found["places"] if each["system"] == "Roihu"]
    part.locator("tr", has_text=f"Roihu: {place['label']}").get_by_role("link").click()
    page.wait_for_url("**/jobscript.html*")
    assert f"cluster=roihu&gpu={place['gpu']}&gpus={place['gpus'] // place['nodes']}" in page.url


def test_what_it_cannot_answer_is_one_sentence(visit):
    part = visit(PAGE).locator(".fit")
    part.get_by_label("Batch").fill("0")
    assert part.locator("[role=status]").inner_text().startswith("Enter the batch as a whole number")
    assert not part.locator("table").is_visible()

"""A hook of MkDocs: each lesson leads to the previous and the next one of every learning path that it is part of."""

from scripts import learning


def on_page_context(context, page, config, nav):
    pages = {each.file.src_uri: each for each in nav.pages}
    context["steps"] = [
        step._replace(previous=pages.get(step.previous), next=pages.get(step.next))
        for step in learning.steps(page.file.src_uri)
    ]
    return context

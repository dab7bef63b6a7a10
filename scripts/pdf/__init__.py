"""The guide as PDF, read from the built site: chapters -> shapes -> links -> book -> printer -> tags -> offer.

Only mkdocs.yml's navigation and the built pages' <article> are read, so that the PDF outlives the generator.
"""

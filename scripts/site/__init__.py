"""Pages to site: check the pages, let MkDocs build them, take the steps after the build."""

"""Facts and records to Markdown: the tables, and all else that the tools write into `build/made/`."""

"""The guide's tools. Each runs as `python -m scripts.NAME`, each has --help."""

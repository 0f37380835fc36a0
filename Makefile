# Everything a person or a machine does with this repository. `make` lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help

.PHONY: help
help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

.PHONY: install
install: $(STAMP)  ## make the environment in .venv

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "simlab needs Python 3.11 or later; say which with: make install PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $(STAMP)

.PHONY: demo
demo: $(STAMP)  ## play a million Diamant games, print their table and make a page of it
	$(BIN)/simlab run diamant --players 5 --n 1e6 --out results/demo
	$(BIN)/simlab report results/demo -o demo.html
	@echo "Open it in a browser: $(CURDIR)/demo.html"

.PHONY: check
check: $(STAMP)  ## lint, format, types and import directions
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

.PHONY: test
test: $(STAMP)  ## run the test suite (at most 8 minutes)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal

.PHONY: validate
validate: $(STAMP)  ## run the full counts, coverages and fuzzing (long)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto -m validate -s

.PHONY: browser
browser: $(STAMP)  ## try every kind of page in Chromium (Debian: chromium, chromium-driver)
	@$(BIN)/python -m tests.browser.chromium
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto -m browser tests/browser

.PHONY: screenshots
screenshots: $(STAMP)  ## write pictures of every kind of page to results/screenshots
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.browser.screenshots

.PHONY: guides-test
guides-test: $(STAMP)  ## do what the guides say, and install the wheel as a user would (2 minutes)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto -m guides tests/test_guides.py tests/test_wheel.py

.PHONY: notebooks
notebooks: $(STAMP)  ## build the notebooks: run their scripts, write .ipynb files with outputs
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.notebooks.build

.PHONY: notebooks-test
notebooks-test: $(STAMP)  ## run every notebook from a clean kernel (2 minutes)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -m notebooks tests/notebooks

.PHONY: bench
bench: $(STAMP)  ## measure speed against scalar C, in one run
	$(BIN)/python -m benchmarks

.PHONY: golden
golden: $(STAMP)  ## write the golden transcripts anew; look at the diff
	$(BIN)/python -m tests.test_golden

.PHONY: format
format: $(STAMP)  ## format and fix what can be fixed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: clean
clean:  ## remove the environment, caches and results
	rm -rf $(VENV) results demo.html dist build benchmarks/limit/build .pytest_cache .mypy_cache .ruff_cache .hypothesis

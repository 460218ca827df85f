# Every target sets up .venv by itself: Python 3.11 or newer, git and make are all it needs.
# PYTHON=/path/to/python chooses another interpreter.

.DEFAULT_GOAL := help
.PHONY: help demo test check docs flows bench bench-all bench-peers soak test-agents clean

ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif
PY := $(BIN)/python

CANDIDATES := $(if $(PYTHON),"$(PYTHON)",python3.13 python3.12 python3.11 python3 python)
BENCHMARKS := hook mcp apply secrets instructions quality silence speed
BENCHMARKS_ALL := hook mcp apply secrets instructions "quality --all" "silence --all" "speed --all" "sensitivity --all"

# The tests on real data run where the data is; everywhere else they skip and say so.
ifndef ENGRAM_CORPUS
ifneq ($(wildcard ../shared/data),)
export ENGRAM_CORPUS := $(CURDIR)/../shared/data
endif
endif

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

help:
	@echo "make demo         install engram here and show it at work, in a throw-away store"
	@echo "make test         the tests"
	@echo "make check        style, types, layers, generated docs"
	@echo "make docs         write docs/cli.md, docs/errors.md and the skills of extensions/gemini anew"
	@echo "make flows        write what the conversations in tests/flows print now; read the diff"
	@echo "make bench        print the measurements, the quick ones (benchmarks/README.md)"
	@echo "make bench-all    print all of them, at full size"
	@echo "make bench-peers  put the same notes and questions to other memories, installed by pip into build/peers"
	@echo "make soak         the long tests at full size"
	@echo "make test-agents  the tests that drive the five real clients (installed by npm into .agents-clients)"
	@echo "make clean        remove what the other targets made"

demo: .venv/base
	@$(PY) -m engram demo

test: .venv/dev
	@test -n "$$ENGRAM_CORPUS" || echo "NOTE: ENGRAM_CORPUS names no folder of real data; the tests that read it will SKIP."
	$(PY) -m pytest -n 2 -m "not agents"

check: .venv/dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(BIN)/lint-imports --no-logo
	$(PY) docs/generate.py --check

docs: .venv/dev
	$(PY) docs/generate.py

bench: .venv/dev
	@$(call measure,$(BENCHMARKS))

bench-all: .venv/dev
	@$(call measure,$(BENCHMARKS_ALL))

bench-peers: .venv/dev
	@$(call measure,peers)

soak: .venv/dev
	ENGRAM_SOAK=200 $(PY) -m pytest -s -m soak

flows: .venv/dev
	ENGRAM_FLOWS_UPDATE=1 $(PY) -m pytest -q tests/flows

test-agents: .venv/dev
	$(PY) tests/agents/install.py
	$(PY) -m pytest -n 2 -m agents tests/agents

clean:
	rm -rf .venv .agents-clients build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .grimp_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# -- the environment; what is installed follows pyproject.toml -------------------------------------------------------

.venv/base: pyproject.toml
	@$(make-venv)
	$(PY) -m pip install --quiet -e .
	@touch $@

.venv/dev: pyproject.toml
	@$(make-venv)
	$(PY) -m pip install --quiet -e '.[dev]'
	@touch .venv/base $@

define make-venv
if ! $(PY) -c '' 2>/dev/null; then \
  for python in $(CANDIDATES); do \
    if "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
      echo "setting up .venv with $$("$$python" --version)"; \
      exec "$$python" -m venv --clear .venv; \
    fi; \
  done; \
  echo "engram needs Python 3.11 or newer with its venv module; none of these is: $(subst ",,$(CANDIDATES))" >&2; \
  echo "install one (on Debian and Ubuntu: apt install python3 python3-venv), or name one: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; \
  exit 1; \
fi
endef

# Each is run whatever the others gave; JSON=folder has each write its rows there instead of printing its table.
define measure
failed=""; test -z "$(JSON)" || mkdir -p "$(JSON)"; \
for name in $(1); do \
  echo "== $$name"; \
  if test -n "$(JSON)"; then $(PY) -m benchmarks.$$name --json >"$(JSON)/$${name%% *}.json"; \
  else $(PY) -m benchmarks.$$name; fi || failed="$$failed $${name%% *}"; \
done; \
test -z "$$failed" || { echo "over a limit, or broken:$$failed" >&2; exit 1; }
endef

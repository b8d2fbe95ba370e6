# Everything here works in a fresh clone: the environment .venv is made when it is missing, and renewed when
# pyproject.toml has changed.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
# hundreds of processes start in the tests: what Python has compiled is kept for the next one, whatever is set outside
export PYTHONDONTWRITEBYTECODE :=
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo serve studio style test test-wide test-browser test-postgres test-peers test-research test-ray lint build soak bench test-native

demo: $(READY)
	$(BIN)/python -m rulewright.demo

serve: $(READY)
	$(BIN)/rulewright serve

studio: $(READY)
	$(BIN)/rulewright studio yspahan

# the types are looked at by one of the tests, beside the others
test: $(READY) style
	$(BIN)/pytest
	@echo "Left out: the rulesets beyond a sample (make test-wide), tests in a real browser (make test-browser), with PostgreSQL (make test-postgres), of examples beside other engines (make test-peers), against OpenSpiel, PettingZoo and Gymnasium (make test-research), on Ray (make test-ray), of compiled engines (make test-native), long runs (make soak)."

# what `make test` does with some rulesets, with all the others
test-wide: $(READY)
	$(BIN)/pytest -m 'wide and not soak and not native' --ignore tests/research

# these need Debian's packages chromium-headless-shell (or chromium) and postgresql, and fail without them
test-browser: $(READY)
	$(BIN)/pytest -n 2 -m browser tests/web tests/studio || \
		{ echo "what failed is run once more, one by one"; $(BIN)/pytest -n 1 -m browser --last-failed --last-failed-no-failures none tests/web tests/studio; }

test-postgres: $(READY)
	$(BIN)/pytest -n 1 -m postgres tests/web

# the engines that the examples are compared with come with the extra
test-peers: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,peers]'
	$(BIN)/pytest -n 2 -m 'peers and not soak' tests/peers

# OpenSpiel, PettingZoo and Gymnasium come with the extra
test-research: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,research]'
	$(BIN)/pytest -n 1 -m 'research and not soak' tests/research tests/test_docs.py

# Ray is large, so only these tests install it
test-ray: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,ray]'
	$(BIN)/pytest -n 1 -m ray tests/runs

lint: style
	$(BIN)/mypy

style: $(READY)
	$(BIN)/ruff check .
	$(BIN)/black --check --quiet .
	$(BIN)/rulewright fmt --check

build: $(READY)
	$(BIN)/rulewright build --all

soak: $(READY)
	$(BIN)/pytest -m soak

bench: $(READY)
	$(BIN)/rulewright bench

# needs a C compiler and Python's headers; compiled engines are kept in the checkout
test-native: export RULEWRIGHT_CACHE = $(CURDIR)/.rulewright-cache
test-native: $(READY)
	$(BIN)/pytest -m native --ignore tests/research

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it with PYTHON=…"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

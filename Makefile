# Everything happens in .venv, which is made and kept up to date as needed.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Tests run beside each other; threads of linear algebra would only wait for one another.
export OPENBLAS_NUM_THREADS := 1

.PHONY: help demo studio docs near test test-long test-all check format lint types web web-check bench bench-quick dist oldest fuzz clean

help:  ## what there is
	@sed -n 's/^\([a-z][a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 16

demo: .venv/.run  ## two sample pictures become demo.gif
	$(BIN)/lightsanim make samples/sun.png samples/moon.png -o demo.gif

studio: .venv/.studio  ## the page on which animations are made, with two samples
	$(BIN)/lightsanim studio samples/face.png samples/skull.png

docs: .venv/.docs  ## the documentation, in site/; also opened as files, without a server
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs --quiet build --strict

# The last commit, or another with which the working tree is compared.
SINCE ?= HEAD

near: .venv/.test  ## the quick tests near what has changed, and those over tables
	$(BIN)/python tests/tools/near.py $(SINCE)

test: .venv/.test  ## the tests but for those that take long
	$(BIN)/python -m pytest --quiet --numprocesses auto

test-long: docs  ## tests that take long or see built documentation, and what the last `make test` skipped
	$(BIN)/python -m pytest --quiet --numprocesses auto -m long

test-all: test test-long  ## all tests

check: format lint types test  ## all that must be green

format: .venv/.dev  ## is the code formatted?
	$(BIN)/ruff format --check

lint: .venv/.dev  ## ruff's opinion
	$(BIN)/ruff check

types: .venv/.dev  ## mypy's opinion
	$(BIN)/mypy

web: node_modules/.package-lock.json  ## bundles of pages' scripts and styles, from web/; needs Node
	npm run --silent build

web-check: node_modules/.package-lock.json  ## types, lint and format of pages' scripts, and their tests without a page
	npm run --silent check
	npm test --silent

node_modules/.package-lock.json: package-lock.json
	@command -v npm >/dev/null || { echo 'make $(MAKECMDGOALS) needs Node 20 or later, with npm: https://nodejs.org'; exit 1; }
	npm ci --silent --ignore-scripts --no-audit --no-fund

bench: .venv/.bench  ## measure everything; writes benchmarks/results.md and its plot
	$(BIN)/python -m benchmarks

bench-quick: .venv/.bench  ## measure small sizes only, to see that all can be measured
	$(BIN)/python -m benchmarks --quick

dist: .venv/.dev  ## wheel and sdist in dist/, checked, and tried in empty environments
	rm -rf dist
	$(BIN)/uv build --quiet  # the wheel from the sdist
	$(BIN)/twine check --strict dist/*
	$(BIN)/python tests/tools/packages.py

oldest: .venv-oldest/.test  ## the tests with the lowest versions that pyproject.toml allows
	.venv-oldest/bin/python -m pytest --quiet --numprocesses auto

test-3.%: .venv-3.%/.test  ## the tests with another Python, as in make test-3.13
	.venv-3.$*/bin/python -m pytest --quiet --numprocesses auto

# Seconds for each of some 25 targets; or also FUZZ="document metadata" for two of them.
FUZZ_SECONDS ?= 10
FUZZ_FILES ?= 2000

fuzz: .venv/.fuzz  ## hostile bytes for every reader, for some minutes; what crashed is in .fuzz/found
	PYTHONPATH=tests $(BIN)/python -m fuzz --seconds $(FUZZ_SECONDS) $(FUZZ)
	PYTHONPATH=tests $(BIN)/python -m fuzz seen --count $(FUZZ_FILES)

clean:  ## removes .venv and all that was built
	rm -rf .venv .venv-* .fuzz dist site

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.run: pyproject.toml | .venv/bin/python
	$(PIP) --editable .
	touch $@

.venv/.studio: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[studio]'
	touch $@ .venv/.run

.venv/.test: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[test]'
	touch $@ .venv/.run

.venv/.docs: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[docs]' || \
	  { echo "make docs needs MkDocs: pip install 'lightsanim[docs]'"; exit 1; }
	touch $@ .venv/.run

.venv/.bench: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[bench]'
	touch $@ .venv/.run

.venv/.fuzz: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[test,fuzz]' || \
	  { echo 'make fuzz needs atheris, which has no build for this Python; try PYTHON=python3.11'; exit 1; }
	touch $@ .venv/.test .venv/.run

.venv/.dev: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[test,dev]'
	touch $@ .venv/.test .venv/.run

.venv-oldest/.test: pyproject.toml .venv/.dev
	$(BIN)/uv venv --quiet --clear --python $(PYTHON) .venv-oldest
	$(BIN)/uv pip install --quiet --python .venv-oldest --resolution lowest-direct --editable '.[test]'
	touch $@

.venv-3.%/.test: pyproject.toml .venv/.dev
	$(BIN)/uv venv --quiet --clear --python 3.$* .venv-3.$*
	$(BIN)/uv pip install --quiet --python .venv-3.$* --editable '.[test]'
	touch $@

.PRECIOUS: .venv-3.%/.test

# Everything happens in .venv, which is made and kept up to date as needed.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help demo studio docs test test-all check format lint types bench dist oldest coverage fuzz mutants clean

help:  ## what there is
	@sed -n 's/^\([a-z][a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 16

demo: .venv/.run  ## two sample pictures become demo.gif
	$(BIN)/lightsanim make samples/sun.png samples/moon.png -o demo.gif

studio: .venv/.studio  ## the page on which animations are made, with two samples
	$(BIN)/lightsanim studio samples/face.png samples/skull.png

docs: .venv/.docs  ## the documentation, in site/; also opened as files, without a server
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs --quiet build --strict

test: .venv/.test  ## the tests
	$(BIN)/python -m pytest --quiet --numprocesses auto

# With what the notebooks need.
test-all: test .venv/.docs  ## the tests, then those that take long
	$(BIN)/python -m pytest --quiet --numprocesses auto -m long

check: format lint types test  ## all that must be green

format: .venv/.dev  ## is the code formatted?
	$(BIN)/ruff format --check

lint: .venv/.dev  ## ruff's opinion
	$(BIN)/ruff check

types: .venv/.dev  ## mypy's opinion
	$(BIN)/mypy

bench: .venv/.bench  ## measure everything; writes benchmarks/results.md and its plot
	$(BIN)/python -m benchmarks

dist: .venv/.dev  ## wheel and sdist in dist/, checked, and tried in empty environments
	rm -rf dist
	$(BIN)/uv build --quiet  # the wheel from the sdist
	$(BIN)/twine check --strict dist/*
	$(BIN)/python tests/tools/packages.py

oldest: .venv-oldest/.test  ## the tests with the lowest versions that pyproject.toml allows
	.venv-oldest/bin/python -m pytest --quiet --numprocesses auto

test-3.%: .venv-3.%/.test  ## the tests with another Python, as in make test-3.13
	.venv-3.$*/bin/python -m pytest --quiet --numprocesses auto

# Without the faults: a full disk is one for what counts the lines, too.
coverage: .venv/.dev  ## the tests, and the lines that they leave out
	$(BIN)/python -m pytest --quiet --numprocesses auto --ignore tests/test_faults.py -m "long or not long" \
	  --cov --cov-report term-missing:skip-covered

# Seconds for each of some 25 targets; or also FUZZ="document metadata" for two of them.
FUZZ_SECONDS ?= 10
FUZZ_FILES ?= 2000

fuzz: .venv/.fuzz  ## hostile bytes for every reader, for some minutes; what crashed is in .fuzz/found
	PYTHONPATH=tests $(BIN)/python -m fuzz --seconds $(FUZZ_SECONDS) $(FUZZ)
	PYTHONPATH=tests $(BIN)/python -m fuzz seen --count $(FUZZ_FILES)

mutants: .venv/.mutants  ## small changes of the mathematics, and which of them no test notices
	$(BIN)/mutmut run
	$(BIN)/mutmut results

clean:  ## removes .venv and all that was built
	rm -rf .venv .venv-* .fuzz mutants dist site

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

.venv/.mutants: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[test,mutants]'
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

# Everything happens in .venv, which is made and kept up to date as needed.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test check format lint types samples bench mutants clean

demo: .venv/.run  ## two sample pictures become demo.gif
	$(BIN)/lightsanim make samples/sun.png samples/moon.png -o demo.gif

test: .venv/.test  ## the tests
	$(BIN)/python -m pytest --quiet --numprocesses auto

check: format lint types test  ## all that must be green

format: .venv/.dev
	$(BIN)/ruff format --check

lint: .venv/.dev
	$(BIN)/ruff check

types: .venv/.dev
	$(BIN)/mypy

samples: .venv/.run  ## draw the sample pictures again
	$(BIN)/python samples/make_samples.py

bench: .venv/.bench  ## measure everything; writes benchmarks/results.md and its plot
	$(BIN)/python -m benchmarks

mutants: .venv/.mutants  ## are the tests any good? which changes of the code they do not notice
	$(BIN)/python -m mutation

clean:
	rm -rf .venv

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.run: pyproject.toml | .venv/bin/python
	$(PIP) --editable .
	touch $@

.venv/.test: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[test]'
	touch $@ .venv/.run

.venv/.bench: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[bench]'
	touch $@ .venv/.run

.venv/.mutants: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[test,mutants]'
	touch $@ .venv/.test .venv/.run

.venv/.dev: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[test,dev]'
	touch $@ .venv/.test .venv/.run

# make ask    sets up .venv and asks the example report a question
# make quick  runs the tests that need neither a model nor a browser, on the source tree
# make test   sets up .venv-dev with everything and runs lint, types and tests (`.ci/run` calls it)

PYTHON ?= python3
QUESTION ?= How many passengers did the ferries carry in 2025?

.PHONY: ask quick test lint types clean

ask: .venv/ready
	.venv/bin/citewell ask examples/annual-report.pdf "$(QUESTION)"

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --upgrade pip
	.venv/bin/python -m pip install --quiet .
	touch $@

# torch comes first and pinned: asked for by another package, pip would take a build with gigabytes of GPU libraries.
.venv-dev/ready: pyproject.toml
	$(PYTHON) -m venv .venv-dev
	.venv-dev/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	.venv-dev/bin/python -m pip install --quiet torch==2.13.0
	.venv-dev/bin/python -m pip install --quiet --editable ".[all]" --group dev
	touch $@

# Without PYTHONDONTWRITEBYTECODE, where it is set: compiling the tests would take half of the time.
quick: .venv-dev/ready
	PYTHONDONTWRITEBYTECODE= PYTHONPATH=src .venv-dev/bin/python -m pytest --quick --quiet $(ARGS)

test: lint types
	.venv-dev/bin/python -m pytest $(ARGS)

lint: .venv-dev/ready
	.venv-dev/bin/ruff check .
	.venv-dev/bin/ruff format --check .

types: .venv-dev/ready
	.venv-dev/bin/mypy
	.venv-dev/bin/basedpyright

clean:
	rm -rf .venv .venv-dev .mypy_cache .ruff_cache .pytest_cache .hypothesis

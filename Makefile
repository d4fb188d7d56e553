# The chores of dev.py under the names that make users expect.
PYTHON ?= python3

.PHONY: setup example test lint types fmt pages ci clean

setup example test lint types fmt pages clean:
	@$(PYTHON) dev.py $@

ci:
	@bash .ci/run

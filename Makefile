# Ligne de Vue. `make` alone lists the commands.
# Everything is installed inside this directory: .venv (packages), .jupyter (Jupyter's own files), .browsers.

SHELL := /bin/sh
.DEFAULT_GOAL := help

export HOST ?= 127.0.0.1
export PORT ?= 8866
# Processes that run the tests, each a file at a time: three on two cores, because a page waits for its server.
JOBS ?= 3

# Jupyter and IPython neither read nor write the visitor's home directory.
JUPYTER := $(CURDIR)/.jupyter
export JUPYTER_CONFIG_DIR := $(JUPYTER)/config
export JUPYTER_DATA_DIR := $(JUPYTER)/data
export JUPYTER_RUNTIME_DIR := $(JUPYTER)/runtime
export JUPYTERLAB_SETTINGS_DIR := $(JUPYTER)/lab/user-settings
export JUPYTERLAB_WORKSPACES_DIR := $(JUPYTER)/lab/workspaces
export JUPYTER_PREFER_ENV_PATH := 1
export IPYTHONDIR := $(JUPYTER)/ipython
export NPM_CONFIG_CACHE := $(JUPYTER)/npm
export PLAYWRIGHT_BROWSERS_PATH := $(CURDIR)/.browsers
export PYTHONNOUSERSITE := 1
export PYTHONUTF8 := 1
# Whatever the machine says: modules are compiled once, names are in one order, nothing of ours goes through a proxy.
export PYTHONHASHSEED ?= 0
# Small matrices alone are multiplied here; threads that wait for each other took half of what drawing a ground took.
export OPENBLAS_NUM_THREADS ?= 1
export NO_PROXY := 127.0.0.1,localhost
export no_proxy := 127.0.0.1,localhost
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE JUPYTER_PATH JUPYTER_CONFIG_PATH

BIN := .venv/bin
# nbval, which one test asks of a pytest of its own, takes seconds of each process's start (scripts/ci.py).
PYTEST = $(BIN)/python -m pytest -p no:nbval -n "$(JOBS)" --dist loadfile --no-loadscope-reorder

.PHONY: help setup ready run test check lab bench bench-full load lint format lock wheel clean

help:
	@printf '%s\n' \
	  'make run     installer et servir la page sur http://127.0.0.1:8866/' \
	  '             (PORT=9000 pour un autre port, HOST=0.0.0.0 pour le réseau local)' \
	  'make test    installer ce que demandent les tests, navigateurs, PostgreSQL et nginx compris, et tout vérifier' \
	  '             (PYTEST_ARGS="tests/unit -x" pour une partie ; GAME=asl_sk pour un jeu, en une minute, sans navigateur)' \
	  'make check   en une minute et demie, avant chaque enregistrement : style, types, cas de référence, tests courts' \
  'make lab     ouvrir les cahiers dans JupyterLab (LAB_ARGS=… pour ses options)' \
	  'make bench   mesurer ce qui tient en cinq minutes (BENCH_ARGS=memory pour un sujet) ; make bench-full : tout' \
	  'make load    essayer avec beaucoup de visiteurs à la fois' \
	  'make lint    ruff et mypy ; make format met le code en forme' \
	  'make lock    renouveler requirements.lock (UPGRADE=1 : versions les plus récentes)' \
	  'make wheel   construire le paquet dans dist/' \
	  'make clean   retirer tout ce que make a installé ou produit'

setup:
	@sh scripts/setup.sh

# What only the tests need; `make test` asks for it too.
ready: setup
	@for need in browser postgres nginx deployment; do $(BIN)/python scripts/$$need.py >/dev/null || exit 1; done

run: setup
	@exec $(BIN)/ldv serve --host "$$HOST" --port "$$PORT" $(if $(PUBLIC_URL),--public-url "$$PUBLIC_URL")

ifdef GAME
test: setup
	@exec $(PYTEST) --game "$(GAME)" $(PYTEST_ARGS)
else
test: setup
	@browser=$$($(BIN)/python scripts/browser.py) || exit 1; \
	postgres=$$($(BIN)/python scripts/postgres.py) || exit 1; \
	nginx=$$($(BIN)/python scripts/nginx.py) || exit 1; \
	$(BIN)/python scripts/deployment.py || exit 1; \
	$(BIN)/python -m compileall -q tutor widgets tests || exit 1; \
	LDV_CHROMIUM="$$browser" LDV_POSTGRES="$$postgres" LDV_NGINX="$$nginx" exec $(PYTEST) $(PYTEST_ARGS)
endif

lab: setup
	@exec $(BIN)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) \
	  $(if $(filter-out file,$(origin PORT)),--port "$$PORT") $(LAB_ARGS) notebooks

bench: setup
	@browser=$$($(BIN)/python scripts/browser.py) || exit 1; \
	LDV_CHROMIUM="$$browser" exec $(BIN)/python -m bench $(BENCH_ARGS)

bench-full:
	@$(MAKE) --no-print-directory bench BENCH_ARGS="--full $(BENCH_ARGS)"

load: setup
	@firefox=$$($(BIN)/python scripts/firefox.py) || exit 1; \
	LDV_FIREFOX="$$firefox" exec $(BIN)/python -m pytest -m load tests/load $(PYTEST_ARGS)

check: setup
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy --strict
	@exec $(PYTEST) -q -m "not load and not slow and not served" \
	  tests/unit tests/games $(PYTEST_ARGS)

lint: setup
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy --strict

format: setup
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

lock: setup
	@exec $(BIN)/python scripts/lock.py $(if $(UPGRADE),--upgrade)

wheel: setup
	@exec $(BIN)/python -m build --wheel --no-isolation --outdir dist

clean:
	@rm -rf .venv .jupyter .browsers .rapports .setup.lock dist build .pytest_cache .hypothesis .mypy_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

#!/bin/sh
# Make .venv what requirements.lock and pyproject.toml ask for; or run another script that needs nothing but Python.
# This file finds Python (the newest one, 3.11 at least) and setup.py, or the script that is given, does the work.
set -eu
cd "$(dirname "$0")/.."
script=${1:-scripts/setup.py}

# The usual case: all is up to date, and the environment's own Python says so.
if [ "$script" = scripts/setup.py ] && [ -x .venv/bin/python ] && .venv/bin/python -I -X utf8 scripts/setup.py --is-current 2>/dev/null; then
  exit 0
fi

best=
newest=310
for name in python3.20 python3.19 python3.18 python3.17 python3.16 python3.15 python3.14 python3.13 python3.12 \
  python3.11 python3 python; do
  path=$(command -v "$name" 2>/dev/null) || continue
  # A name may be found and still not run (a version manager's empty shim), or be an unfinished version.
  version=$("$path" -I -c 'import sys
v = sys.version_info
print(v[0] * 100 + v[1] if v[3] == "final" else 0)' 2>/dev/null) || continue
  case $version in '' | *[!0-9]*) continue ;; esac
  if [ "$version" -gt "$newest" ]; then
    best=$path
    newest=$version
  fi
done

if [ -z "$best" ]; then
  echo "Il manque Python 3.11 ou plus récent : installez-le (https://www.python.org/downloads/), puis recommencez." >&2
  exit 1
fi
exec "$best" -I -X utf8 "$script"

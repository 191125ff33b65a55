#!/usr/bin/env bash
# Fits the sentence encoder of the crisis check and writes corpora/crisis/model: npm run fit:crisis [-- --passes 2 --seed 1].
# Needs Python 3.11 or newer; installs into a folder of its own (1.5 GB), goes on from the last checkpoint of the same texts, and takes about an hour
# on two cores.
set -euo pipefail
cd "$(dirname "$0")"
if ! command -v python3 > /dev/null; then
  echo 'Fitting needs python3, which is not installed. Nothing else does.' >&2
  exit 1
fi
[ -d venv ] || python3 -m venv venv
venv/bin/pip install --quiet --no-deps --requirement requirements.txt
exec venv/bin/python -u fit.py "$@"

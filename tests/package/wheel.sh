#!/usr/bin/env bash
# wheel.sh SOURCE BUILD WORK: makes the wheel of BUILD without a network, installs it in a new environment that sees
# Debian's NumPy, and uses the package and the program there.
set -euo pipefail
source=$1 build=$2 work=$3
python=/usr/bin/python3

skip() { printf 'skipped: %s\n' "$*"; exit 77; }
for module in build setuptools wheel venv ensurepip numpy; do
  "$python" -c "import $module" 2>/dev/null ||
    skip "Python has no $module; packages.txt, packages-dev.txt and packages-extra.txt have its package"
done

rm -rf "$work"
mkdir -p "$work"
export PIP_NO_INDEX=1 SCREE_BUILD=$build
"$python" -m build --wheel --no-isolation --outdir "$work" "$source" >"$work/build.log" 2>&1 ||
  { cat "$work/build.log"; exit 1; }
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install --quiet "$work"/scree-*.whl
cd "$work"
venv/bin/scree --version
venv/bin/scree run "$source/scenes/bouncing.yaml" --no-pictures --quiet
PYTHONPATH='' venv/bin/python -B -c '
import pathlib, sys, scree
assert scree.__file__.startswith(sys.prefix), scree.__file__
scenes = pathlib.Path(sys.prefix) / "share/scree/scenes"
sim = scree.Simulation(scenes / "incline.yaml")
sim.step(10)
assert sim.met
run = scree.open("out/bouncing")
assert run.status == "done" and len(run.frames) > 1'

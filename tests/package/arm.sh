#!/usr/bin/env bash
# arm.sh SOURCE BUILD WORK: a cross compiler for ARM (aarch64) accepts the kernels with scalar lanes, core and math.
# Headers of libraries are this machine's.
set -euo pipefail
source=$1 build=$2
compiler=aarch64-linux-gnu-g++
if ! command -v "$compiler" >/dev/null; then
  printf 'skipped: there is no %s; apt install g++-aarch64-linux-gnu\n' "$compiler"
  exit 77
fi
cd "$source"
{ find "$build/src" -name scalar.cpp; find src/{core,math,*/kernels,*/*/kernels} -name '*.cpp'; } |
  xargs -P "$(nproc)" -n 1 "$compiler" -std=c++20 -fsyntax-only -ffp-contract=off -Iinclude -Isrc \
    -isystem /usr/include/eigen3 -idirafter /usr/include

#!/usr/bin/env bash
# Runs the example for GPUs that library_test.sh has built in folder $1: it says what the one for the CPU says. Words in
# SLOTSCAPE_RUN_UNDER come before it, such as compute-sanitizer. Without a device it is skipped (exit status 77).
set -euo pipefail

read -ra before <<< "${SLOTSCAPE_RUN_UNDER:-}"
said=$1/sensors_cuda.txt
"${before[@]}" "$1/build/sensors_cuda" > "$said" 2>&1 || {
  cat "$said"
  ! grep -qE 'no CUDA-capable device|driver version is insufficient' "$said" || exit 77
  exit 1
}
cat "$said"
grep -v '^=====' "$said" | cmp - "$1/sensors.txt"  # those are compute-sanitizer's
"${before[@]}" "$1/build/types_cuda"
"${before[@]}" "$1/build/coming_from_cuda"
"${before[@]}" "$1/build/ranks_cuda"
echo "library_cuda_test: passed"

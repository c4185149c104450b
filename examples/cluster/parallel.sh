#!/bin/sh
# One machine, or several by ssh (parallel's --sshloginfile), with GNU parallel: parallel.sh N.
# A shard that fails, or whose process is killed, is begun again up to three times.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export STUDY OUT RULEBENCH="${RULEBENCH:-rulebench}"
mkdir -p "$OUT"
seq "$1" | parallel --retries 4 --joblog "$OUT/joblog" --halt never "$here/shard.sh" {} "$1"

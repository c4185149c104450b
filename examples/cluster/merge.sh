#!/bin/sh
# Joins the shards in OUT, once all of them are complete: merge.sh FILE. It refuses shards that are missing,
# double, not complete, or of another study.
set -eu
exec ${RULEBENCH:-rulebench} sim merge "${OUT:?the folder of the shards}"/shard-*.jsonl --out "$1"

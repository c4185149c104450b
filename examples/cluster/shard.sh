#!/bin/sh
# Plays one shard of a study: shard.sh I N. What to play is in STUDY, where shards are kept in OUT.
# It may be called again at any time, after it was killed too: it goes on where the file ends. While
# another one still writes the same file, it waits.
set -eu
exec ${RULEBENCH:-rulebench} sim ${STUDY:?what to play, such as "smalltricks --games 20000"} \
    --shard "$1/$2" --out "${OUT:?the folder of the shards}/shard-$1-of-$2.jsonl" --resume > /dev/null

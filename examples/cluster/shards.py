"""Shards as Ray tasks: shards.py N, with STUDY and OUT as shard.sh reads them.

A task whose worker or node dies is begun again by Ray, one whose process is killed too.
"""

import os
import subprocess
import sys
from pathlib import Path

import ray

HERE = Path(__file__).resolve().parent


@ray.remote(max_retries=3, retry_exceptions=True)
def shard(nth: int, of: int, what: dict[str, str]) -> int:
    command = [str(HERE / "shard.sh"), str(nth), str(of)]
    subprocess.run(command, check=True, env=os.environ | what, stdout=subprocess.DEVNULL)
    return nth


def main() -> None:
    of = int(sys.argv[1])
    what = {name: os.environ[name] for name in ("STUDY", "OUT", "RULEBENCH", "PATH") if name in os.environ}
    Path(what["OUT"]).mkdir(parents=True, exist_ok=True)
    ray.init(address=os.environ.get("RAY_ADDRESS"))
    waiting = [shard.remote(nth, of, what) for nth in range(1, of + 1)]
    while waiting:
        done, waiting = ray.wait(waiting)
        print(f"shard {ray.get(done[0])} of {of} is complete", flush=True)


if __name__ == "__main__":
    main()

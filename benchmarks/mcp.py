"""How soon `engram mcp` gives its first reply: as a ratio to importing the SDK, which is most of it.

Run as ``python -m benchmarks.mcp [ROUNDS] [--json]``. Pairs are interleaved, so that a busy machine slows both; the
ratio is of medians. The client's opening message is written at once; the clock stops at the reply's line.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.table import Row, show

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 2.0
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}
OPENINGS: Mapping[str, Mapping[str, object]] = {
    "initialize": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}
    },
    "server/discover": {"_meta": META},
    "tools/list": {"_meta": META},
}  # fmt: skip
IMPORT = "import mcp.server.lowlevel, mcp.server.stdio"


def imported(env: Mapping[str, str]) -> float:
    """Returns how long an interpreter takes that imports the SDK's server and does nothing with it."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", IMPORT], env=env, check=True)
    return time.perf_counter() - start


def answered(method: str, env: Mapping[str, str]) -> float:
    """Returns how long the server takes from its start to its first reply. Raises AssertionError where that is none."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": OPENINGS[method]}
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "engram", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(request).encode() + b"\n")
        server.stdin.flush()
        reply = json.loads(server.stdout.readline())
        taken = time.perf_counter() - start
        server.stdin.close()
        server.stdout.read()
    assert "result" in reply, reply
    return taken


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the ratios; 1 where one is over the limit."""
    arguments = sys.argv[1:] if argv is None else argv
    rounds = next((int(one) for one in arguments if one.isdigit()), 8)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        env = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONPYCACHEPREFIX": str(Path(folder, "bytecode")),
            "ENGRAM_HOME": str(Path(folder, "home")),
        }
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        imported(env)  # compiles what isn't
        for method in OPENINGS:
            answered(method, env)
            pairs = [(imported(env), answered(method, env)) for _ in range(rounds)]
            bare, whole = (statistics.median(side) for side in zip(*pairs, strict=True))
            rows.append({
                "first reply to": method, "ms": round(whole * 1000), "import of the SDK, ms": round(bare * 1000),
                "times the import": round(whole / bare, 2), "limit": LIMIT, "over": whole / bare > LIMIT,
            })  # fmt: skip
    show(rows, arguments)
    return int(any(row["over"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""The decode rows: a whole step of a Qwen3-shaped model with random weights at 512 tokens of context, ours by the
program grout, the peer by torch.compile with CUDA graphs, before and after ours."""
import dataclasses
import json
import subprocess

import timing
from report import Bar, Result

CONTEXT = 512


@dataclasses.dataclass(frozen=True)
class Decode:
    size: str
    least: float

    @property
    def name(self):
        return f"decode_qwen3_{self.size}"


DECODES = (Decode("4b", 1.25), Decode("0.6b", 1.1))


def new_result(spec):
    return Result(suite="decode", name=spec.name, shape=f"{CONTEXT} tokens of context", dtype="bf16", unit="tok/s",
                  peer_name="torch.compile + CUDA graphs", bar=Bar("ratio_at_least", spec.least))


def run_grout(bench, spec, steps, rounds):
    """Seconds of one step by our program: the median of its rounds. It makes its weights once."""
    command = [bench.grout, "bench", "--random", f"qwen3-{spec.size}", "--device", "cuda", "--context", str(CONTEXT),
               "--tokens", str(steps), "--rounds", str(rounds), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"grout bench ended with {done.returncode}: {done.stderr.strip()[-250:]}")
    return 1.0 / json.loads(done.stdout.splitlines()[-1])["tokens_per_second"]


def measure_decode(bench, spec):
    if not bench.grout:
        raise RuntimeError("the program grout was not named (--grout)")
    from torch_decoder import DecodePeer

    steps, rounds = (64, 1) if bench.is_quick else (200, 3)
    peer = DecodePeer(spec.size, CONTEXT)
    before = [peer.run(steps) for _ in range(rounds)]
    ours = run_grout(bench, spec, steps, rounds)
    after = [peer.run(steps) for _ in range(rounds)]
    result = new_result(spec)
    rate = bench.copy_rate()
    result.limit, result.limit_name = rate / peer.weight_bytes(), "weights read once at the rate of a device copy"
    result.set_times(1.0, timing.Times([ours] * (2 * rounds), before + after))
    yield result

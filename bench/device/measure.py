# SPDX-License-Identifier: Apache-2.0
"""Measures rows with PyTorch in the same process: one context, one stream, the same buffers, sides in turn."""
import timing
from report import Bar, Result

MATRIX_FLOPS = 989.4e12  # dense f16 and bf16 of an H100 or H200, by NVIDIA's datasheet
DATASHEET = "datasheet, dense matrix units"


class Bench:
    """What every measurement needs: PyTorch on the library's own stream, and the rate of a plain copy."""

    def __init__(self, torch, library, is_quick, grout=None):
        self.torch, self.library, self.is_quick, self.grout = torch, library, is_quick, grout
        self.stream = torch.cuda.ExternalStream(library.stream())
        self.clock = timing.DeviceClock(torch, self.stream)
        self._copy_rate = None

    def plan(self, plan):
        return timing.quick(plan) if self.is_quick else plan

    def copy_rate(self):
        """Bytes a second, read and written, of a device copy of 1 GiB: the roof of what streams through memory."""
        if self._copy_rate is None:
            source = self.torch.empty(2**28, device="cuda").normal_()
            target = self.torch.empty_like(source)
            times = timing.paired(self.clock, self.repeated(lambda: target.copy_(source)), None,
                                  self.plan(timing.GENERAL))
            self._copy_rate = 2.0 * source.nbytes / times.median_ours()
            del source, target
            self.torch.cuda.empty_cache()
        return self._copy_rate

    def repeated(self, work):
        def run(times):
            with self.torch.cuda.stream(self.stream):
                for _ in range(times):
                    work()

        return run

    def limit(self, roof, unit):
        if roof == "matrix":
            return MATRIX_FLOPS * 1e-12, DATASHEET
        return self.copy_rate() * 1e-9, "device copy in this run"


def new_result(spec, suffix=""):
    return Result(suite=spec.suite, name=spec.name + suffix, shape=spec.shape, dtype=spec.dtype, unit=spec.unit,
                  peer_name=spec.peer_name, bar=spec.bar)


def measure_kernel(bench, spec):
    """Yields a result for each plan of the kernel."""
    torch = bench.torch
    row = bench.library.open(spec.name)
    try:
        buffers = row.buffers(torch)
        with torch.cuda.stream(bench.stream):
            spec.fill(torch, buffers)
            buffers["z"].fill_(float("nan"))
        row.enqueue(0, 1)
        bench.clock.synchronize()
        error, bound = spec.check(torch, buffers)
        ours = lambda times: row.enqueue(0, times)
        with torch.cuda.stream(bench.stream):
            peer = (lambda times: row.enqueue(1, times)) if spec.peer is None else bench.repeated(
                spec.peer(torch, buffers))
        for suffix, plan in spec.plans.items():
            result = new_result(spec, suffix)
            result.max_error, result.error_bound = error, bound
            result.limit, result.limit_name = bench.limit(spec.roof, spec.unit)
            result.set_times(spec.work, timing.paired(bench.clock, ours, peer, bench.plan(plan)))
            yield result
    finally:
        bench.clock.synchronize()
        row.close()
        torch.cuda.empty_cache()


# ---- Launches: the library brings both sides, ours and the same through the driver's interface ---------------------
CHAIN = 1000  # dependent kernels of one run
LAUNCHES = {
    "launch_prepared": ("enqueue of one launch, host time", Bar("above_peer_at_most", 0.3), "bare cuLaunchKernel"),
    "chain_1000_stream": ("1000 dependent launches", Bar("ratio_at_least", 1 / 1.05), "driver API: stream"),
    "chain_1000_graph": ("1000 dependent nodes", Bar("ratio_at_least", 1 / 1.05), "driver API: graph"),
    "chain_1000_graph_programmatic": ("1000 dependent nodes", Bar("ratio_at_least", 1 / 1.05),
                                      "driver API: graph with programmatic edges"),
}


def launch_result(name):
    shape, bar, peer = LAUNCHES[name]
    return Result(suite="launch", name=name, shape=shape, dtype="f32", unit="us", peer_name=peer, bar=bar)


def measure_launch(bench, name):
    row = bench.library.open(name)
    try:
        sides = [lambda times, side=side: row.host_seconds(side, times) for side in (0, 1)]
        is_single = name == "launch_prepared"
        times = 500 if is_single else 1
        rounds = 7 if bench.is_quick else 21
        plan = timing.Plan(rounds=rounds, load_seconds=0.05)
        found = timing.paired(timing.HostClock(), sides[0], sides[1], plan, times)
        row.check()
        result = launch_result(name)
        per_launch = 1 if is_single else CHAIN
        result.set_times(1.0, timing.Times([t / per_launch for t in found.ours], [t / per_launch for t in found.peer]))
        yield result
    finally:
        row.close()


# ---- Many launches at once: both sides time themselves; work is counted in launches -------------------------------
MANY = {
    "launches_every_10th_faulting": ("faults", "1000 launches", "f32", "the same, none faulting", 1000, 0.95),
    "mixed_gemms_16_streams": ("streams", "96 products of 512 to 2048", "f16", "driver API: 16 streams", 96, 0.95),
    **{f"async_gemms_{count}_stream{'s' * (count > 1)}":
       ("streams", "96 products of 512 to 2048", "f16", "ours, each waited for", 96, 1.0) for count in (1, 2, 4, 8, 16)},
}


def many_result(name):
    suite, shape, dtype, peer, _, ratio = MANY[name]
    return Result(suite=suite, name=name, shape=shape, dtype=dtype, unit="launch/s", peer_name=peer,
                  bar=Bar("ratio_at_least", ratio))


def measure_many(bench, name):
    row = bench.library.open(name)
    try:
        sides = [lambda times, side=side: row.host_seconds(side, times) for side in (0, 1)]
        plan = timing.Plan(rounds=5 if bench.is_quick else 15, load_seconds=0.0)
        found = timing.paired(timing.HostClock(), sides[0], sides[1], plan, 1)
        row.check()
        result = many_result(name)
        result.set_times(float(MANY[name][4]), found)
        yield result
    finally:
        row.close()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The device benchmark without a device: pairing, verdicts, what a dying process costs, and every row of the library on
its small shape. The library is the first argument."""
import contextlib
import ctypes
import io
import json
import math
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bench" / "device"))
import catalogue
import device_bench
import kernels
import library
import report
import timing

LIBRARY = sys.argv.pop(1)


class Clock:
    """Each side costs what it says; the machine gets slower from round to round."""

    def __init__(self):
        self.slower, self.orders = 1.0, []

    def synchronize(self):
        pass

    def measure(self, works):
        self.orders.append([side.__name__ for side, _ in works])
        self.slower *= 1.25
        return [side(times) * self.slower for side, times in works]


def ours(times):
    return 1.0


def peer(times):
    return 2.0


class Pairing(unittest.TestCase):
    PLAN = timing.Plan(rounds=5, load_seconds=0.0)

    def test_the_ratio_is_that_of_neighbours_so_a_slowing_machine_does_not_change_it(self):
        found = timing.paired(Clock(), ours, peer, self.PLAN)
        self.assertAlmostEqual(found.ratio(), 2.0)
        self.assertEqual(len(found.ours), 5)

    def test_the_side_that_goes_first_alternates(self):
        clock = Clock()
        timing.paired(clock, ours, peer, self.PLAN)
        self.assertEqual(clock.orders[-2:], [["ours", "peer"], ["peer", "ours"]])

    def test_a_row_without_a_peer_has_no_ratio(self):
        self.assertIsNone(timing.paired(Clock(), ours, None, self.PLAN).ratio())

    def test_a_chunk_holds_as_many_runs_as_fill_it(self):
        self.assertEqual(timing.times_in(3e-3, 1e-3), 3)
        self.assertEqual(timing.times_in(3e-3, 1.0), 1)


def result(**more):
    return report.Result(suite="s", name="n", shape="1", dtype="f32", unit="us", **more)


class Verdicts(unittest.TestCase):
    def verdict(self, bar, **more):
        return result(bar=report.Bar(*bar), **more).verdict()

    def test_ratios(self):
        self.assertEqual(self.verdict(("ratio_at_least", 0.98), ours=1.0, peer=1.0, ratio=0.98), "met")
        self.assertEqual(self.verdict(("ratio_at_least", 0.98), ours=1.0, peer=1.0, ratio=0.97), "missed")
        self.assertEqual(self.verdict(("ratio_at_least", 0.98), ours=1.0), "not shown")

    def test_a_cost_above_the_peer(self):
        self.assertEqual(self.verdict(("above_peer_at_most", 0.3), ours=3.3, peer=3.0, ratio=0.9), "met")
        self.assertEqual(self.verdict(("above_peer_at_most", 0.3), ours=3.4, peer=3.0, ratio=0.9), "missed")

    def test_a_fast_wrong_result_and_a_failed_row_miss_their_bar(self):
        bar = ("ratio_at_least", 0.5)
        self.assertEqual(self.verdict(bar, ours=1.0, peer=1.0, ratio=1.0, max_error=2.0, error_bound=1.0), "missed")
        self.assertEqual(self.verdict(bar, failure="broken"), "missed")

    def test_a_nan_is_beyond_every_bound(self):
        self.assertFalse(result(max_error=math.nan, error_bound=1.0).is_right())


class FakeWorker:
    """Plays what processes would say, one list for each process."""

    scripts = []

    def __init__(self, chosen, names):
        self.script = FakeWorker.scripts.pop(0)(names)

    def messages(self, limit_seconds):
        return iter(self.script)

    def close(self):
        return -11


def row_of(name):
    made = vars(catalogue.entry(name).expected()[0]).copy()
    made["bar"] = made["bar"] and vars(made["bar"])
    return {"row": {**made, "ours": 1.0, "peer": 2.0, "ratio": 2.0}}


def dies_in_first(names):
    return [{"device": "d", "torch": "t"}, {"begin": names[0]}]


def measures_all(names):
    said = [{"device": "d", "torch": "t"}]
    for name in names:
        said += [{"begin": name}, row_of(name), {"end": name}]
    return said


class Runs(unittest.TestCase):
    def run_with(self, scripts, rows):
        FakeWorker.scripts = list(scripts)
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            chosen = device_bench.parse(["--library", "x", "--json", file.name, "--rows", *rows])
            device_bench.Worker, real = FakeWorker, device_bench.Worker
            try:
                run = device_bench.Run(chosen)
                with contextlib.redirect_stdout(io.StringIO()):
                    run.measure_all()
            finally:
                device_bench.Worker = real
            return run, json.loads(pathlib.Path(file.name).read_text(encoding="utf-8"))

    def test_a_process_that_dies_costs_one_row(self):
        run, rows = self.run_with([dies_in_first, measures_all], ["rows", "launch_prepared"])
        self.assertEqual([row["name"] for row in rows], ["softmax_f16_4096", "rms_norm_bf16_4096", "launch_prepared"])
        self.assertEqual([bool(row["failure"]) for row in rows], [True, False, False])
        self.assertEqual(rows[1]["processor"], "d")

    def test_a_failed_entry_gives_each_of_its_rows(self):
        says = lambda names: [{"device": "d", "torch": "t"}, {"begin": names[0]},
                              {"failed": names[0], "why": "no image"}, {"end": names[0]}]
        _, rows = self.run_with([says], ["gemm_f16"])
        self.assertEqual([row["name"] for row in rows], ["gemm_f16_4096_cool", "gemm_f16_4096_steady"])
        self.assertEqual({row["failure"] for row in rows}, {"no image"})

    def test_processes_that_cannot_start_are_not_tried_again(self):
        _, rows = self.run_with([lambda names: []], ["rows"])
        self.assertTrue(all("could not start" in row["failure"] for row in rows))


class Rows(unittest.TestCase):
    """Rows of the library, run on the CPU with inputs of zeros."""

    def test_each_row_of_the_library_has_an_entry_here(self):
        names = library.Library(LIBRARY).row_names()
        self.assertEqual(set(names) - {entry.name for entry in catalogue.ENTRIES}, set())

    def test_each_row_runs(self):
        loaded = library.Library(LIBRARY)
        loaded.use_device("cpu")
        for name in loaded.row_names():
            with self.subTest(name):
                self.run_row(loaded, name)

    def run_row(self, loaded, name):
        row = loaded.open(name)
        for _, address, size_bytes in row.memory():
            ctypes.memset(address, 0, size_bytes)
        if name in {kernel.name for kernel in kernels.KERNELS}:
            row.enqueue(0, 2)
            loaded.synchronize()
        else:
            self.assertGreater(row.host_seconds(0, 2), 0.0)
        row.check()
        row.close()

    def test_what_is_wrong_is_said(self):
        loaded = library.Library(LIBRARY)
        loaded.use_device("cpu")
        with self.assertRaisesRegex(library.Failure, "no such row"):
            loaded.open("nonsense")


if __name__ == "__main__":
    unittest.main()

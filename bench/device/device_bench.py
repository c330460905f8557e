# SPDX-License-Identifier: Apache-2.0
"""`./dev bench --device cuda`: every row beside its peer in PyTorch or in the driver's own interface.

Rows are measured in a process of their own beside PyTorch; one that breaks the CUDA context, hangs or dies costs its
own numbers only, as the next process takes the rows that are left. Ends with 1 for a wrong result or a failed row,
with 2 when nothing can be measured."""
import argparse
import json
import pathlib
import queue
import subprocess
import sys
import threading
import time

import catalogue
import report

HERE = pathlib.Path(__file__).resolve().parent
START_SECONDS = 120  # until a process has loaded PyTorch and made the context


def parse(arguments):
    parser = argparse.ArgumentParser(prog="./dev bench --device cuda", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="the shared library of rows")
    parser.add_argument("--images", help="a pack of baked images; without it kernels are compiled here")
    parser.add_argument("--grout", help="the program grout, for the decode rows")
    parser.add_argument("--json", help="also write the rows here")
    parser.add_argument("--quick", action="store_true", help="a third of the rounds")
    parser.add_argument("--rows", nargs="*", default=[], help="suites, or how names start; all without it")
    return parser.parse_args(arguments)


def refuse(what, fix):
    print(f"bench: {what}\nbench: {fix}", file=sys.stderr)
    return 2


def why_impossible():
    """What is missing, and what helps; None when rows can be measured."""
    probe = "import torch, sys; sys.exit(0 if torch.cuda.is_available() else 9)"
    code = subprocess.run([sys.executable, "-c", probe], stderr=subprocess.DEVNULL, check=False).returncode
    if code == 0:
        return None
    if code == 9:
        return "no CUDA device is present", "run this on a machine with an NVIDIA GPU and its driver"
    return (f"{sys.executable} has no PyTorch", "install PyTorch with CUDA there, or name another with PYTHON=...; "
            "its kernels are the peers of these rows")


class Worker:
    """One child process; its lines come through a queue so that a silent one can be given up."""

    def __init__(self, chosen, names):
        command = [sys.executable, str(HERE / "worker.py"), "--library", chosen.library]
        for option in ("images", "grout"):
            if getattr(chosen, option):
                command += [f"--{option}", getattr(chosen, option)]
        command += ["--quick"] * chosen.quick + names
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def messages(self, limit_seconds):
        """Messages until the process ends; limit_seconds() is how long the present entry may stay silent."""
        while True:
            try:
                line = self.lines.get(timeout=limit_seconds())
            except queue.Empty:
                self.process.kill()
                yield {"silent": True}
                return
            if line is None:
                return
            if line.startswith("{"):
                yield json.loads(line)

    def close(self):
        self.process.kill()
        return self.process.wait()


class Run:
    def __init__(self, chosen):
        self.chosen = chosen
        self.rows = []
        self.device = {"processor": "", "torch": ""}
        self.left = [entry.name for entry in catalogue.chosen(chosen.rows)]

    def add(self, row):
        if not self.rows:
            print(report.table_head())
        print(report.table_line(row), flush=True)
        self.rows.append(row)
        if self.chosen.json:
            report.write_json(self.chosen.json, self.rows, self.device)

    def fail(self, name, why):
        """The rows that the entry has not given."""
        given = {row.name for row in self.rows}
        for row in catalogue.entry(name).expected():
            if row.name not in given:
                row.failure = why
                self.add(row)

    def measure_all(self):
        while self.left:
            if not self.measure_some():
                return

    def measure_some(self):
        """One worker's life. False: it could not start, so another one will not either."""
        worker, current, has_started = Worker(self.chosen, list(self.left)), None, False
        is_silent = False

        def limit():
            return START_SECONDS if current is None else catalogue.entry(current).limit_seconds

        for message in worker.messages(limit):
            has_started = has_started or "device" in message
            is_silent = is_silent or "silent" in message
            if "device" in message:
                self.device = {"processor": message["device"], "torch": message["torch"]}
            elif "begin" in message:
                current = message["begin"]
            elif "row" in message:
                bar = message["row"].pop("bar")
                self.add(report.Result(**message["row"], bar=bar and report.Bar(**bar)))
            elif "failed" in message:
                self.fail(message["failed"], message["why"])
            elif "end" in message:
                self.left.remove(message["end"])
                current = None
        code = worker.close()
        if current is not None:
            self.fail(current, "no answer in time" if is_silent else f"its process ended with {code}")
            self.left.remove(current)
        elif self.left and not has_started:
            for name in self.left:
                self.fail(name, "the measuring process could not start (see above)")
            return False
        return True


def main():
    chosen = parse(sys.argv[1:])
    missing = why_impossible()
    if missing:
        return refuse(*missing)
    started = time.monotonic()
    run = Run(chosen)
    run.measure_all()
    print(f"{report.summary(run.rows)}; {time.monotonic() - started:.0f} s on {run.device['processor']}, "
          f"PyTorch {run.device['torch']}")
    return 1 if any(row.failure or not row.is_right() for row in run.rows) else 0


if __name__ == "__main__":
    sys.exit(main())

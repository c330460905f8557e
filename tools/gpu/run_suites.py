# SPDX-License-Identifier: Apache-2.0
"""Runs each suite of the test programs in a process of its own, several at a time: a kernel that breaks the GPU's
context costs its own suite only. Prints a line for each suite that failed and one for all; ends with 1 on a failure."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time

PROGRAMS = ("unit_cuda", "numeric_kernels", "numeric_compiler")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="where the programs are")
    parser.add_argument("--filter", default="*gpu*:*driver*", help="a --gtest_filter")
    parser.add_argument("--programs", nargs="*", default=PROGRAMS)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--limit", type=float, default=120, help="seconds for one suite")
    parser.add_argument("--log", default="gpu_tests.log", help="all output goes here")
    parser.add_argument("--memcheck", action="store_true",
                        help="under compute-sanitizer, with images that check their accesses")
    return parser.parse_args()


def suites_of(program, chosen):
    """Suite -> the names of its tests that the filter takes."""
    listed = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={chosen.filter}"], text=True,
                            capture_output=True, check=True).stdout
    suites, suite = {}, None
    for line in listed.splitlines():
        if re.match(r"\S+\.(\s|$)", line):
            suite = line.split()[0]
            suites[suite] = []
        elif line.startswith("  ") and suite:
            suites[suite].append(suite + line.split()[0])
    return suites


def run_suite(program, tests, chosen, more_environment=()):
    wanted = ":".join(tests)
    command = [program, f"--gtest_filter={wanted}", "--gtest_color=no"]
    environment = dict(os.environ, **dict(more_environment))
    if chosen.memcheck:
        # The runtime counts a kernel's parameters by asking the driver for one too many: no error of ours.
        command = ["compute-sanitizer", "--tool", "memcheck", "--report-api-errors", "no", "--error-exitcode", "9",
                   *command]
        environment["TILEWRIGHT_SANITIZE"] = "memcheck"
    try:
        done = subprocess.run(command, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=chosen.limit, env=environment, check=False)
        return done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace"), "no end in time"


def finds_faults(folder, chosen):
    """Whether compute-sanitizer reports a kernel that writes past its tensor."""
    text, code = run_suite(str(folder / "numeric_kernels"), ["MemcheckControl.*"], chosen,
                           {"TILEWRIGHT_MEMCHECK_CONTROL": "1"})
    return code == 9 and "Invalid __global__ write of size 4" in text, text


def count(word, text):
    return len(re.findall(rf"^\[ +{word} \] \S+.*\(\d+ ms\)$", text, re.M))


def shortened(text):
    """The first failure's own words."""
    lines = [line for line in text.splitlines() if line.strip()]
    at = next((i for i, line in enumerate(lines) if ": Failure" in line), len(lines) - 3)
    return " | ".join(line.strip() for line in lines[max(0, at) : at + 5])[:400]


def main():
    chosen = parse()
    started = time.monotonic()
    folder = pathlib.Path(chosen.folder)
    jobs = [(str(folder / name), suite, tests) for name in chosen.programs
            for suite, tests in suites_of(str(folder / name), chosen).items()
            if not (chosen.memcheck and suite == "MemcheckControl.")]  # run first, by itself
    totals = {"OK": 0, "FAILED": 0, "SKIPPED": 0}
    broken = 0
    with open(chosen.log, "w", encoding="utf-8") as log, concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        if chosen.memcheck:
            is_found, text = finds_faults(folder, chosen)
            log.write(f"==== a planted fault\n{text}\n")
            print(f"compute-sanitizer finds a planted fault: {'yes' if is_found else 'no, see the log'}", flush=True)
            broken += not is_found
        results = pool.map(lambda job: run_suite(job[0], job[2], chosen), jobs)
        for (program, suite, _), (text, code) in zip(jobs, results):
            log.write(f"==== {program} {suite}: {code}\n{text}\n")
            log.flush()
            found = {"OK": count("OK", text), "FAILED": count("FAILED", text), "SKIPPED": count("SKIPPED", text)}
            for word in totals:
                totals[word] += found[word]
            if code != 0:
                broken += 1
                print(f"{pathlib.Path(program).name} {suite}: {found['OK']} passed, {found['FAILED']} failed, code {code}"
                      f": {shortened(text)}", flush=True)
    print(f"{totals['OK']} passed, {totals['FAILED']} failed, {totals['SKIPPED']} skipped in {len(jobs)} suites, "
          f"{broken} of them broken; {time.monotonic() - started:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

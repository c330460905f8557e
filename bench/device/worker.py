# SPDX-License-Identifier: Apache-2.0
"""Measures the rows it is given, in one process beside PyTorch, and writes what it finds as JSON lines. A row that
breaks the CUDA context ends the process; its parent starts another one for the rows that are left."""
import argparse
import dataclasses
import json
import sys
import traceback

import catalogue
from library import Library
from measure import Bench


def say(**what):
    print(json.dumps(what), flush=True)


def is_context_alive(torch):
    try:
        torch.cuda.synchronize()
        torch.zeros(1, device="cuda").add_(1).item()
        return True
    except Exception:  # any failure of the driver means the same
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    parser.add_argument("--images")
    parser.add_argument("--grout")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("names", nargs="+")
    chosen = parser.parse_args()
    import torch

    torch.manual_seed(1)
    torch.zeros(1, device="cuda")  # PyTorch's context is the device's primary one, which the library takes too
    library = Library(chosen.library)
    library.use_device("cuda")
    if chosen.images:
        library.load_images(chosen.images)
    bench = Bench(torch, library, chosen.quick, chosen.grout)
    say(device=torch.cuda.get_device_name(0), torch=torch.__version__)
    for name in chosen.names:
        say(begin=name)
        try:
            for result in catalogue.entry(name).measure(bench):
                say(row=dataclasses.asdict(result))
        except Exception as failure:
            traceback.print_exc(file=sys.stderr)
            say(failed=name, why=f"{type(failure).__name__}: {failure}"[:300])
            if not is_context_alive(torch):
                sys.exit(3)
        say(end=name)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Compiles the kernels of the device benchmark for a GPU that need not be here: LIBRARY TARGET FILE. A row that cannot
be compiled is named and left out; ends with 1 then."""
import sys

from library import Failure, Library


def bakes(library, target, names, file):
    try:
        library.bake(target, names, file)
        return True
    except Failure as failure:
        print(f"bake: {' '.join(names) if len(names) == 1 else 'all rows together'}: {failure}", file=sys.stderr)
        return False


def main():
    library, target, file = Library(sys.argv[1]), sys.argv[2], sys.argv[3]
    names = library.row_names()
    if bakes(library, target, names, file):
        return 0
    good = [name for name in names if bakes(library, target, [name], file)]  # what was compiled is in the cache
    if not good or not bakes(library, target, good, file):
        return 1
    print(f"bake: {len(good)} of {len(names)} rows are in {file}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

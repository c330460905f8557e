# SPDX-License-Identifier: Apache-2.0
# Sourced by run_tests and run_bench: unpacks the images into a folder of this process and names them to the library.
package=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
export TILEWRIGHT_CACHE_DIR=off TILEWRIGHT_IMAGES=
for packed in "$package"/images/*.pack.xz; do
  python3 -c 'import lzma, shutil, sys; shutil.copyfileobj(lzma.open(sys.argv[1]), open(sys.argv[2], "wb"))' \
    "$packed" "$unpacked/$(basename "$packed" .xz)"
  TILEWRIGHT_IMAGES+=${TILEWRIGHT_IMAGES:+:}$unpacked/$(basename "$packed" .xz)
done

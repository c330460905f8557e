// layer: container: a loan in an object of the heap outlives its owner
// SPDX-License-Identifier: Apache-2.0
// expect: {dies_lent}
// topic: containers
#include "misuse.hpp"

struct Reader {
  LentInput<f32> input;
};

REHEARSABLE void misuse(Device d) {
  std::unique_ptr<Reader> reader;
  {
    auto z = zeros(d);
    reader.reset(new Reader{z.borrow()});
  }
  auto y = zeros(d);
  twice(y.partition({16}), std::move(reader->input)).sync();
}

// SPDX-License-Identifier: Apache-2.0
// main() of the cases: runs the one that is named on the CPU and says in one line what happened. tools/misuse writes
// run_chosen(), and reads that line.
#include <cstdio>
#include <exception>
#include <typeinfo>

#include "misuse.hpp"

// Weak, for programs with a main() of their own. False when a correct case finds a wrong value.
[[gnu::weak]] bool run_chosen(const char* name, Device d);

namespace {

int told = 0;

void tell(const char* text) {
  if (told++ == 0) std::printf("handler: %s\n", text);
}

// Refusing changes nothing: the device goes on.
bool still_works(const Device& d) {
  d.synchronize();
  auto [z] = increment(zeros(d).partition({16})).sync();
  return all_are(z, 1.0f);
}

}  // namespace

int main(int count, char** arguments) {
  set_misuse_handler(tell);
  const Device d = cpu_device();
  bool is_right = true;
  try {
    is_right = count == 2 && run_chosen(arguments[1], d);
  } catch (const usage_error& e) {
    std::printf("throws: usage_error: %s\n", e.what());
  } catch (const std::exception& e) {
    std::printf("other: %s: %s\n", typeid(e).name(), e.what());
  }
  if (!is_right) std::puts("wrong: the case gives other values than it should");
  std::fflush(stdout);
  if (!still_works(d)) {
    std::puts("broken: the device does not work afterwards");
    is_right = false;
  }
  return is_right ? 0 : 1;
}

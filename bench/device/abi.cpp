// SPDX-License-Identifier: Apache-2.0
#include "device/abi.hpp"

#include <cstring>
#include <exception>
#include <optional>
#include <sstream>

#include "device/device_row.hpp"
#include "device/driver_peer.hpp"
#include "tilewright/runtime/bake.hpp"
#include "tilewright/runtime/images.hpp"

namespace tilewright::bench {
namespace {

std::string last_error;
std::optional<row_place> place;

const row_place& chosen_place() {
  if (!place) {
    throw usage_error({.what = "no device was chosen",
                       .where = "device benchmark",
                       .expected = "tilewright_bench_use_device() first",
                       .got = "",
                       .fix = "name a device: cuda, cpu or interp"});
  }
  return *place;
}

template <class Work>
bool succeeds(Work work) noexcept {
  try {
    work();
    return true;
  } catch (const std::exception& failure) {
    last_error = failure.what();
  }
  return false;
}

template <class Work>
int code_of(Work work) noexcept {
  return succeeds(work) ? 0 : 1;
}

Device device_named(const std::string& name) {
  if (name == "cuda") return cuda_device();
  if (name == "cpu") return cpu_device();
  if (name == "interp") return interp_device();
  throw usage_error({.what = "there is no such device",
                     .where = "device benchmark",
                     .expected = "cuda, cpu or interp",
                     .got = name,
                     .fix = "name one of them"});
}

std::unique_ptr<DeviceRow> open_row(const std::string& name, const row_place& where) {
  for (const row_maker& each : all_rows()) {
    if (name == each.name) return each.make(where);
  }
  throw usage_error({.what = "the library has no such row",
                     .where = "device benchmark",
                     .expected = "a name that tilewright_bench_row_name() gives",
                     .got = name,
                     .fix = "build the library and the program from the same sources"});
}

// Rows are opened one after the other, so only one row's tensors exist at a time.
void bake_rows(const std::string& target, const std::string& names, const std::string& file) {
  const auto where = compiler::target_named(target);
  if (!where) {
    throw usage_error({.what = "there is no such target",
                       .where = "device benchmark",
                       .expected = "sm_90 or another architecture of a GPU",
                       .got = target,
                       .fix = "name one that images can be made for"});
  }
  const auto open_all = [&](const Device& device) {
    std::istringstream all(names);
    for (std::string name; all >> name;) open_row(name, {device, false});
  };
  bake(open_all, {.targets = {*where}, .pack = file});
}

DeviceRow& row_at(void* row) { return *static_cast<DeviceRow*>(row); }

}  // namespace
}  // namespace tilewright::bench

using namespace tilewright;

const char* tilewright_bench_error() { return bench::last_error.c_str(); }

const char* tilewright_bench_row_name(int position) {
  const auto all = bench::all_rows();
  const auto at = static_cast<std::size_t>(position);
  return at < all.size() ? all[at].name : nullptr;
}

int tilewright_bench_use_device(const char* name) {
  return bench::code_of([&] { bench::place.emplace(bench::device_named(name), std::strcmp(name, "cuda") != 0); });
}

int tilewright_bench_load_images(const char* file) {
  return bench::code_of([&] { load_images(std::filesystem::path(file)); });
}

int tilewright_bench_bake(const char* target, const char* names, const char* file) {
  return bench::code_of([&] { bench::bake_rows(target, names, file); });
}

int tilewright_bench_stream(void** handle) {
  return bench::code_of([&] { *handle = bench::driver_stream(bench::chosen_place().device); });
}

int tilewright_bench_synchronize() {
  return bench::code_of([] { bench::chosen_place().device.synchronize(); });
}

void* tilewright_bench_open(const char* name) {
  std::unique_ptr<bench::DeviceRow> made;
  return bench::succeeds([&] { made = bench::open_row(name, bench::chosen_place()); }) ? made.release() : nullptr;
}

void tilewright_bench_close(void* row) { delete &bench::row_at(row); }

int tilewright_bench_buffer(void* row, int position, tilewright_bench_buffer_view* view) {
  const auto all = bench::row_at(row).buffers();
  const auto at = static_cast<std::size_t>(position);
  if (at >= all.size()) return 1;
  const bench::buffer_view& from = all[at];
  *view = {from.name.c_str(), info(from.element).name, from.address, from.shape.rank(), {}};
  for (int axis = 0; axis < from.shape.rank(); ++axis) view->extents[axis] = from.shape[axis];
  return 0;
}

int tilewright_bench_enqueue(void* row, int side, int times) {
  return bench::code_of([&] { bench::row_at(row).enqueue(side, times); });
}

double tilewright_bench_host_seconds(void* row, int side, int times) {
  double seconds = -1.0;
  const bool is_done = bench::succeeds([&] { seconds = bench::row_at(row).host_seconds(side, times); });
  return is_done ? seconds : -1.0;
}

int tilewright_bench_check(void* row) {
  return bench::code_of([&] { bench::row_at(row).check(); });
}

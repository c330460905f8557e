// SPDX-License-Identifier: Apache-2.0
// Compiles launches for GPUs that are not here, on a machine with NVIDIA's Tile IR tools, and writes the images to one
// file. A program with that file needs neither the tools nor a compiler: see images.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "tilewright/compiler/target.hpp"
#include "tilewright/runtime/launch.hpp"
#include "tilewright/runtime/tensor.hpp"
#include "tilewright/runtime/unique_indices.hpp"

namespace tilewright {

struct bake_options {
  std::vector<compiler::target> targets;  // sm_80 ... sm_120; cpu is for machines like this one
  std::filesystem::path pack;             // the file to write
  int jobs = 0;                           // compilers that run at a time; 0 is one for each core
  std::chrono::milliseconds limit{0};     // for all together; 0 is none
  bool memcheck = false;                  // images that check their accesses, for compute-sanitizer; while bake() runs,
                                          // this holds for the whole process
  // Gets a line for each finished image; without one they go to stderr.
  std::function<void(const std::string& line)> progress = {};
};

struct bake_summary {
  std::size_t images = 0;
  std::size_t bytes = 0;  // of the pack
};

// Runs host code on an offline device (offline.hpp) for each target and packs every image that it would have launched.
// Compilers run beside it, as child processes. Throws what the host code throws; compile_error that names kernel and
// target where one cannot be compiled; runtime_error for missing tools or when the time is over; io_error. Nothing is
// written then; what was compiled stays in the cache on disk, so that the next call goes on from there.
TILEWRIGHT_API bake_summary bake(const std::function<void(const Device&)>& host_code, const bake_options& options);

// ---- Launches without host code ------------------------------------------------------------------------------------
// Arguments in a list: elements follow from the kernel's parameters. Offsets and strides of views are part of what an
// image is made for; these stand for dense tensors. For views, bake host code.
struct bake_input {
  Shape shape;
};
struct bake_output {
  Shape shape, piece;
};

namespace detail {

template <class Parameter, class Given>
auto bake_argument(const Device& device, const Given& given) {
  using element = typename host_element<typename Parameter::element>::type;
  if constexpr (std::is_same_v<Given, bake_input>) {
    static_assert(is_input(Parameter::kind), "a bake_input stands for an In or Unique parameter");
    if constexpr (Parameter::kind == parameter_kind::unique) {
      return unique_indices(device.empty<element>(given.shape).share(), 0);  // fits every output
    } else {
      return device.empty<element>(given.shape);
    }
  } else if constexpr (std::is_same_v<Given, bake_output>) {
    static_assert(is_output(Parameter::kind), "a bake_output stands for an Out, InOut, Accum or Scatter parameter");
    return device.empty<element>(given.shape).partition(given.piece);
  } else {
    static_assert(
        Parameter::kind == parameter_kind::scalar,
        "an In or Unique parameter takes a bake_input, an Out, InOut, Accum or Scatter parameter a bake_output");
    return static_cast<element>(given);
  }
}

template <class... P, class... Given>
auto bake_launch(const kernel_reference<parameter_list<P...>>& kernel, const Given&... given) {
  static_assert(sizeof...(P) == sizeof...(Given), "give one argument for each parameter of the kernel");
  return [=](const Device& device) { (void)launch(kernel, bake_argument<P>(device, given)...).sync(); };
}

}  // namespace detail

// Host code made of single launches: bake(BakeList().add(gemm, bake_output{...}, bake_input{...}, ...), options).
class BakeList {
 public:
  template <class Kernel, class... Given>
  BakeList& add(const Kernel& kernel, const Given&... given) {
    launches_.push_back(detail::bake_launch(kernel.reference(), given...));
    return *this;
  }
  void operator()(const Device& device) const {
    for (const auto& launch : launches_) launch(device);
  }

 private:
  std::vector<std::function<void(const Device&)>> launches_;
};

// A program that bakes host code, as tilewright_bake() of CMake builds it:
//   --target NAMES... --output FILE [--link FILE --symbol NAME] [--sanitize memcheck] [--jobs N] [--limit SECONDS]
// Prints progress and errors; gives the exit code: 0 done, 1 it failed, 2 it was called wrongly.
TILEWRIGHT_API int bake_main(int argc, char** argv, const std::function<void(const Device&)>& host_code);

// ---- Packs as files ------------------------------------------------------------------------------------------------
struct baked_image {
  std::string key, kernel, target;
  std::size_t bytes = 0;
  // Of the machine code for a GPU; 0 for other targets.
  int registers = 0, threads = 0;                 // of a thread, of a block
  std::size_t stack_bytes = 0, shared_bytes = 0;  // of a thread, of a block
};
struct baked_pack {
  std::string made_by;     // hash of the compiler's sources
  bool is_usable = false;  // by this program
  std::vector<baked_image> images;
};
// Throws io_error.
TILEWRIGHT_API baked_pack describe_pack(const std::filesystem::path& pack);

// Packs the images for GPUs that lie in a cache folder (TILEWRIGHT_CACHE_DIR). Throws io_error.
TILEWRIGHT_API bake_summary pack_cache(const std::filesystem::path& folder, const std::filesystem::path& pack);

// Writes a C++ source that holds the pack's bytes (by .incbin) and hands them to the launches of the program it is
// linked into. A name that ends in .c gives a C source with the bytes alone. The header beside it (same name, .h)
// declares them as `symbol` and `symbol_end`, for load_images(). Throws io_error; usage_error for a symbol that is no C
// identifier.
TILEWRIGHT_API void write_linkable(const std::filesystem::path& pack, const std::filesystem::path& source,
                                   const std::string& symbol);

}  // namespace tilewright

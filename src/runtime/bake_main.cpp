// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>

#include "tilewright/base/error.hpp"
#include "tilewright/runtime/bake.hpp"

namespace tilewright {
namespace {

struct bake_arguments {
  bake_options options;
  std::filesystem::path source;
  std::string symbol = "tilewright_images";
};

[[noreturn]] void refuse(std::string what, std::string got) {
  throw usage_error({.what = std::move(what),
                     .where = "the program that bakes",
                     .expected = "--target NAMES... --output FILE [--link FILE --symbol NAME] [--sanitize memcheck] "
                                 "[--jobs N] [--limit SECONDS]",
                     .got = std::move(got),
                     .fix = {}});
}

int number(std::string_view option, std::string_view text) {
  int value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || value < 0) {
    refuse("a number is not understood", std::string(option) + " " + std::string(text));
  }
  return value;
}

void take(bake_arguments& into, std::string_view option, std::string_view value) {
  if (option == "--target") {
    const auto where = compiler::target_named(value);
    if (!where) refuse("a target is not known", std::string(value));
    into.options.targets.push_back(*where);
  } else if (option == "--output") {
    into.options.pack = value;
  } else if (option == "--link") {
    into.source = value;
  } else if (option == "--symbol") {
    into.symbol = value;
  } else if (option == "--sanitize" && value == "memcheck") {
    into.options.memcheck = true;
  } else if (option == "--jobs") {
    into.options.jobs = number(option, value);
  } else if (option == "--limit") {
    into.options.limit = std::chrono::seconds(number(option, value));
  } else {
    refuse("an argument is not understood", std::string(option) + " " + std::string(value));
  }
}

bake_arguments parse(int argc, char** argv) {
  bake_arguments made;
  std::string_view option;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--", 2) == 0) {
      option = argv[i];
    } else {
      take(made, option, argv[i]);
    }
  }
  if (made.options.pack.empty()) refuse("there is no file to write", "no --output");
  return made;
}

}  // namespace

int bake_main(int argc, char** argv, const std::function<void(const Device&)>& host_code) {
  try {
    const bake_arguments arguments = parse(argc, argv);
    const bake_summary made = bake(host_code, arguments.options);
    if (!arguments.source.empty()) write_linkable(arguments.options.pack, arguments.source, arguments.symbol);
    std::printf("%s: %zu images, %zu bytes\n", arguments.options.pack.c_str(), made.images, made.bytes);
    return 0;
  } catch (const usage_error& refusal) {
    std::fprintf(stderr, "%s\n", refusal.what());
    return 2;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
  }
  return 1;
}

}  // namespace tilewright

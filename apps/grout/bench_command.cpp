// SPDX-License-Identifier: Apache-2.0
// One row of context is prefilled, then steps are timed without the host in between; the median of some rounds counts.
#include "bench_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "grout/model.hpp"
#include "grout/shapes.hpp"

namespace {

using grout::index_t;
using Clock = std::chrono::steady_clock;

constexpr index_t warm_up_steps = 8;

struct Times {
  double weights_seconds = 0;           // until they are on the device
  double prefill_seconds = 0;           // of the first round
  std::vector<double> seconds_a_token;  // of each round, sorted
  double median() const { return seconds_a_token[seconds_a_token.size() / 2]; }
};

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<std::int32_t> prompt(index_t count, index_t vocabulary) {
  std::vector<std::int32_t> ids;
  for (index_t i = 0; i < count; ++i) ids.push_back(static_cast<std::int32_t>((i * 7919 + 17) % vocabulary));
  return ids;
}

void measure_round(const grout::Model& model, const BenchArguments& arguments, Times& times) {
  grout::Sequence sequence(model, arguments.context + warm_up_steps + arguments.tokens);
  const double prefill = seconds_of([&] {
    sequence.append(prompt(arguments.context, model.config().vocabulary));
    (void)sequence.next();
  });
  if (times.seconds_a_token.empty()) times.prefill_seconds = prefill;
  for (index_t i = 0; i < warm_up_steps; ++i) sequence.append_next();
  (void)sequence.next();
  const double steps = seconds_of([&] {
    for (index_t i = 0; i < arguments.tokens; ++i) sequence.append_next();
    (void)sequence.next();
  });
  times.seconds_a_token.push_back(steps / static_cast<double>(arguments.tokens));
}

// A table of the kernels of one step.
void print_profile(const grout::Model& model, const BenchArguments& arguments) {
  grout::Sequence sequence(model, arguments.context + warm_up_steps);
  sequence.append(prompt(arguments.context, model.config().vocabulary));
  sequence.append_next();
  (void)sequence.next();
  fmt::print("{:<28} {:>8} {:>10} {:>10}\n", "kernel", "launches", "us each", "us a step");
  double whole = 0;
  for (const tilewright::KernelTime& time : sequence.profile_step()) {
    whole += time.launches * time.microseconds;
    fmt::print("{:<28} {:>8} {:>10.2f} {:>10.1f}\n", time.kernel, time.launches, time.microseconds,
               time.launches * time.microseconds);
  }
  fmt::print("{:<28} {:>8} {:>10} {:>10.1f}\n", "sum", "", "", whole);
}

// What a step must read at least: weights once, and keys and values at the middle of the round.
struct Bytes {
  double weights, cache;
};
Bytes bytes_of_a_step(const grout::Model& model, const BenchArguments& arguments) {
  constexpr double keys_and_values = 2;
  const auto positions = static_cast<double>(arguments.context + warm_up_steps + arguments.tokens / 2);
  const grout::ModelConfig& config = model.config();
  const auto of_a_position = static_cast<double>(config.layers * config.key_columns()) * sizeof(tilewright::bf16);
  return {static_cast<double>(grout::streamed_bytes(model.weights())), positions * keys_and_values * of_a_position};
}

// GB/s that the maker states.
std::optional<double> roof_of(const BenchArguments& arguments, std::string_view device) {
  if (arguments.roof > 0) return arguments.roof;
  if (device.find("H200") != std::string_view::npos) return 4800;
  return std::nullopt;
}

nlohmann::ordered_json row_of(const grout::Model& model, const BenchArguments& arguments, const Times& times) {
  const Bytes bytes = bytes_of_a_step(model, arguments);
  const double median = times.median();
  nlohmann::ordered_json row{{"row", "decode_" + arguments.shape},
                             {"device", model.device().name()},
                             {"layers", model.config().layers},
                             {"context", arguments.context},
                             {"tokens", arguments.tokens},
                             {"tokens_per_second", 1 / median},
                             {"least_tokens_per_second", 1 / times.seconds_a_token.back()},
                             {"weight_gb", bytes.weights / 1e9},
                             {"weight_gb_per_second", bytes.weights / median / 1e9},
                             {"gb_per_second", (bytes.weights + bytes.cache) / median / 1e9},
                             {"of_roof", nullptr},
                             {"prefill_ms", times.prefill_seconds * 1e3},
                             {"weights_ready_seconds", times.weights_seconds}};
  if (const auto roof = roof_of(arguments, model.device().name())) {
    row["of_roof"] = (bytes.weights + bytes.cache) / median / 1e9 / *roof;
  }
  return row;
}

void print_row(const nlohmann::ordered_json& row) {
  fmt::print("{} on {}: {:.1f} tokens/s (least {:.1f}), {:.0f} GB/s of weights, {:.0f} GB/s with keys and values",
             row["row"].get<std::string>(), row["device"].get<std::string>(), row["tokens_per_second"].get<double>(),
             row["least_tokens_per_second"].get<double>(), row["weight_gb_per_second"].get<double>(),
             row["gb_per_second"].get<double>());
  if (!row["of_roof"].is_null()) fmt::print(", {:.1f} % of the roof", 100 * row["of_roof"].get<double>());
  fmt::print("\n");
}

std::vector<std::string> shape_names() {
  std::vector<std::string> names;
  for (const grout::KnownShape& shape : grout::known_shapes()) names.emplace_back(shape.name);
  return names;
}

void bench_on(const tilewright::Device& device, const BenchArguments& arguments) {
  grout::KnownShape shape = grout::find_shape(arguments.shape).value();
  if (arguments.layers > 0) shape.config.layers = arguments.layers;
  Times times;
  std::optional<grout::Model> model;
  times.weights_seconds = seconds_of([&] {
    model.emplace(grout::Model::random(shape.config, shape.is_tied, device));
    device.synchronize();
  });
  fmt::print(stderr, "weights: {:.2f} GB of random numbers in {:.1f} s\n",
             static_cast<double>(grout::weight_bytes(model->weights())) / 1e9, times.weights_seconds);
  if (arguments.profile) return print_profile(*model, arguments);
  for (index_t i = 0; i < arguments.rounds; ++i) measure_round(*model, arguments, times);
  std::sort(times.seconds_a_token.begin(), times.seconds_a_token.end());
  const auto row = row_of(*model, arguments, times);
  if (arguments.json) {
    fmt::print("{}\n", row.dump());
  } else {
    print_row(row);
  }
}

}  // namespace

CLI::App* add_bench_command(CLI::App& program, BenchArguments& arguments) {
  CLI::App* command = program.add_subcommand("bench", "Time decode steps of a published shape with random weights");
  const auto positive = [](CLI::Option* option) {
    option->capture_default_str()->type_name("N")->check(CLI::Range(index_t{1}, index_t{1} << 20).description(""));
  };
  command->add_option("--random", arguments.shape, "Shape of the model; its text means nothing")
      ->required()
      ->check(CLI::IsMember(shape_names()));
  add_device_options(*command, arguments.device);
  positive(command->add_option("--context", arguments.context, "Tokens before the first step"));
  positive(command->add_option("--tokens", arguments.tokens, "Steps of a round"));
  positive(command->add_option("--rounds", arguments.rounds, "Rounds, whose median counts"));
  command->add_option("--layers", arguments.layers, "Layers of the model, if not those of the shape")->type_name("N");
  command->add_option("--roof", arguments.roof, "Memory's GB/s, if the device's name does not tell")->type_name("N");
  command->add_flag("--json", arguments.json, "Print one line of JSON");
  command->add_flag("--profile", arguments.profile, "Print what each kernel of a step costs by itself");
  return command;
}

void run_bench(const BenchArguments& arguments) {
  run_on(arguments.device, [&](const tilewright::Device& device) { bench_on(device, arguments); });
}

// SPDX-License-Identifier: Apache-2.0
// The text goes to standard output as it arrives, everything about the run to standard error.
#include "generate_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "grout/generate.hpp"
#include "tilewright/base/error.hpp"

namespace {

void write_text(std::string_view text) {
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (is_written) return;
  throw tilewright::io_error({.what = "the text could not be written",
                              .where = "standard output",
                              .expected = {},
                              .got = {},
                              .fix = "check for a full disk or a closed pipe"});
}

void describe(const grout::Model& model) {
  const grout::ModelConfig& config = model.config();
  fmt::print(stderr, "model: {}, {} layers, width {}, {} tokens, context {}; head: {}\n",
             grout::name_of(config.architecture), config.layers, config.width, config.vocabulary, config.context,
             model.weights().is_tied ? "token_embd.weight (tied)" : "output.weight");
}

// "weights: 34 of 98 MB on NVIDIA H200", one line written over and over on a terminal, else the last one only.
class UploadLine {
 public:
  explicit UploadLine(const tilewright::Device& device) : device_(device.name()) {}
  void operator()(std::size_t bytes, std::size_t all_bytes) {
    const bool is_last = bytes == all_bytes;
    const auto now = std::chrono::steady_clock::now();
    if (!is_last && (!is_terminal_ || now - told_ < std::chrono::milliseconds(100))) return;
    told_ = now;
    constexpr std::size_t megabyte = 1000000;
    fmt::print(stderr, "{}weights: {} of {} MB on {}{}", is_terminal_ ? "\r" : "", bytes / megabyte,
               all_bytes / megabyte, device_, is_last ? "\n" : "");
  }

 private:
  std::string device_;
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point told_;
};

std::string rate_text(const std::optional<double>& rate) {
  return rate ? fmt::format("{:.1f} tokens/s", *rate) : std::string("not measured");
}

void report(const grout::Generated& result) {
  fmt::print(stderr, "prefill: {} tokens, {}\n", result.prompt_tokens, rate_text(result.prefill_tokens_per_second));
  fmt::print(stderr, "decode: {} tokens, {}\n", result.ids.size(), rate_text(result.decode_tokens_per_second));
}

nlohmann::json rate_json(const std::optional<double>& rate) {
  return rate ? nlohmann::json(*rate) : nlohmann::json(nullptr);
}

std::string json_line(const grout::Generated& result) {
  const nlohmann::ordered_json line{{"ids", result.ids},
                                    {"text", result.text},
                                    {"prefill_tok_s", rate_json(result.prefill_tokens_per_second)},
                                    {"decode_tok_s", rate_json(result.decode_tokens_per_second)}};
  return line.dump() + "\n";
}

void generate_on(const tilewright::Device& device, const GenerateArguments& arguments, const grout::Gguf& file) {
  const grout::Tokenizer tokenizer = grout::Tokenizer::from_gguf(file);
  const grout::Model model = grout::Model::load(file, device, UploadLine(device));
  describe(model);
  const grout::GenerateOptions options{.count = arguments.count, .stop_at_end = arguments.stop_at_end};
  const grout::Generated result = grout::generate(model, tokenizer, arguments.prompt, options, write_text);
  write_text("\n");
  report(result);
  if (arguments.json) write_text(json_line(result));
}

}  // namespace

CLI::App* add_generate_command(CLI::App& program, GenerateArguments& arguments) {
  CLI::App* command = program.add_subcommand("generate", "Continue a text, greedily, on standard output");
  command->add_option("--model", arguments.model_path, "GGUF file of a Llama or Qwen3 model")
      ->required()
      ->type_name("FILE");
  command->add_option("--prompt", arguments.prompt, "Text to continue; special tokens in it are parsed")
      ->required()
      ->type_name("TEXT");
  command->add_option("-n", arguments.count, "Tokens to generate")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(tilewright::index_t{0}, std::numeric_limits<tilewright::index_t>::max()).description(""));
  add_device_options(*command, arguments.device);
  command->add_flag("--stop-at-end", arguments.stop_at_end, "Stop at a token that ends a text, which is not printed");
  command->add_flag("--json", arguments.json,
                    "Print a last line {\"ids\", \"text\", \"prefill_tok_s\", \"decode_tok_s\"}");
  return command;
}

void run_generate(const GenerateArguments& arguments) {
  const grout::Gguf file = grout::Gguf::open(arguments.model_path);
  run_on(arguments.device, [&](const tilewright::Device& device) { generate_on(device, arguments, file); });
}

// SPDX-License-Identifier: Apache-2.0
#include "grout/generate.hpp"

#include <algorithm>
#include <chrono>

#include "tilewright/base/error.hpp"

namespace grout {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

[[noreturn]] void refuse(std::string what, std::string expected, std::string got, std::string fix) {
  throw tilewright::usage_error({.what = std::move(what),
                                 .where = "generate",
                                 .expected = std::move(expected),
                                 .got = std::move(got),
                                 .fix = std::move(fix)});
}

// The last generated token is never run through the model, so it needs no position.
index_t positions(index_t prompt_tokens, index_t count) { return prompt_tokens + std::max<index_t>(count - 1, 0); }

void check(const Model& model, const std::vector<std::int32_t>& prompt, index_t count) {
  const index_t context = model.config().context;
  const auto prompt_tokens = static_cast<index_t>(prompt.size());
  if (prompt.empty()) {
    refuse("the prompt has no tokens", "at least one token", "an empty prompt",
           "give some text; nothing is added in front of it");
  }
  if (count < 0) refuse("a negative count of tokens", "0 or more", std::to_string(count), "pass a count of 0 or more");
  if (prompt_tokens > context || count > context || positions(prompt_tokens, count) > context) {
    refuse("context_length_exceeded: this model's maximum context length is " + std::to_string(context) + " tokens",
           "prompt and continuation of at most " + std::to_string(context) + " tokens",
           std::to_string(prompt_tokens) + " in the prompt and " + std::to_string(count) + " to generate",
           "shorten the prompt or generate fewer tokens");
  }
}

// Gathers what was generated and passes on the text that is complete.
class Collector {
 public:
  Collector(const Tokenizer& tokenizer, const std::function<void(std::string_view)>& on_text, Generated& result)
      : decoder_(tokenizer), on_text_(on_text), result_(result) {}

  void add(std::int32_t id) {
    result_.ids.push_back(id);
    pass_on(decoder_.push(id));
  }
  void finish() { pass_on(decoder_.finish()); }

 private:
  void pass_on(const std::string& text) {
    result_.text += text;
    if (on_text_ && !text.empty()) on_text_(text);
  }

  StreamDecoder decoder_;
  const std::function<void(std::string_view)>& on_text_;
  Generated& result_;
};

}  // namespace

Generated generate(const Model& model, const Tokenizer& tokenizer, std::string_view prompt,
                   const GenerateOptions& options, const std::function<void(std::string_view)>& on_text) {
  const std::vector<std::int32_t> ids = tokenizer.encode(prompt, true);
  check(model, ids, options.count);
  Generated result;
  result.prompt_tokens = static_cast<index_t>(ids.size());
  if (options.count == 0) return result;

  Sequence sequence(model, positions(result.prompt_tokens, options.count));
  Collector collector(tokenizer, on_text, result);
  const auto is_last = [&](std::int32_t id) { return options.stop_at_end && tokenizer.is_end(id); };

  auto begin = Clock::now();
  sequence.append(ids);
  std::int32_t id = sequence.next();
  result.prefill_tokens_per_second = static_cast<double>(ids.size()) / seconds_since(begin);

  begin = Clock::now();
  index_t steps = 0;
  while (!is_last(id)) {
    collector.add(id);
    if (static_cast<index_t>(result.ids.size()) == options.count) break;
    sequence.append_next();
    id = sequence.next();
    ++steps;
  }
  if (steps > 0) result.decode_tokens_per_second = static_cast<double>(steps) / seconds_since(begin);
  collector.finish();
  return result;
}

}  // namespace grout

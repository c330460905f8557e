// SPDX-License-Identifier: Apache-2.0
#include "peers/llama.hpp"

#include <nlohmann/json.hpp>

#include "tilewright/base/error.hpp"

namespace tilewright::bench {

std::unique_ptr<Llama> Llama::start(const std::filesystem::path& model, int threads, std::string& why) {
  const auto root = std::filesystem::path(TILEWRIGHT_SOURCE_DIR);
  const auto python = root / ".cache" / "peers" / "bin" / "python";
  if (!std::filesystem::exists(python)) {
    why = "llama-cpp-python is not installed; ./dev setup --peers does";
    return nullptr;
  }
  const auto script = root / "bench" / "peers" / "llama_peer.py";
  std::unique_ptr<Llama> peer(new Llama({python.string(), script.string(), model.string(), std::to_string(threads)}));
  const auto first = peer->process_.read_line();
  if (!first) {
    why = "llama-cpp-python did not start (see its message above)";
    return nullptr;
  }
  peer->name_ = nlohmann::json::parse(*first).at("name").get<std::string>();
  return peer;
}

double Llama::ask(const char* what, int tokens) {
  const auto answer = process_.ask(std::string(what) + ' ' + std::to_string(tokens));
  if (!answer) {
    throw runtime_error({.what = "the peer ended in the middle of a benchmark",
                         .where = name_,
                         .expected = "a time",
                         .got = "the end of its output",
                         .fix = "run it again; its own message stands above"});
  }
  return nlohmann::json::parse(*answer).at("seconds").get<double>();
}

}  // namespace tilewright::bench

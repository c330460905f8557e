// SPDX-License-Identifier: Apache-2.0
// The program as a user calls it: exit codes, what goes to which stream, and errors that say what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "support/scripted_llama.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace {

using nlohmann::json;
using test_support::TinyTokenizer;
using testing::HasSubstr;

struct Outcome {
  int code;
  std::string out, err;
};

class GenerateCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("grout_cli_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    write("model.gguf", test_support::scripted_llama({'a', 'x', 0xc3, 0xa9, '!', TinyTokenizer::end, 'z', 'y'}));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  std::string read(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  // Runs the program in the folder; `arguments` are shell words.
  Outcome run(const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && '" GROUT_PROGRAM "' > out 2> err " + arguments;
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out"), read("err")};
  }
  Outcome generate(const std::string& arguments) const {
    return run("generate --device interp --model model.gguf " + arguments);
  }

  std::filesystem::path folder_;
};

TEST_F(GenerateCommand, PrintsTheTextAndTheRates) {
  const Outcome outcome = generate("--prompt a -n 4");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "x\u00e9!\n");
  EXPECT_THAT(outcome.err, HasSubstr("prefill: 1 tokens, "));
  EXPECT_THAT(outcome.err, HasSubstr("decode: 4 tokens, "));
  EXPECT_THAT(outcome.err, HasSubstr("head: output.weight"));
}

TEST_F(GenerateCommand, PrintsAJsonLineLast) {
  const Outcome outcome = generate("--prompt a -n 7 --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_THAT(outcome.out, testing::StartsWith("x\u00e9!</s>zy\n{"));
  const json line = json::parse(outcome.out.substr(outcome.out.find('\n') + 1));
  EXPECT_EQ(line["ids"], (json{'x', 0xc3, 0xa9, '!', 262, 'z', 'y'}));
  EXPECT_EQ(line["text"], "x\u00e9!</s>zy");
  EXPECT_GT(line["prefill_tok_s"].get<double>(), 0);
  EXPECT_GT(line["decode_tok_s"].get<double>(), 0);
}

TEST_F(GenerateCommand, OfACutCodePointStaysValidJson) {
  const Outcome outcome = generate("--prompt a -n 2 --json");
  EXPECT_EQ(json::parse(outcome.out.substr(outcome.out.find('\n') + 1))["text"], "x\ufffd");
}

TEST_F(GenerateCommand, OfNoTokensSaysThatNothingWasMeasured) {
  const Outcome outcome = generate("--prompt a -n 0 --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "\n{\"ids\":[],\"text\":\"\",\"prefill_tok_s\":null,\"decode_tok_s\":null}\n");
}

TEST_F(GenerateCommand, StopsAtTheEndWhenAsked) {
  EXPECT_EQ(generate("--prompt a -n 7 --stop-at-end").out, "x\u00e9!\n");
}

TEST_F(GenerateCommand, HelpsEverywhere) {
  for (const char* arguments : {"--help", "generate --help", "-h", "generate -h"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments;
    EXPECT_THAT(outcome.out, HasSubstr("generate")) << arguments;
  }
  EXPECT_THAT(run("generate --help").out, HasSubstr("--stop-at-end"));
}

TEST_F(GenerateCommand, AnswersWrongUsageWithCode2) {
  for (const char* arguments :
       {"", "nonsense", "generate", "generate --prompt a", "generate --model model.gguf",
        "generate --model model.gguf --prompt a -n -1", "generate --model model.gguf --prompt a -n 1.5",
        "generate --model model.gguf --prompt a --device gpu", "generate --model model.gguf --prompt a --device cuda:x",
        "generate --model model.gguf --prompt a --device offline:cpu", "bench", "bench --random nothing",
        "bench --random tiny --tokens 0", "generate --model model.gguf --prompt a --unknown"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_FALSE(outcome.err.empty()) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(GenerateCommand, AnswersFailuresWithCode1AndWhatToDo) {
  write("page.gguf", "<!DOCTYPE html><html></html>");
  write("tiny.gguf", test_support::TinyLlama().remove("llama.block_count").gguf());
  struct Failure {
    const char* arguments;
    const char* text;
  };
  for (const Failure& failure : {Failure{"--model none.gguf --prompt a", "none.gguf"},
                                 {"--model page.gguf --prompt a", "a web page"},
                                 {"--model tiny.gguf --prompt a", "key 'llama.block_count'"},
                                 {"--model . --prompt a", "grout: "},
                                 {"--model model.gguf --prompt ''", "the prompt has no tokens"},
                                 {"--model model.gguf --prompt a --pack p", "--device offline:TARGET"},
                                 {"--model model.gguf --prompt a -n 49", "context_length_exceeded"}}) {
    const Outcome outcome = run("generate --device interp " + std::string(failure.arguments));
    EXPECT_EQ(outcome.code, 1) << failure.arguments;
    EXPECT_THAT(outcome.err, HasSubstr(failure.text)) << failure.arguments;
    EXPECT_THAT(outcome.err, HasSubstr("\n  fix: ")) << failure.arguments;
    EXPECT_EQ(outcome.out, "") << failure.arguments;
  }
}

TEST_F(GenerateCommand, SaysWhatAnAbsentGpuLacks) {
  if (tilewright::cuda_device_count() > 0) GTEST_SKIP() << "there is a GPU";
  for (const char* device : {"cuda", "cuda:0"}) {
    const Outcome outcome = run("generate --model model.gguf --prompt a --device " + std::string(device));
    EXPECT_EQ(outcome.code, 1) << device;
    EXPECT_THAT(outcome.err, HasSubstr("\n  fix: ")) << device;
  }
}

class BenchCommand : public GenerateCommand {};

TEST_F(BenchCommand, PrintsARowOfJson) {
  const Outcome outcome =
      run("bench --random tiny --device interp --layers 1 --context 5 --tokens 2 --rounds 1 --roof 100 --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json row = json::parse(outcome.out);
  EXPECT_EQ(row["row"], "decode_tiny");
  EXPECT_EQ(row["layers"], 1);
  // Joint products of 128 + 64 + 64 columns, output, gate, up and down of one layer, the head: in 16 bits.
  EXPECT_EQ(row["weight_gb"].get<double>(), 2e-9 * 64 * (256 + 128 + 3 * 128 + 320));
  EXPECT_GT(row["tokens_per_second"].get<double>(), 0);
  EXPECT_GT(row["of_roof"].get<double>(), 0);
}

TEST_F(BenchCommand, PrintsALineForReading) {
  const Outcome outcome = run("bench --random tiny --device interp --layers 1 --context 5 --tokens 2 --rounds 1");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("decode_tiny on interp: "));
  EXPECT_THAT(outcome.out, HasSubstr(" tokens/s"));
}

// A device that takes nothing stands for a full disk; it is never read back, since it has no end.
TEST_F(GenerateCommand, NamesAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  std::filesystem::create_symlink("/dev/full", folder_ / "full");
  const Outcome outcome = run("generate --device interp --model model.gguf --prompt a -n 2 3> full >&3");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("the text could not be written"));
}

}  // namespace

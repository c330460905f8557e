// SPDX-License-Identifier: Apache-2.0
// Runs the tilewright program as a user does, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "unit/runtime/temporary_folder.hpp"

namespace tilewright::test {

struct Outcome {
  int code;
  std::string out, err;
};

class Command : public testing::Test {
 protected:
  temporary_folder folder;

  std::string read(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(folder.path() / name, std::ios::binary).rdbuf();
    return text.str();
  }
  // Runs the program in the folder; `arguments` are shell words, `before` sets variables.
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + folder.path().string() + "' && TILEWRIGHT_CACHE_DIR=cache " + before +
                                " '" TILEWRIGHT_PROGRAM "' > out 2> err " + arguments;
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out"), read("err")};
  }
};

}  // namespace tilewright::test

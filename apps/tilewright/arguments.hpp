// SPDX-License-Identifier: Apache-2.0
// Words of the command line as values. All throw usage_error that names the word.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tilewright/base/dtype.hpp"
#include "tilewright/base/schedule.hpp"
#include "tilewright/compiler/target.hpp"

// Sizes and Dims of one launch: "M=4096,N=4096,BM=128".
class Sizes {
 public:
  // Starts with `defaults`, which also says which names there are; 0 stands for a size that has to be given.
  Sizes(const std::string& kernel, const std::string& defaults, const std::string& given);
  tilewright::index_t operator[](const std::string& name) const;

 private:
  std::map<std::string, tilewright::index_t> values_;
};

tilewright::dtype parse_dtype(const std::string& name);
tilewright::compiler::target parse_target(const std::string& name);
// "persistent,swizzle=8,latency=6,tma.0=0": the words of kernel.with(), a number after a point naming a parameter.
tilewright::schedule parse_schedule(const std::string& words);
std::vector<std::string> split(const std::string& text, char separator);

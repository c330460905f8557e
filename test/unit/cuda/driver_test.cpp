// SPDX-License-Identifier: Apache-2.0
// The table of the driver's functions is whole; what the driver says becomes an error of ours.
#include "runtime/cuda/driver.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tilewright/base/error.hpp"

namespace tilewright::cuda {
namespace {

TEST(DriverTable, IsVisitedEntryByEntry) {
  driver_table table;
  std::set<std::string> names;
  each_call(table, [&](auto& entry) { names.insert(entry.name); });
  EXPECT_EQ(names.size(), driver_calls);
}

// A driver that knows names of codes, and whose calls all give one code.
result name_of_code(result code, const char** text) {
  *text = code == result::illegal_address ? "CUDA_ERROR_ILLEGAL_ADDRESS" : nullptr;
  return *text != nullptr ? result::success : result::invalid_value;
}
driver_table failing_with(result (*init)(unsigned)) {
  driver_table table;
  table.error_name.function = table.error_text.function = name_of_code;
  table.init.function = init;
  return table;
}

report refusal_of(const driver_table& table) {
  try {
    call(table, table.init, 0u);
  } catch (const runtime_error& error) {
    return error.parts();
  }
  return {};
}

TEST(DriverCall, NamesTheCallAndTheCodeOfAFailure) {
  const report parts = refusal_of(failing_with([](unsigned) { return result::illegal_address; }));
  EXPECT_EQ(parts.what, "the GPU's context is lost");
  EXPECT_EQ(parts.where, "cuInit");
  EXPECT_EQ(parts.got, "CUDA_ERROR_ILLEGAL_ADDRESS (700): CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_FALSE(parts.fix.empty());
}

TEST(DriverCall, ExplainsACodeThatTheDriverHasNoNameFor) {
  const report parts = refusal_of(failing_with([](unsigned) { return static_cast<result>(12345); }));
  EXPECT_EQ(parts.got, "a code without a name (12345): no description");
}

TEST(DriverCall, TellsMissingMemoryFromOtherFailures) {
  const driver_table full = failing_with([](unsigned) { return result::out_of_memory; });
  EXPECT_THROW(call(full, full.init, 0u), out_of_memory);
  const driver_table other = failing_with([](unsigned) { return result::invalid_value; });
  EXPECT_THROW(call(other, other.init, 0u), driver_error);
}

TEST(DriverCall, GoesOnWhenItSucceeded) {
  const driver_table good = failing_with([](unsigned) { return result::success; });
  EXPECT_NO_THROW(call(good, good.init, 0u));
}

TEST(Driver, IsLoadedWholeOrRefusedWithWhatIsMissing) {
  try {
    const driver_table& table = loaded_driver();
    each_call(table, [](auto& entry) { EXPECT_NE(entry.function, nullptr) << entry.name; });
  } catch (const runtime_error& error) {
    EXPECT_FALSE(error.parts().what.empty());
    EXPECT_FALSE(error.parts().got.empty());
    EXPECT_NE(error.parts().fix.find("cpu_device()"), std::string::npos) << error.what();
    EXPECT_THROW((void)loaded_driver(), runtime_error) << "it is refused each time";
  }
}

}  // namespace
}  // namespace tilewright::cuda

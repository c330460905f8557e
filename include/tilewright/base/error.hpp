// SPDX-License-Identifier: Apache-2.0
// The one error taxonomy of Tilewright and Grout. Each class says whose fault it is; each object says what went
// wrong, where, what was expected, what was found and how to fix it.
// Not reached from lang headers: capture reports through constant evaluation instead.
#pragma once

#include <exception>
#include <string>

#include "tilewright/base/config.hpp"

namespace tilewright {

// The parts of one report. Fields may be empty; `what` never is. All text is lower case and has no final stop.
struct report {
  std::string what;      // "tile shapes differ"
  std::string where;     // "kernel 'gemm' at gemm.hpp:12", "file model.gguf, tensor 'w'"
  std::string expected;  // "[4, 8]"
  std::string got;       // "[8, 4]"
  std::string fix;       // "transpose the second operand"
};

// Base of every exception that Tilewright throws.
class TILEWRIGHT_API error : public std::exception {
 public:
  explicit error(report parts);

  // The full message: "what; where ...; expected ...; got ...; fix: ...". Lives as long as the object.
  const char* what() const noexcept override { return message_.c_str(); }
  const report& parts() const noexcept { return parts_; }

 private:
  report parts_;
  std::string message_;
};

// The host caller broke a rule (shape, device, lifetime). Thrown before anything is enqueued.
class TILEWRIGHT_API usage_error : public error {
 public:
  using error::error;
};

// The kernel author broke a rule that only a specialisation can show. Names the captured source line.
class TILEWRIGHT_API compile_error : public error {
 public:
  using error::error;
};

// Driver, device or file trouble. State is unchanged.
class TILEWRIGHT_API runtime_error : public error {
 public:
  using error::error;
};

class TILEWRIGHT_API out_of_memory : public runtime_error {
 public:
  using runtime_error::runtime_error;
};

// A file could not be read, is malformed, or could not be written.
class TILEWRIGHT_API io_error : public runtime_error {
 public:
  using runtime_error::runtime_error;
};

class TILEWRIGHT_API driver_error : public runtime_error {
 public:
  using runtime_error::runtime_error;
};

// A residual check failed inside a kernel. The device and all other tensors stay usable.
class TILEWRIGHT_API device_fault : public error {
 public:
  using error::error;
};

// Our own fault; the message asks for a report.
class TILEWRIGHT_API internal_error : public error {
 public:
  using error::error;
};

// Throws internal_error unless `condition` holds. `text` says which invariant broke.
TILEWRIGHT_API void require_internal(bool condition, const char* text, const char* file = __builtin_FILE(),
                                     int line = __builtin_LINE());

}  // namespace tilewright

// SPDX-License-Identifier: Apache-2.0
// A cursor over the bytes of a file that cannot step past their end, and that knows what it is reading for messages.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace grout {

static_assert(std::endian::native == std::endian::little, "GGUF values are read as stored: little-endian");

inline constexpr const char* fix_damaged = "the file is damaged or was cut short; get it again";
inline constexpr const char* fix_writer = "the program that wrote the file made an error; convert the model again";

// Text from the file made fit for a message: control characters and bytes outside ASCII escaped, long text cut.
std::string printable(std::string_view text);

class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string_view file) : bytes_(bytes), file_(file) {}

  std::uint64_t offset() const noexcept { return offset_; }
  std::uint64_t remaining() const noexcept { return bytes_.size() - offset_; }
  std::uint64_t size() const noexcept { return bytes_.size(); }

  // Says what the next reads belong to: `subject("tensor", "w")`.
  void subject(std::string_view kind, std::string_view name) {
    subject_kind_ = kind;
    subject_name_ = name;
  }

  template <class T>
  T read(std::string_view what) {
    T value;
    std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
    return value;
  }
  // A 64-bit length, then that many bytes.
  std::string_view read_string(std::string_view what);
  // The next `count` bytes, which must all be there.
  std::string_view take(std::uint64_t count, std::string_view what);
  std::string_view bytes_from(std::uint64_t begin) const { return bytes_.substr(begin, offset_ - begin); }

  // Throws tilewright::io_error about the current subject.
  [[noreturn]] void fail(std::string what, std::string expected, std::string got, std::string fix) const;

 private:
  std::string_view bytes_;
  std::string_view file_;
  std::string_view subject_kind_;
  std::string_view subject_name_;
  std::uint64_t offset_ = 0;
};

}  // namespace grout

// SPDX-License-Identifier: Apache-2.0
// Opening, checking and mapping of a file through POSIX calls.
#include "grout/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "tilewright/base/error.hpp"

namespace grout {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what, std::string got, std::string fix) {
  throw tilewright::io_error({.what = what,
                              .where = "file " + path,
                              .expected = "a readable regular file",
                              .got = std::move(got),
                              .fix = std::move(fix)});
}

[[noreturn]] void fail_with_errno(const std::string& path, const char* what, int code) {
  fail(path, what, std::generic_category().message(code), "check the path and its permissions");
}

// Closes the descriptor on every way out; the mapping does not need it.
struct Descriptor {
  int value;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path.string()) {
  // O_NONBLOCK: a named pipe without a writer must give an error below, not hang here.
  const Descriptor file{::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.value < 0) fail_with_errno(path_, "cannot open the file", errno);
  struct stat status {};
  if (::fstat(file.value, &status) != 0) fail_with_errno(path_, "cannot read the size of the file", errno);
  if (!S_ISREG(status.st_mode)) {
    fail(path_, "not a regular file", S_ISDIR(status.st_mode) ? "a directory" : "a device, pipe or socket",
         "give the path of the model file itself");
  }
  size_bytes_ = static_cast<std::size_t>(status.st_size);
  if (size_bytes_ == 0) return;
  void* address = ::mmap(nullptr, size_bytes_, PROT_READ, MAP_PRIVATE, file.value, 0);
  if (address == MAP_FAILED) fail_with_errno(path_, "cannot map the file into memory", errno);
  address_ = address;
}

MappedFile::~MappedFile() {
  if (address_ != nullptr) ::munmap(address_, size_bytes_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      address_(std::exchange(other.address_, nullptr)),
      size_bytes_(std::exchange(other.size_bytes_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(address_, other.address_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

}  // namespace grout

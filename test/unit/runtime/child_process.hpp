// SPDX-License-Identifier: Apache-2.0
// Forked copies of a test's process, for what only several processes, or one with other rights, can show.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <new>

namespace tilewright::test {

// A fork beside running threads copies the locks that they hold. The C library mends its allocator's in the child,
// AddressSanitizer does not: there the child may wait for ever, and it misses the memory of threads that it lacks. Null
// where such a child can go on, else why not.
inline const char* why_no_child_of_threads() {
#if defined(__SANITIZE_ADDRESS__)
  return "AddressSanitizer's allocator does not survive a fork beside other threads";
#else
  return nullptr;
#endif
}

// Starts a copy of this process that leaves with the function's result as its exit code.
template <class Function>
pid_t start_child(Function run) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int result = 99;
  try {
    result = run();
  } catch (...) {
  }
  ::_exit(result);
}

// The exit code of a child, or -1 when a signal ended it.
inline int wait_for(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A value that this process and its children share.
template <class T>
class shared_value {
 public:
  shared_value() {
    void* memory = ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    value_ = new (memory) T();
  }
  ~shared_value() { ::munmap(value_, sizeof(T)); }
  shared_value(const shared_value&) = delete;
  shared_value& operator=(const shared_value&) = delete;

  T& operator*() const { return *value_; }
  T* operator->() const { return value_; }

 private:
  T* value_;
};

// Gives up the rights of root, which may write everywhere. Other users keep their own.
inline bool drop_rights() { return ::geteuid() != 0 || (::setgid(65534) == 0 && ::setuid(65534) == 0); }

}  // namespace tilewright::test

// SPDX-License-Identifier: Apache-2.0
// What the fake driver keeps of its GPU: memory, which is host memory, and streams of work with a strict idea of order
// and lifetime. Knows no function of the driver; what breaks a rule is noted as a fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tilewright::test {

// A point in a stream, as an event that was recorded there names it.
struct fake_point {
  struct fake_timeline* stream = nullptr;
  bool is_passed = false;
};

// A piece of work that waits for its turn.
struct fake_work {
  std::string name;
  std::function<void()> run;
  std::shared_ptr<fake_point> waits_for;   // work of another stream
  std::vector<std::uint64_t> addresses{};  // device memory that it touches
  std::function<bool()> is_ready{};        // set by the host, from outside
};

struct fake_timeline {
  const void* context = nullptr;
  std::deque<fake_work> pending;
  std::int64_t submitted = 0;
};

class fake_gpu {
 public:
  // Work runs when somebody waits for it, or when told; else at once. The worst case for whoever frees too early.
  bool is_delayed = false;
  std::size_t memory_bytes = std::size_t{1} << 30;

  std::vector<std::string> faults;
  // "launch add 4 on 1", "wait 2 for 1": what the GPU was told, in order; streams are counted from 1.
  std::vector<std::string> journal;

  // ---- Memory
  std::uint64_t allocate(std::size_t size_bytes, const void* context);  // 0: none left
  const void* context_of(std::uint64_t address) const;                  // null: no live memory
  bool free(std::uint64_t address);  // false, and a fault, when there is no such block
  bool is_live(std::uint64_t address) const { return block_of(address) != nullptr; }
  bool covers(std::uint64_t address, std::size_t size_bytes) const;
  void* allocate_host(std::size_t size_bytes);
  bool free_host(void* address);
  bool is_pinned(const void* address) const;
  std::size_t blocks() const { return blocks_.size(); }
  std::size_t host_blocks() const { return host_blocks_.size(); }
  std::size_t bytes_in_use() const { return bytes_in_use_; }

  // ---- Streams
  fake_timeline* make_stream(const void* context);
  bool destroy_stream(fake_timeline* stream);
  bool has_stream(const fake_timeline* stream) const { return streams_.count(const_cast<fake_timeline*>(stream)) == 1; }
  int number_of(const fake_timeline* stream) const;
  std::size_t streams() const { return streams_.size(); }
  void submit(fake_timeline& stream, fake_work next);
  // Lets other threads go on while the caller waits for the host.
  std::function<void()> give_way = [] {};
  void run_ready(fake_timeline& stream);  // up to what waits for the host
  void run(fake_timeline& stream);
  void run_to(const fake_point& point);
  void run_all();
  bool is_idle(const fake_timeline& stream) const { return stream.pending.empty(); }
  // A write into memory that work of other streams still touches is a fault; but for work that waits for the host,
  // which may have put it behind the write, and for a writer that waits for others itself.
  void require_at_rest(const fake_timeline& writer, std::uint64_t address, const std::string& what);

  void fault(const std::string& text) { faults.push_back(text); }

 private:
  struct block {
    std::unique_ptr<std::byte[]> memory;
    std::uint64_t address;
    std::size_t size_bytes;
    const void* context = nullptr;
  };
  enum class step { ran, blocked, none };

  static bool is_waiting(const fake_work& work) { return work.waits_for != nullptr && !work.waits_for->is_passed; }
  bool waits_for_host(const fake_work& work, int deepest = 8) const;
  const block* block_of(std::uint64_t address) const;
  step run_one(fake_timeline& stream);
  step run_toward(const fake_point& point);

  std::map<std::uint64_t, block> blocks_;
  std::map<const void*, block> host_blocks_;
  std::size_t bytes_in_use_ = 0;
  std::map<fake_timeline*, std::unique_ptr<fake_timeline>> streams_;
  std::map<const fake_timeline*, int> numbers_;
  int streams_made_ = 0;
  int depth_ = 0;
};

}  // namespace tilewright::test

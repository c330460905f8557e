// SPDX-License-Identifier: Apache-2.0
// What faults cost the launches around them: 1000 launches in flight at once, each with an output of its own, that look
// rows up in a table. On side 0 every 10th asks for a row that there is not, on side 1 none.
#include <algorithm>
#include <optional>

#include "device/device_row.hpp"
#include "harness/paired.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::bench {
namespace {

inline constexpr Dim B{"B"};
constexpr int launches = 1000, faulty_every = 10;

// z[t, :] = table[ids[t], :]
constexpr auto look_up = kernel<"look_up">([](Block b, Out<f32, 1, B> z, In<f32, dyn, dyn> table, In<i32, dyn> ids) {
  require_equal(ids.extent(0), z.extent(0));
  require_equal(table.extent(1), z.extent(1));
  z.store(table.gather_rows(to_index(reshape(ids.load(tile<1>, b.pid(0)), tile<1, 1>)), tile<1, B>, b.pid(1)));
});

class FaultRow final : public DeviceRow {
 public:
  explicit FaultRow(const row_place& place)
      : DeviceRow({}),
        device_(place.device),
        tokens_(place.extent(4096, 4)),  // some microseconds a launch
        columns_(place.extent(1024, 64)),
        table_(device_.iota<f32>({tokens_, columns_}).share()),
        good_(ids(tokens_ - 1)),
        bad_(ids(tokens_)) {
    for (auto& each : outputs_) each.emplace(output());
    (void)run(false, 1);  // compiles: a device that is not there runs nothing
  }

  double host_seconds(int side, int times) override {
    double seconds = 0.0;
    for (int i = 0; i < times; ++i) {
      seconds += seconds_of([&] { faults_ = run(side == 0, launches); });
      expected_faults_ = side == 0 ? launches / faulty_every : 0;
      require_right();
      for (auto& each : outputs_) {
        if (!each) each.emplace(output());  // what a fault has kept
      }
    }
    return seconds / times;
  }

 private:
  using given = std::tuple<Tensor<f32>, Shared<f32>, Shared<i32>>;

  Tensor<f32> output() const { return device_.empty<f32>({tokens_, columns_}); }
  // The last token's id is `last`.
  Shared<i32> ids(index_t last) const {
    std::vector<i32> values(static_cast<std::size_t>(tokens_));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<i32>(values.size() - 1 - i);
    values.back() = static_cast<i32>(last);
    return device_.from_host(values, {tokens_}).share();
  }

  // Starts `count` launches, then waits for each; gives the count of faults.
  int run(bool is_faulty, int count) {
    std::vector<InFlight<given>> flights;
    flights.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      const Shared<i32>& asked = is_faulty && i % faulty_every == faulty_every - 1 ? bad_ : good_;
      std::optional<Tensor<f32>>& z = outputs_[static_cast<std::size_t>(i)];
      flights.push_back(look_up(std::move(*z).partition({1, columns_}), table_, asked).start());
      z.reset();
    }
    int faults = 0;
    for (int i = 0; i < count; ++i) {
      try {
        outputs_[static_cast<std::size_t>(i)].emplace(
            std::get<0>(std::move(flights[static_cast<std::size_t>(i)]).wait()));
      } catch (const device_fault&) {
        ++faults;
      }
    }
    return faults;
  }

  // As many faults as asked for, and right rows in some of the others' outputs.
  void require_right() const {
    bool is_right = faults_ == expected_faults_;
    for (std::size_t at = 0; at < outputs_.size() && is_right; at += 37) {
      if (!outputs_[at]) continue;
      const std::vector<f32> rows = outputs_[at]->to_host();
      is_right = rows.front() == static_cast<f32>((tokens_ - 1) * columns_) &&
                 rows[rows.size() - 1] == static_cast<f32>(tokens_ * columns_ - 1);
    }
    if (is_right) return;
    throw runtime_error({.what = "faulting launches and those around them are not as they should be",
                         .where = "device benchmark, kernel 'look_up'",
                         .expected = std::to_string(expected_faults_) + " faults, all other results right",
                         .got = std::to_string(faults_) + " faults",
                         .fix = "a fault must cost its own launch only"});
  }

  const Device device_;
  const index_t tokens_, columns_;
  const Shared<f32> table_;
  const Shared<i32> good_, bad_;
  std::array<std::optional<Tensor<f32>>, launches> outputs_;
  int faults_ = 0, expected_faults_ = 0;
};

constexpr row_maker rows[] = {
    {"launches_every_10th_faulting",
     [](const row_place& place) -> std::unique_ptr<DeviceRow> { return std::make_unique<FaultRow>(place); }}};

}  // namespace

std::span<const row_maker> fault_rows() { return rows; }

}  // namespace tilewright::bench

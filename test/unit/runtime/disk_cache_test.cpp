// SPDX-License-Identifier: Apache-2.0
// A disk cache returns what was stored or nothing, whatever happens to its folder; it never throws.
#include "runtime/disk_cache.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "unit/runtime/child_process.hpp"
#include "unit/runtime/temporary_folder.hpp"

namespace tilewright::runtime {
namespace {

namespace fs = std::filesystem;
using test::temporary_folder;

constexpr compiler::image_key key{{0x0123456789abcdef, 0xfedcba9876543210}};
constexpr compiler::image_key other_key{{0x1111111111111111, 0x2222222222222222}};

std::vector<std::byte> bytes_of(std::size_t size, int seed = 1) {
  std::vector<std::byte> made(size);
  for (std::size_t i = 0; i < size; ++i) made[i] = static_cast<std::byte>(i * 7 + static_cast<std::size_t>(seed));
  return made;
}

class DiskCache : public testing::Test {
 protected:
  temporary_folder temporary;
  fs::path folder = temporary.path() / "images";
  disk_cache cache{{.folder = folder, .problem = {}}};

  fs::path entry(const compiler::image_key& of = key) const { return folder / (to_text(of) + ".image"); }
  std::string entry_text() const {
    std::ifstream file(entry(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write_entry(const std::string& text) const { std::ofstream(entry(), std::ios::binary) << text; }
  std::size_t files_in_folder(const std::string& suffix) const {
    std::size_t found = 0;
    for (const auto& file : fs::directory_iterator(folder)) found += file.path().extension() == suffix ? 1 : 0;
    return found;
  }
};

// ---- Entries -------------------------------------------------------------------------------------------------------
TEST_F(DiskCache, ReturnsWhatWasStored) {
  cache.store(key, bytes_of(1000));
  EXPECT_EQ(cache.load(key), bytes_of(1000));
  EXPECT_EQ(disk_cache({.folder = folder, .problem = {}}).load(key), bytes_of(1000)) << "another process's view";
  EXPECT_EQ(cache.last_problem(), "");
}

TEST_F(DiskCache, KeepsAnEmptyObject) {
  cache.store(key, {});
  EXPECT_EQ(cache.load(key), std::vector<std::byte>());
}

TEST_F(DiskCache, HasNothingBeforeTheFirstStore) {
  EXPECT_EQ(cache.load(key), std::nullopt);
  EXPECT_EQ(cache.last_problem(), "") << "a miss is no problem";
}

TEST_F(DiskCache, KeepsKeysApart) {
  cache.store(key, bytes_of(10, 1));
  cache.store(other_key, bytes_of(10, 2));
  EXPECT_EQ(cache.load(key), bytes_of(10, 1));
  EXPECT_EQ(cache.load(other_key), bytes_of(10, 2));
}

TEST_F(DiskCache, ReplacesAnEntry) {
  cache.store(key, bytes_of(10, 1));
  cache.store(key, bytes_of(2000, 2));
  EXPECT_EQ(cache.load(key), bytes_of(2000, 2));
  EXPECT_EQ(files_in_folder(".tmp"), 0u);
}

TEST_F(DiskCache, MakesItsFolderForTheUserAlone) {
  cache.store(key, bytes_of(10));
  struct stat status {};
  ASSERT_EQ(::stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(::stat(entry().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

// ---- Damage --------------------------------------------------------------------------------------------------------
TEST_F(DiskCache, TakesAFlippedBitAnywhereForAMissAndStoresAgain) {
  cache.store(key, bytes_of(100));
  const std::string sound = entry_text();
  ASSERT_EQ(sound.size(), 148u);
  for (std::size_t position = 0; position < sound.size(); ++position) {
    std::string damaged = sound;
    damaged[position] = static_cast<char>(damaged[position] ^ 1 << position % 8);
    write_entry(damaged);
    ASSERT_EQ(cache.load(key), std::nullopt) << "byte " << position;
    ASSERT_NE(cache.last_problem().find(entry().string()), std::string::npos);
  }
  cache.store(key, bytes_of(100));
  EXPECT_EQ(cache.load(key), bytes_of(100));
}

TEST_F(DiskCache, TakesACutOffEntryForAMiss) {
  cache.store(key, bytes_of(100));
  const std::string sound = entry_text();
  for (std::size_t length = 0; length < sound.size(); ++length) {
    write_entry(sound.substr(0, length));
    ASSERT_EQ(cache.load(key), std::nullopt) << length << " bytes";
  }
}

TEST_F(DiskCache, TakesATooLongEntryForAMiss) {
  cache.store(key, bytes_of(100));
  write_entry(entry_text() + "x");
  EXPECT_EQ(cache.load(key), std::nullopt);
}

TEST_F(DiskCache, TakesAnEntryOfAnotherKernelForAMiss) {
  cache.store(other_key, bytes_of(100));
  fs::rename(entry(other_key), entry());
  EXPECT_EQ(cache.load(key), std::nullopt);
}

TEST_F(DiskCache, TakesAFolderInPlaceOfAnEntryForAMiss) {
  fs::create_directories(entry());
  EXPECT_EQ(cache.load(key), std::nullopt);
  cache.store(key, bytes_of(100));
  EXPECT_EQ(cache.load(key), std::nullopt);
  EXPECT_EQ(files_in_folder(".tmp"), 0u);
}

TEST_F(DiskCache, DoesNotFollowALink) {
  cache.store(other_key, bytes_of(100));
  fs::create_symlink(entry(other_key), entry());
  EXPECT_EQ(cache.load(key), std::nullopt);
}

TEST_F(DiskCache, DoesNotTrustAnEntryThatOthersMayWrite) {
  for (const unsigned mode : {0620U, 0602U}) {  // the group, everybody
    cache.store(key, bytes_of(100));
    EXPECT_NE(cache.load(key), std::nullopt);
    fs::permissions(entry(), fs::perms(mode));
    EXPECT_EQ(cache.load(key), std::nullopt) << mode;
  }
}

TEST_F(DiskCache, DoesNotTrustAnEntryOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  cache.store(key, bytes_of(100));
  ASSERT_EQ(::chown(entry().c_str(), 65534, 65534), 0);
  EXPECT_EQ(cache.load(key), std::nullopt);
}

// ---- Folders that do not work --------------------------------------------------------------------------------------
TEST_F(DiskCache, DoesNotUseAFolderThatOthersMayWrite) {
  fs::create_directories(folder);
  for (const unsigned mode : {0720U, 0702U}) {  // the group, everybody
    fs::permissions(folder, fs::perms(mode));
    cache.store(key, bytes_of(100));
    EXPECT_EQ(files_in_folder(".image"), 0u) << mode;
    EXPECT_EQ(cache.last_problem(), folder.string() + ": others may write to it");
  }
}

TEST_F(DiskCache, DoesNotUseAFolderOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give folders away";
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms(0700));
  ASSERT_EQ(::chown(folder.c_str(), 65534, 65534), 0);
  cache.store(key, bytes_of(100));
  EXPECT_EQ(files_in_folder(".image"), 0u);
  EXPECT_EQ(cache.last_problem(), folder.string() + ": others may write to it");
}

TEST_F(DiskCache, LivesWithAFileInPlaceOfItsFolder) {
  std::ofstream(folder) << "x";
  cache.store(key, bytes_of(100));
  EXPECT_EQ(cache.load(key), std::nullopt);
  EXPECT_EQ(cache.last_problem(), folder.string() + ": it is not a folder");
}

TEST_F(DiskCache, ReadsAReadOnlyFolderAndStoresNothing) {
  fs::permissions(temporary.path(), fs::perms(0755));
  const pid_t child = test::start_child([&] {
    if (::geteuid() == 0 && ::chown(temporary.path().c_str(), 65534, 65534) != 0) return 10;
    if (!test::drop_rights()) return 11;
    cache.store(key, bytes_of(100));
    if (::chmod(folder.c_str(), 0555) != 0) return 12;
    cache.store(other_key, bytes_of(100));
    if (cache.load(key) != bytes_of(100)) return 1;
    if (cache.load(other_key)) return 2;
    const bool is_named = cache.last_problem() == entry(other_key).string() + ": Permission denied";
    return ::chmod(folder.c_str(), 0755) == 0 && is_named ? 0 : 3;
  });
  EXPECT_EQ(test::wait_for(child), 0);
}

TEST_F(DiskCache, LivesWithAFolderThatCannotBeMade) {
  const disk_settings settings{.folder = "/proc/tilewright/images", .problem = {}};
  disk_cache nowhere(settings);
  nowhere.store(key, bytes_of(100));
  EXPECT_EQ(nowhere.load(key), std::nullopt);
  EXPECT_NE(nowhere.last_problem(), "");
}

TEST_F(DiskCache, LivesWithAFullDisk) {
  cache.store(other_key, bytes_of(100));
  const pid_t child = test::start_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 10;
    cache.store(key, bytes_of(5000));
    if (cache.load(key)) return 1;
    if (cache.last_problem() != entry().string() + ": File too large") return 2;
    return cache.load(other_key) == bytes_of(100) ? 0 : 3;
  });
  EXPECT_EQ(test::wait_for(child), 0);
  EXPECT_EQ(files_in_folder(".tmp"), 0u) << "nothing is left behind";
}

TEST_F(DiskCache, NamesItsFirstProblemOnStderrAndOnlyThat) {
  std::ofstream(folder) << "x";
  testing::internal::CaptureStderr();
  cache.store(key, bytes_of(100));
  cache.store(other_key, bytes_of(100));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tilewright: trouble with the image cache: " + folder.string() + ": it is not a folder\n");
}

TEST_F(DiskCache, ShowsNoPartialEntryWhenAWriterIsKilled) {
  for (int round = 0; round < 20; ++round) {
    int started[2];
    ASSERT_EQ(::pipe(started), 0);
    const pid_t child = test::start_child([&] {
      for (int i = 0;; ++i) {
        cache.store(key, bytes_of(200'000, i));
        if (::write(started[1], "x", 1) != 1) return 1;
      }
    });
    char heard[8];
    ASSERT_GT(::read(started[0], heard, 1 + static_cast<std::size_t>(round % 7)), 0);
    ::kill(child, SIGKILL);
    EXPECT_EQ(test::wait_for(child), -1);
    ::close(started[0]);
    ::close(started[1]);
    const auto found = cache.load(key);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), 200'000u);
  }
  EXPECT_EQ(cache.last_problem(), "");
}

// ---- Size ----------------------------------------------------------------------------------------------------------
class SmallDiskCache : public DiskCache {
 protected:
  disk_cache small{{.folder = folder, .max_bytes = 1000, .problem = {}}};
  static compiler::image_key numbered(std::uint64_t n) { return {{n, n}}; }
  void set_age(std::uint64_t n, int hours) {
    fs::last_write_time(entry(numbered(n)), fs::file_time_type::clock::now() - std::chrono::hours(hours));
  }
};

TEST_F(SmallDiskCache, DropsWhatWasNotUsedForLongest) {
  for (std::uint64_t n = 1; n <= 4; ++n) small.store(numbered(n), bytes_of(152));  // 200 bytes each on disk
  for (std::uint64_t n = 1; n <= 4; ++n) set_age(n, 10 - static_cast<int>(n));
  EXPECT_TRUE(small.load(numbered(1))) << "and with this it is used now";
  small.store(numbered(5), bytes_of(152));
  small.store(numbered(6), bytes_of(152));
  EXPECT_TRUE(fs::exists(entry(numbered(1))));
  EXPECT_FALSE(fs::exists(entry(numbered(2))));
  EXPECT_FALSE(fs::exists(entry(numbered(3))));
  EXPECT_TRUE(fs::exists(entry(numbered(4))));
  EXPECT_TRUE(fs::exists(entry(numbered(5))));
  EXPECT_TRUE(fs::exists(entry(numbered(6))));
}

TEST_F(SmallDiskCache, CountsWhatOtherProcessesStored) {
  for (std::uint64_t n = 1; n <= 20; ++n) cache.store(numbered(n), bytes_of(152));
  small.store(numbered(21), bytes_of(152));
  EXPECT_LE(files_in_folder(".image"), 5u);
  EXPECT_TRUE(fs::exists(entry(numbered(21))));
}

TEST_F(SmallDiskCache, DoesNotStoreWhatIsLargerThanItsLimit) {
  small.store(numbered(1), bytes_of(152));
  small.store(numbered(2), bytes_of(1000));
  EXPECT_TRUE(small.load(numbered(1)));
  EXPECT_FALSE(small.load(numbered(2)));
}

TEST_F(SmallDiskCache, RemovesWhatKilledWritersLeftBehindLongAgo) {
  fs::create_directories(folder);
  const fs::path old = folder / "a.1.0.tmp", fresh = folder / "b.1.0.tmp", foreign = folder / "notes.txt";
  for (const fs::path& path : {old, fresh, foreign}) std::ofstream(path) << "x";
  for (const fs::path& path : {old, foreign}) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  fs::permissions(folder, fs::perms(0700));
  small.store(numbered(1), bytes_of(10));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh)) << "its writer may be at work";
  EXPECT_TRUE(fs::exists(foreign)) << "not ours to remove";
}

// ---- Locks ---------------------------------------------------------------------------------------------------------
TEST_F(DiskCache, LetsOneProcessAtATimeWorkOnAKey) {
  struct numbers {
    std::atomic<int> inside{0}, most{0}, turns{0};
  };
  test::shared_value<numbers> seen;
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(test::start_child([&] {
      for (int turn = 0; turn < 5; ++turn) {
        const auto held = cache.lock(key);
        const int now = seen->inside.fetch_add(1) + 1;
        if (now > seen->most.load()) seen->most = now;
        for (int look = 0; look < 100; ++look) std::this_thread::yield();
        seen->turns.fetch_add(1);
        seen->inside.fetch_sub(1);
      }
      return 0;
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(test::wait_for(child), 0);
  EXPECT_EQ(seen->most.load(), 1);
  EXPECT_EQ(seen->turns.load(), 20);
}

TEST_F(DiskCache, GivesTheLockOfAKilledProcessToTheNext) {
  int locked[2];
  ASSERT_EQ(::pipe(locked), 0);
  const pid_t child = test::start_child([&] {
    const auto held = cache.lock(key);
    if (::write(locked[1], "x", 1) != 1) return 1;
    for (;;) ::pause();
  });
  char heard;
  ASSERT_EQ(::read(locked[0], &heard, 1), 1);
  ::kill(child, SIGKILL);
  test::wait_for(child);
  const auto begun = std::chrono::steady_clock::now();
  const auto held = cache.lock(key);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20)) << "it gave up instead";
}

// ---- Settings ------------------------------------------------------------------------------------------------------
class DiskSettings : public testing::Test {
 protected:
  static constexpr const char* names[] = {"TILEWRIGHT_CACHE_DIR", "TILEWRIGHT_CACHE_MAX_BYTES", "XDG_CACHE_HOME",
                                          "HOME"};
  void SetUp() override {
    for (const char* name : names) {
      const char* value = std::getenv(name);
      before.push_back(value == nullptr ? std::nullopt : std::optional<std::string>(value));
      ::unsetenv(name);
    }
  }
  void TearDown() override {
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i])
        ::setenv(names[i], before[i]->c_str(), 1);
      else
        ::unsetenv(names[i]);
    }
  }
  std::vector<std::optional<std::string>> before;
};

TEST_F(DiskSettings, PreferTheOwnVariableThenTheCacheHomeThenHome) {
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(disk_settings_from_environment().folder, "/home/me/.cache/tilewright");
  ::setenv("XDG_CACHE_HOME", "/caches", 1);
  EXPECT_EQ(disk_settings_from_environment().folder, "/caches/tilewright");
  ::setenv("TILEWRIGHT_CACHE_DIR", "/images", 1);
  EXPECT_EQ(disk_settings_from_environment().folder, "/images");
  EXPECT_EQ(disk_settings_from_environment().problem, "");
}

TEST_F(DiskSettings, CanBeOff) {
  ::setenv("HOME", "/home/me", 1);
  ::setenv("TILEWRIGHT_CACHE_DIR", "off", 1);
  EXPECT_EQ(disk_settings_from_environment().folder, "");
  EXPECT_EQ(disk_settings_from_environment().problem, "");
}

TEST_F(DiskSettings, LiveWithoutHome) {
  const disk_settings settings = disk_settings_from_environment();
  EXPECT_EQ(settings.folder, "");
  EXPECT_NE(settings.problem.find("TILEWRIGHT_CACHE_DIR"), std::string::npos);
  disk_cache nowhere(settings);
  EXPECT_FALSE(nowhere.is_on());
  nowhere.store(key, bytes_of(10));
  EXPECT_EQ(nowhere.load(key), std::nullopt);
  EXPECT_EQ(nowhere.last_problem(), settings.problem);
}

TEST_F(DiskSettings, ReadTheLimit) {
  ::setenv("TILEWRIGHT_CACHE_DIR", "/images", 1);
  EXPECT_EQ(disk_settings_from_environment().max_bytes, std::uint64_t{1} << 30);
  ::setenv("TILEWRIGHT_CACHE_MAX_BYTES", "5000000000", 1);
  EXPECT_EQ(disk_settings_from_environment().max_bytes, 5'000'000'000u);
  ::setenv("TILEWRIGHT_CACHE_MAX_BYTES", "1G", 1);
  EXPECT_EQ(disk_settings_from_environment().max_bytes, std::uint64_t{1} << 30);
  EXPECT_NE(disk_settings_from_environment().problem.find("'1G'"), std::string::npos);
}

}  // namespace
}  // namespace tilewright::runtime

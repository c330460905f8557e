// SPDX-License-Identifier: Apache-2.0
#include "runtime/disk_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "tilewright/base/error.hpp"

namespace tilewright::runtime {
namespace {

namespace fs = std::filesystem;

// ---- Format of an entry --------------------------------------------------------------------------------------------
// The header, then the object's bytes. `checksum` covers both, itself taken as 0. The byte order is the machine's: the
// key names the machine's processor.
struct entry_header {
  char magic[8];
  std::uint64_t format;
  std::uint64_t key[2];
  std::uint64_t object_bytes;
  std::uint64_t checksum;
};
static_assert(sizeof(entry_header) == 48);
constexpr std::array<char, 8> entry_magic = {'T', 'W', 'I', 'M', 'A', 'G', 'E', '\n'};
constexpr std::uint64_t entry_format = 1;
constexpr std::string_view entry_suffix = ".image", temporary_suffix = ".tmp";

entry_header header_of(const compiler::image_key& key, std::uint64_t object_bytes) {
  entry_header made{};
  std::copy(entry_magic.begin(), entry_magic.end(), made.magic);
  made.format = entry_format;
  std::copy(std::begin(key.words), std::end(key.words), made.key);
  made.object_bytes = object_bytes;
  return made;
}

std::uint64_t checksum_of(entry_header header, std::span<const std::byte> object) {
  header.checksum = 0;
  return XXH3_64bits_withSeed(object.data(), object.size(), XXH3_64bits(&header, sizeof header));
}

// ---- Files ---------------------------------------------------------------------------------------------------------
class open_file {
 public:
  open_file(const fs::path& path, int flags, mode_t mode = 0)
      : number_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, mode)) {}
  ~open_file() {
    if (number_ >= 0) ::close(number_);
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;

  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  bool close() { return ::close(release()) == 0; }

 private:
  int number_;
};

std::string reason_of(int error_number) { return std::strerror(error_number); }

// Whether all bytes came; errno says why not, 0 at the end of the file.
bool read_all(int file, void* into, std::size_t size) {
  auto* at = static_cast<std::byte*>(into);
  while (size > 0) {
    const ssize_t got = ::read(file, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = 0;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int file, const void* from, std::size_t size) {
  const auto* at = static_cast<const std::byte*>(from);
  while (size > 0) {
    const ssize_t put = ::write(file, at, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

// Entries hold machine code: one that somebody else could have written is not trusted.
bool is_ours(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

// ---- Settings ------------------------------------------------------------------------------------------------------
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

fs::path folder_from_environment(std::string& problem) {
  if (const auto wanted = variable("TILEWRIGHT_CACHE_DIR"); !wanted.empty()) {
    return wanted == "off" ? fs::path() : fs::path(wanted);
  }
  if (const auto caches = variable("XDG_CACHE_HOME"); !caches.empty()) return fs::path(caches) / "tilewright";
  if (const auto home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "tilewright";
  problem = "there is no HOME; set TILEWRIGHT_CACHE_DIR to a folder, or to 'off'";
  return {};
}

}  // namespace

disk_settings disk_settings_from_environment() {
  disk_settings made;
  made.folder = folder_from_environment(made.problem);
  if (const auto limit = variable("TILEWRIGHT_CACHE_MAX_BYTES"); !limit.empty()) {
    std::uint64_t bytes = 0;
    const auto [end, fault] = std::from_chars(limit.data(), limit.data() + limit.size(), bytes);
    if (fault == std::errc() && end == limit.data() + limit.size()) {
      made.max_bytes = bytes;
    } else {
      made.problem = "TILEWRIGHT_CACHE_MAX_BYTES is '" + std::string(limit) + "', not a number; the limit stays " +
                     std::to_string(made.max_bytes);
    }
  }
  return made;
}

// ---- Entries -------------------------------------------------------------------------------------------------------
disk_cache::disk_cache(disk_settings settings) : settings_(std::move(settings)) {
  if (!settings_.problem.empty()) add_problem(settings_.folder, settings_.problem);
}

fs::path disk_cache::entry_path(const compiler::image_key& key) const {
  return settings_.folder / (to_text(key) + std::string(entry_suffix));
}

std::optional<std::vector<std::byte>> disk_cache::load(const compiler::image_key& key) {
  if (!is_on()) return std::nullopt;
  const fs::path path = entry_path(key);
  const open_file file(path, O_RDONLY);
  if (!file) {
    if (errno != ENOENT && errno != ENOTDIR) add_problem(path, reason_of(errno));
    return std::nullopt;
  }
  struct stat status {};
  entry_header header{};
  if (::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) || !is_ours(status)) {
    add_problem(path, "somebody else could have written it");
    return std::nullopt;
  }
  entry_header expected = header_of(key, static_cast<std::uint64_t>(status.st_size) - sizeof header);
  if (static_cast<std::size_t>(status.st_size) < sizeof header || !read_all(file.number(), &header, sizeof header)) {
    add_problem(path, "the entry is cut off");
    return std::nullopt;
  }
  expected.checksum = header.checksum;
  if (std::memcmp(&header, &expected, sizeof header) != 0) {
    add_problem(path, "the entry's header is damaged, or another kernel's");
    return std::nullopt;
  }
  std::vector<std::byte> object(header.object_bytes);
  if (!read_all(file.number(), object.data(), object.size()) || checksum_of(header, object) != header.checksum) {
    add_problem(path, "the entry is damaged");
    return std::nullopt;
  }
  ::futimens(file.number(), nullptr);  // used now; that this may fail in a read-only folder is fine
  return object;
}

std::vector<compiler::image_key> disk_cache::keys() const {
  std::vector<compiler::image_key> found;
  std::error_code fault;
  for (fs::directory_iterator at(settings_.folder, fault), end; !fault && at != end; at.increment(fault)) {
    const std::string name = at->path().stem().string();
    compiler::image_key key{};
    if (at->path().extension() != entry_suffix || name.size() != 32) continue;
    for (std::size_t word = 0; word < 2; ++word) {
      std::from_chars(name.data() + 16 * word, name.data() + 16 * word + 16, key.words[word], 16);
    }
    if (to_text(key) == name) found.push_back(key);
  }
  if (fault) {
    throw io_error({.what = "a folder of images cannot be read",
                    .where = settings_.folder.string(),
                    .expected = {},
                    .got = fault.message(),
                    .fix = "name a folder that TILEWRIGHT_CACHE_DIR named"});
  }
  const auto before = [](const compiler::image_key& a, const compiler::image_key& b) {
    return std::pair(a.words[0], a.words[1]) < std::pair(b.words[0], b.words[1]);
  };
  std::sort(found.begin(), found.end(), before);
  return found;
}

void disk_cache::store(const compiler::image_key& key, std::span<const std::byte> object) {
  const std::uint64_t bytes = sizeof(entry_header) + object.size();
  if (!is_on() || bytes > settings_.max_bytes || !prepare_folder()) return;
  static std::atomic<std::uint64_t> stores{0};
  const fs::path path = entry_path(key);
  const fs::path temporary = settings_.folder / (to_text(key) + "." + std::to_string(::getpid()) + "." +
                                                 std::to_string(stores.fetch_add(1)) + std::string(temporary_suffix));
  entry_header header = header_of(key, object.size());
  header.checksum = checksum_of(header, object);

  open_file file(temporary, O_WRONLY | O_CREAT | O_EXCL, 0600);
  const bool written = file && write_all(file.number(), &header, sizeof header) &&
                       write_all(file.number(), object.data(), object.size()) && file.close();
  if (!written || ::rename(temporary.c_str(), path.c_str()) != 0) {
    add_problem(path, reason_of(errno));
    ::unlink(temporary.c_str());
    return;
  }
  make_room(bytes);
}

void disk_cache::report_unusable(const compiler::image_key& key, const std::string& reason) {
  add_problem(entry_path(key), reason);
}

bool disk_cache::prepare_folder() {
  std::error_code fault;
  fs::create_directories(settings_.folder.parent_path(), fault);
  if (::mkdir(settings_.folder.c_str(), 0700) != 0 && errno != EEXIST) {
    add_problem(settings_.folder, reason_of(errno));
    return false;
  }
  struct stat status {};
  if (::stat(settings_.folder.c_str(), &status) != 0) {
    add_problem(settings_.folder, reason_of(errno));
    return false;
  }
  if (!S_ISDIR(status.st_mode) || !is_ours(status)) {
    add_problem(settings_.folder, S_ISDIR(status.st_mode) ? "others may write to it" : "it is not a folder");
    return false;
  }
  return true;
}

// ---- Size ----------------------------------------------------------------------------------------------------------
namespace {

struct entry_file {
  fs::path path;
  fs::file_time_type used;
  std::uint64_t bytes;
};

// The entries, the one that was not used for longest first. Removes what interrupted processes left behind.
std::vector<entry_file> list_entries(const fs::path& folder) {
  constexpr auto abandoned_after = std::chrono::hours(1);
  std::vector<entry_file> found;
  std::error_code fault;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault)) {
    std::error_code gone;  // another process may remove what is listed
    entry_file file{at->path(), at->last_write_time(gone), at->file_size(gone)};
    if (gone) continue;
    if (file.path.extension() == entry_suffix)
      found.push_back(std::move(file));
    else if (file.path.extension() == temporary_suffix &&
             fs::file_time_type::clock::now() - file.used > abandoned_after)
      fs::remove(file.path, gone);
  }
  std::sort(found.begin(), found.end(), [](const entry_file& a, const entry_file& b) { return a.used < b.used; });
  return found;
}

}  // namespace

// The folder is listed at the first store and when it seems full; then a tenth is made free, so that not every store
// lists it.
void disk_cache::make_room(std::uint64_t added_bytes) {
  const std::scoped_lock lock(guard_);
  if (used_bytes_) *used_bytes_ += added_bytes;
  if (used_bytes_ && *used_bytes_ <= settings_.max_bytes) return;
  const std::vector<entry_file> entries = list_entries(settings_.folder);
  std::uint64_t used = 0;
  for (const entry_file& entry : entries) used += entry.bytes;
  const std::uint64_t wanted = used > settings_.max_bytes ? settings_.max_bytes / 10 * 9 : used;
  for (const entry_file& entry : entries) {
    if (used <= wanted) break;
    std::error_code fault;
    fs::remove(entry.path, fault);
    if (!fault) used -= entry.bytes;
  }
  used_bytes_ = used;
}

// ---- One process per key -------------------------------------------------------------------------------------------
// One file for all keys: a byte of it stands for a key. Such locks go with the process that holds them, and leave
// nothing behind.
disk_cache::key_lock disk_cache::lock(const compiler::image_key& key) {
  using namespace std::chrono_literals;
  if (!is_on() || !prepare_folder()) return key_lock();
  open_file file(settings_.folder / "locks", O_RDWR | O_CREAT, 0600);
  if (!file) return key_lock();
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(key.words[1] >> 2);
  range.l_len = 1;
  // A process that was stopped in the middle must not stop us too, so we look instead of waiting without end.
  const auto give_up = std::chrono::steady_clock::now() + 30s;
  for (auto pause = 1ms; ::fcntl(file.number(), F_OFD_SETLK, &range) != 0; pause = std::min(2 * pause, 16ms)) {
    if ((errno != EAGAIN && errno != EACCES) || std::chrono::steady_clock::now() > give_up) return key_lock();
    std::this_thread::sleep_for(pause);
  }
  return key_lock(file.release());
}

disk_cache::key_lock::~key_lock() {
  if (file_ >= 0) ::close(file_);
}

// ---- Problems ------------------------------------------------------------------------------------------------------
void disk_cache::add_problem(const fs::path& path, const std::string& reason) {
  const std::scoped_lock lock(guard_);
  const bool first = last_problem_.empty();
  last_problem_ = path.empty() ? reason : path.string() + ": " + reason;
  if (first) std::fprintf(stderr, "tilewright: trouble with the image cache: %s\n", last_problem_.c_str());
}

std::string disk_cache::last_problem() const {
  const std::scoped_lock lock(guard_);
  return last_problem_;
}

}  // namespace tilewright::runtime

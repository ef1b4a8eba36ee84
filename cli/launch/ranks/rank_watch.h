// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

namespace ampprof::cli {

/// How the process of a rank ended.
struct RankEnding {
  std::optional<int> exit_code;          ///< 128 + signal for a signal; empty if unknown here
  std::optional<std::int64_t> ended_ns;  ///< since 1970; empty if unknown

  bool operator==(const RankEnding&) const = default;
};

using RankEndings = std::map<std::int64_t, RankEnding>;  ///< by rank

/// Watches the ends of processes that a launcher started and that are not our children. Each recorded rank leaves its
/// process id in its claim file. The kernel reports the end of that process, and its exit code if asked in time.
class RankWatch {
 public:
  /// `claim` is the path that names the ranks' claims (recording::file_of_rank()).
  explicit RankWatch(std::filesystem::path claim);
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

  /// A descriptor that is readable when a rank has left its claim, or when a process has ended that update() should ask
  /// about; -1 if the kernel does not support it.
  int descriptor() const { return epoll_; }

  /// Looks for new claims, and asks about processes that have ended.
  void update();

  std::optional<std::int64_t> lowest_rank() const;
  const RankEndings& endings() const { return endings_; }

 private:
  struct Watched {
    std::int64_t process = 0;
    int descriptor = -1;  ///< a pidfd; -1 if there is nothing more to see
  };

  void begin(std::int64_t rank, std::int64_t process);
  void take_endings();
  static std::optional<int> exit_code_of(const Watched& watched);

  std::filesystem::path claim_;
  int epoll_ = -1;
  int claims_ = -1;                          ///< an inotify of the folder of claims
  std::map<std::int64_t, Watched> watched_;  ///< by rank
  RankEndings endings_;
};

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

namespace ampprof::cli {

/// How the process of a rank ended.
struct RankEnding {
  std::optional<int> exit_code;          ///< 128 + signal where a signal ended it; empty where nobody here can know
  std::optional<std::int64_t> ended_ns;  ///< since 1970; empty where nobody saw it

  bool operator==(const RankEnding&) const = default;
};

using RankEndings = std::map<std::int64_t, RankEnding>;  ///< by rank

/// Sees how processes end that a launcher started: they are no children of ours. Each rank that is recorded leaves its
/// process id in its claim file; the kernel tells when that process ends, and its exit code to whoever asks in time.
class RankWatch {
 public:
  /// `claim` is the path that ranks' claims are named after (recording::file_of_rank()).
  explicit RankWatch(std::filesystem::path claim);
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

  /// Can be read when a rank has left its claim, or a process has ended that update() is to ask for; -1 where the
  /// kernel cannot tell.
  int descriptor() const { return epoll_; }

  /// Looks for new claims, and asks for what has ended.
  void update();

  std::optional<std::int64_t> lowest_rank() const;
  const RankEndings& endings() const { return endings_; }

 private:
  struct Watched {
    std::int64_t process = 0;
    int descriptor = -1;  ///< a pidfd; -1 where there is nothing more to see
  };

  void begin(std::int64_t rank, std::int64_t process);
  void take_endings();
  static std::optional<int> exit_code_of(const Watched& watched);

  std::filesystem::path claim_;
  int epoll_ = -1;
  int claims_ = -1;                          ///< an inotify of the folder that claims are left in
  std::map<std::int64_t, Watched> watched_;  ///< by rank
  RankEndings endings_;
};

}  // namespace ampprof::cli

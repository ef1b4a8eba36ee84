// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

namespace ampprof::cli {

/// How the process of a rank ended.
struct RankEnding {
  std::optional<int> exit_code;          ///< 128 + signal if a signal ended it; empty if unknown
  std::optional<std::int64_t> ended_ns;  ///< since 1970; empty if unknown

  bool operator==(const RankEnding&) const = default;
};

using RankEndings = std::map<std::int64_t, RankEnding>;  ///< by rank

/// Detects when ranks end. A launcher started them, so they are not ampprof's children. Each recorded rank writes its
/// process id into its claim file. The kernel reports the end of this process, and the exit code if ampprof asks in
/// time.
class RankWatch {
 public:
  /// A rank's claim file is recording::file_of_rank(claim, rank).
  explicit RankWatch(std::filesystem::path claim);
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

  /// A descriptor that becomes readable when update() has work: a rank has written its claim file, or a process has
  /// ended. -1 if the kernel does not support it.
  int descriptor() const { return epoll_; }

  /// Reads new claim files, and gets the exit codes of processes that have ended.
  void update();

  std::optional<std::int64_t> lowest_rank() const;
  const RankEndings& endings() const { return endings_; }

 private:
  struct Watched {
    std::int64_t process = 0;
    int descriptor = -1;  ///< a pidfd; -1 after the process has ended
  };

  void begin(std::int64_t rank, std::int64_t process);
  void take_endings();
  static std::optional<int> exit_code_of(const Watched& watched);

  std::filesystem::path claim_;
  int epoll_ = -1;
  int claims_ = -1;                          ///< an inotify on the folder of the claim files
  std::map<std::int64_t, Watched> watched_;  ///< by rank
  RankEndings endings_;
};

}  // namespace ampprof::cli

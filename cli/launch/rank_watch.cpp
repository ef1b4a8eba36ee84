// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/rank_watch.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "cli/launch/child.h"
#include "cli/launch/rank_reports.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

/// The kernel's struct pidfd_info, as far as Linux 6.15 and later fill it in; no header here has it.
struct ProcessInfo {
  std::uint64_t mask = 0;
  std::uint64_t cgroup = 0;
  std::array<std::uint32_t, 11> ids{};
  std::int32_t status = 0;  ///< as wait() gives it
};
constexpr std::uint64_t kHasStatus = 1U << 3U;
constexpr unsigned long kGetInfo = _IOWR(0xFF, 11, ProcessInfo);

/// Returns what a process ended with that its parent has already waited for.
std::optional<int> status_of_reaped(int descriptor) {
  ProcessInfo info;
  info.mask = kHasStatus;
  const bool is_told = ioctl(descriptor, kGetInfo, &info) == 0 && (info.mask & kHasStatus) != 0;
  return is_told ? std::optional<int>(info.status) : std::nullopt;
}

/// Returns what a process ended with that nobody has waited for yet.
std::optional<int> status_of_zombie(std::int64_t process) {
  constexpr int kFieldsFromStateToStatus = 49;  // fields 3 and 52 of proc(5)
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string line(std::istreambuf_iterator<char>(file), {});
  const auto end_of_name = line.rfind(')');  // it may hold anything
  if (end_of_name == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(end_of_name + 1));
  std::string field;
  fields >> field;
  if (field != "Z") return std::nullopt;
  for (int i = 0; i < kFieldsFromStateToStatus; ++i) fields >> field;
  int status = 0;
  std::istringstream(field) >> status;
  return fields ? std::optional(status) : std::nullopt;
}

/// Returns the process id in a claim file; nothing while it is being written.
std::optional<std::int64_t> process_in(const fs::path& claim) {
  std::int64_t process = 0;
  std::ifstream file(claim);
  return file >> process && process > 0 ? std::optional(process) : std::nullopt;
}

}  // namespace

RankWatch::RankWatch(fs::path claim) : claim_(std::move(claim)), epoll_(epoll_create1(EPOLL_CLOEXEC)) {}

RankWatch::~RankWatch() {
  for (const auto& [rank, watched] : watched_) {
    if (watched.descriptor >= 0) close(watched.descriptor);
  }
  if (epoll_ >= 0) close(epoll_);
}

void RankWatch::begin(std::int64_t rank, std::int64_t process) {
  Watched& watched = watched_[rank];
  watched.process = process;
  watched.descriptor = static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(process), 0U));
  if (watched.descriptor < 0) return;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = static_cast<std::uint64_t>(rank);
  epoll_ctl(epoll_, EPOLL_CTL_ADD, watched.descriptor, &event);
}

// Its parent may wait for it at any moment, also between two questions, and while it does neither is answered.
std::optional<int> RankWatch::exit_code_of(const Watched& watched) {
  constexpr int kTries = 5;
  for (int tried = 0; tried < kTries; ++tried) {
    if (tried > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::optional<int> status = status_of_zombie(watched.process);
    if (!status) status = status_of_reaped(watched.descriptor);
    if (status) return exit_code_from(*status);
  }
  return std::nullopt;
}

void RankWatch::take_endings() {
  std::array<epoll_event, 16> ended{};
  for (int count = 1; count > 0;) {
    count = epoll_wait(epoll_, ended.data(), static_cast<int>(ended.size()), 0);
    const std::int64_t now = now_ns();
    for (int i = 0; i < count; ++i) {
      const auto rank = static_cast<std::int64_t>(ended.at(static_cast<std::size_t>(i)).data.u64);
      Watched& watched = watched_[rank];
      endings_[rank] = {exit_code_of(watched), now};
      close(std::exchange(watched.descriptor, -1));
    }
  }
}

void RankWatch::update() {
  take_endings();
  for (const auto& [rank, claim] : files_of_ranks(claim_)) {
    if (watched_.contains(rank)) continue;
    if (const auto process = process_in(claim)) begin(rank, *process);
  }
}

std::optional<std::int64_t> RankWatch::lowest_rank() const {
  return watched_.empty() ? std::nullopt : std::optional(watched_.begin()->first);
}

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/ranks/rank_watch.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "cli/launch/ranks/rank_reports.h"
#include "cli/launch/run/child.h"
#include "reports/text/read_file.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

/// The beginning of the kernel's struct pidfd_info, Linux 6.15 or later. Older system headers lack it.
struct ProcessInfo {
  std::uint64_t mask = 0;
  std::uint64_t cgroup = 0;
  std::array<std::uint32_t, 11> ids{};
  std::int32_t status = 0;  ///< as wait() returns it
};
constexpr std::uint64_t kHasStatus = 1U << 3U;
constexpr unsigned long kGetInfo = _IOWR(0xFF, 11, ProcessInfo);

/// Returns the exit status of a process that its parent has already reaped.
std::optional<int> status_of_reaped(int descriptor) {
  ProcessInfo info;
  info.mask = kHasStatus;
  const bool is_told = ioctl(descriptor, kGetInfo, &info) == 0 && (info.mask & kHasStatus) != 0;
  return is_told ? std::optional<int>(info.status) : std::nullopt;
}

/// Returns the exit status of a process that its parent has not reaped yet.
std::optional<int> status_of_zombie(std::int64_t process) {
  constexpr int kFieldsFromStateToStatus = 49;  // from field 3 to field 52 of /proc/pid/stat, proc(5)
  const std::string line = text::read_file(fmt::format("/proc/{}/stat", process));
  const auto end_of_name = line.rfind(')');  // the name may contain anything
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

/// Returns the process id in a claim file; empty while the file is being written.
std::optional<std::int64_t> process_in(const fs::path& claim) {
  std::int64_t process = 0;
  std::ifstream file(claim);
  return file >> process && process > 0 ? std::optional(process) : std::nullopt;
}

constexpr std::uint64_t kNewClaim = UINT64_MAX;  // epoll data of claims_; all other data are ranks

void wake_for(int epoll, int descriptor, std::uint64_t data) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = data;
  epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

void read_all(int descriptor) {
  std::array<char, 4096> ignored{};
  while (read(descriptor, ignored.data(), ignored.size()) > 0) continue;
}

}  // namespace

// A new claim file wakes the watcher, because a rank may end right after writing it.
RankWatch::RankWatch(fs::path claim)
    : claim_(std::move(claim)), epoll_(epoll_create1(EPOLL_CLOEXEC)), claims_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (claims_ < 0) return;
  inotify_add_watch(claims_, claim_.parent_path().c_str(), IN_CLOSE_WRITE | IN_MOVED_TO);
  wake_for(epoll_, claims_, kNewClaim);
}

RankWatch::~RankWatch() {
  if (claims_ >= 0) close(claims_);
  for (const auto& [rank, watched] : watched_) {
    if (watched.descriptor >= 0) close(watched.descriptor);
  }
  if (epoll_ >= 0) close(epoll_);
}

void RankWatch::begin(std::int64_t rank, std::int64_t process) {
  Watched& watched = watched_[rank];
  watched.process = process;
  watched.descriptor = static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(process), 0U));
  if (watched.descriptor >= 0) wake_for(epoll_, watched.descriptor, static_cast<std::uint64_t>(rank));
}

// The parent may reap the process while ampprof asks. Then neither query finds the exit status, and both are repeated.
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
      const std::uint64_t data = ended.at(static_cast<std::size_t>(i)).data.u64;
      if (data == kNewClaim) {
        read_all(claims_);
        continue;
      }
      const auto rank = static_cast<std::int64_t>(data);
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

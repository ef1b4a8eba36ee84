// SPDX-License-Identifier: Apache-2.0
#include "profiler/preload/command.h"

#include <dlfcn.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

extern char** environ;

namespace ampprof::preload {
namespace {

constexpr int kUnknown = 127;  // the exit code of shells for a program that cannot be started

/// Returns the path of the `ampprof` program: ../bin/ampprof relative to the folder of this library, in a build tree as
/// in an installation.
std::string path_of_command() {
  Dl_info own;
  if (dladdr(reinterpret_cast<void*>(&path_of_command), &own) == 0) return "";
  std::error_code ignored;
  const auto library = std::filesystem::canonical(own.dli_fname, ignored);
  return library.parent_path().parent_path() / "bin" / "ampprof";
}

/// The output of a program, in memory. A pipe would stay open until processes that another thread forks meanwhile have
/// ended.
class Output {
 public:
  Output() : file_(memfd_create("ampprof", MFD_CLOEXEC)) {}
  ~Output() {
    if (file_ >= 0) close(file_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  int file() const { return file_; }

  std::string text() const {
    std::string text;
    std::array<char, 4096> part{};
    for (;;) {
      const ssize_t got = pread(file_, part.data(), part.size(), static_cast<off_t>(text.size()));
      if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR)) return text;
    }
  }

 private:
  int file_;
};

/// Waits for the end of a process, even if another part of the program reaps it. On kernels before 5.3, which lack
/// pidfd_open(), returns at once; the caller's waitpid() waits then.
void wait_for_end(pid_t process) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (handle < 0) return;
  pollfd ended{handle, POLLIN, 0};
  while (poll(&ended, 1, /*timeout=*/-1) < 0 && errno == EINTR) {
  }
  close(handle);
}

/// Returns the exit code; empty if another part of the program has reaped the process, or if the kernel has, because
/// the program ignores SIGCHLD.
std::optional<int> exit_code_of(pid_t process) {
  wait_for_end(process);
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Answer ask_ampprof(const std::vector<std::string>& words, const std::vector<std::string>& variables) {
  const std::string command = path_of_command();
  std::vector<char*> arguments{const_cast<char*>(command.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  for (const std::string& each : variables) environment.push_back(const_cast<char*>(each.c_str()));
  for (char** each = environ; *each != nullptr; ++each) environment.push_back(*each);
  environment.push_back(nullptr);
  const Output out;
  const Output err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.file(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.file(), STDERR_FILENO);
  pid_t process = 0;
  const int error = posix_spawn(&process, command.c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {kUnknown, "", command + " could not be started: " + std::strerror(error)};
  const std::optional<int> exit_code = exit_code_of(process);
  Answer answer{0, out.text(), err.text()};
  answer.exit_code = exit_code.value_or(answer.err.empty() ? 0 : kUnknown);
  if (answer.exit_code != 0 && answer.err.empty()) {
    answer.err = command + " ended with " + std::to_string(answer.exit_code);
  }
  return answer;
}

}  // namespace ampprof::preload

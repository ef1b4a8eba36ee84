// SPDX-License-Identifier: Apache-2.0
#include "profiler/preload/command.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

extern char** environ;

namespace ampprof::preload {
namespace {

/// bin/ lies beside lib/, in a build tree as in an installation.
std::string path_of_command() {
  Dl_info own;
  if (dladdr(reinterpret_cast<void*>(&path_of_command), &own) == 0) return "";
  std::error_code ignored;
  const auto library = std::filesystem::canonical(own.dli_fname, ignored);
  return library.parent_path().parent_path() / "bin" / "ampprof";
}

/// A pipe whose ends close with it, and in programs that others start.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  ~Pipe() {
    for (int& end : ends_) close_end(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int in() const { return ends_[1]; }

  /// Until nobody can write any more.
  std::string read_all() {
    close_end(ends_[1]);
    std::string text;
    std::array<char, 4096> part{};
    for (;;) {
      const ssize_t got = read(ends_[0], part.data(), part.size());
      if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR)) return text;
    }
  }

 private:
  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }

  std::array<int, 2> ends_{-1, -1};
};

int exit_code_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return 127;
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
  Pipe out;
  Pipe err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.in(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.in(), STDERR_FILENO);
  pid_t process = 0;
  const int error = posix_spawn(&process, command.c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {127, "", command + " could not be started: " + std::strerror(error)};
  Answer answer;
  answer.out = out.read_all();
  answer.err = err.read_all();
  answer.exit_code = exit_code_of(process);
  return answer;
}

}  // namespace ampprof::preload

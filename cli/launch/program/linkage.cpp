// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/linkage.h"

#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

extern char** environ;

namespace ampprof::cli {
namespace {

constexpr std::size_t kLongestLoaderPath = 4096;

template <class T>
bool read_at(std::ifstream& file, std::uint64_t offset, T& value) {
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(&value), sizeof(value)));
}

bool is_elf64(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_phentsize == sizeof(Elf64_Phdr);
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string read_all(int descriptor) {
  std::string output;
  std::array<char, 4096> buffer{};
  for (ssize_t got; (got = read(descriptor, buffer.data(), buffer.size())) > 0;) {
    output.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return output;
}

}  // namespace

bool is_elf(const std::filesystem::path& program) {
  std::ifstream file(program, std::ios::binary);
  std::array<char, SELFMAG> magic{};
  return file.read(magic.data(), magic.size()) && std::memcmp(magic.data(), ELFMAG, SELFMAG) == 0;
}

std::string loader_of(const std::filesystem::path& program) {
  std::ifstream file(program, std::ios::binary);
  Elf64_Ehdr header{};
  if (!read_at(file, 0, header) || !is_elf64(header)) return "";
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!read_at(file, header.e_phoff + i * sizeof(segment), segment)) return "";
    if (segment.p_type != PT_INTERP || segment.p_filesz < 2 || segment.p_filesz > kLongestLoaderPath) continue;
    std::string path(segment.p_filesz - 1, '\0');
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    return file.read(path.data(), static_cast<std::streamsize>(path.size())) ? path : "";
  }
  return "";
}

std::vector<std::string> shebang_of(const std::filesystem::path& program) {
  std::ifstream file(program, std::ios::binary);
  std::array<char, 256> start{};
  file.read(start.data(), start.size());
  std::string_view line(start.data(), static_cast<std::size_t>(file.gcount()));
  if (!line.starts_with("#!")) return {};
  line = line.substr(2, line.find('\n') - 2);
  std::istringstream words{std::string(line)};
  std::vector<std::string> command;
  for (std::string word; words >> word;) command.push_back(word);
  return command;
}

std::optional<std::filesystem::path> Linkage::find(std::string_view name) const {
  for (const auto& library : libraries) {
    if (library.filename() == name) return library;
  }
  return std::nullopt;
}

Linkage linkage_from(std::string_view loader_output) {
  Linkage linkage;
  std::istringstream lines{std::string(loader_output)};
  for (std::string line; std::getline(lines, line);) {
    const auto arrow = line.find("=>");
    if (arrow == std::string::npos) continue;
    const std::string_view target = trimmed(std::string_view(line).substr(arrow + 2));
    if (target.starts_with("not found")) {
      linkage.not_found.emplace_back(trimmed(std::string_view(line).substr(0, arrow)));
    } else {
      linkage.libraries.emplace_back(std::string(trimmed(target.substr(0, target.rfind(" (")))));
    }
  }
  return linkage;
}

Linkage linkage_of(const std::filesystem::path& program) {
  const std::string loader = loader_of(program);
  if (loader.empty()) return {};
  return linkage_from(capture({loader, "--list", std::filesystem::absolute(program).string()}).output);
}

Captured capture(const std::vector<std::string>& command) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  Captured captured;
  captured.output = read_all(pipe_ends[0]);
  close(pipe_ends[0]);
  int status = 0;
  if (started && waitpid(child, &status, 0) == child && WIFEXITED(status)) captured.exit_code = WEXITSTATUS(status);
  return captured;
}

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
// Runs a target without libFuzzer, so that any compiler can build it. `fuzz.x SEEDS ROUNDS` tries all files of a folder
// and then mutations of them, the same ones in each run. `fuzz.x FILE` tries one input. An input that ends the process
// is written to found-fuzz.x in the working folder.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/temporary_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* count, char*** arguments);
// Makes sanitizers abort, so that the signal handler writes the input.
extern "C" const char* __asan_default_options() { return "abort_on_error=1"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

namespace {

namespace fs = std::filesystem;

using Random = std::mt19937_64;

constexpr unsigned kSecondsForOne = 60;  // a longer run counts as a hang, even on a busy machine
constexpr std::size_t kLongest = 4096;

// Global, because signal handlers need them.
std::string input;
std::string found;

void keep_input() {
  const int file = ::open(found.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const bool is_written = ::write(file, input.data(), input.size()) == static_cast<ssize_t>(input.size());
  const std::string said = (is_written ? "fuzz: the input that ended it is in " : "fuzz: cannot write ") + found + '\n';
  if (::write(STDERR_FILENO, said.data(), said.size()) < 0) ::_exit(1);
}

void end_of_process(int signal) {
  keep_input();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void watch() {
  static std::vector<char> stack(1 << 16);
  const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  ::sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = end_of_process;
  action.sa_flags = SA_ONSTACK;
  std::vector<int> signals{SIGABRT, SIGALRM};
#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer's own reports of these signals say more
  signals.insert(signals.end(), {SIGSEGV, SIGBUS, SIGFPE, SIGILL});
#endif
  for (const int signal : signals) ::sigaction(signal, &action, nullptr);
}

void try_one(const std::string& bytes) {
  input = bytes;
  ::alarm(kSecondsForOne);
  (void)LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::vector<std::string> read_seeds(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> seeds;
  for (const fs::path& path : paths) seeds.push_back(ampprof::test_support::bytes_of(path));
  return seeds;
}

void mutate(std::string& bytes, const std::vector<std::string>& seeds, Random& random) {
  const std::size_t at = random() % (bytes.size() + 1);
  const std::string& other = seeds[random() % seeds.size()];
  const std::size_t from = random() % (other.size() + 1);
  switch (random() % 7) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(random());
      break;
    case 2:
      bytes.insert(at, 1, static_cast<char>(random()));
      break;
    case 3:
      bytes.erase(at, 1 + random() % 8);
      break;
    case 4:
      bytes.resize(at);
      break;
    case 5:
      bytes.insert(at, other, from, 1 + random() % 16);
      break;
    default:
      bytes.replace(at, std::string::npos, other, from);
  }
  if (bytes.size() > kLongest) bytes.resize(kLongest);
}

void try_seeds(const fs::path& folder, int rounds) {
  const std::vector<std::string> seeds = read_seeds(folder);
  if (seeds.empty()) throw std::runtime_error("there are no seeds in " + folder.string());
  for (const std::string& seed : seeds) try_one(seed);
  Random random(1);
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = seeds[random() % seeds.size()];
    for (auto left = 1 + random() % 8; left > 0; --left) mutate(bytes, seeds, random);
    try_one(bytes);
  }
  std::fprintf(stderr, "fuzz: %zu seeds and %d mutations of them\n", seeds.size(), rounds);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return std::fputs("usage: fuzz.x SEEDS [ROUNDS], or fuzz.x FILE\n", stderr), 2;
  found = (fs::current_path() / ("found-" + fs::path(arguments[0]).filename().string())).string();
  watch();
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&count, &arguments);
  if (fs::is_directory(arguments[1])) {
    try_seeds(arguments[1], count > 2 ? std::atoi(arguments[2]) : 1000);
  } else {
    try_one(ampprof::test_support::bytes_of(arguments[1]));
  }
  return 0;
}

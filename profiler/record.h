// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

/// Recordings that a program begins and ends itself. Header only; link only the library with dlopen(). Uses the
/// recorder of the `ampprof` on the PATH.
namespace ampprof {

/// Records this process for the lifetime of the object:
///
///     ampprof::Recording recording({"--output=x.ampprof", "--impact"});
///
/// `flags` are the recording options of `ampprof run`. If the process is already being recorded, prints a note on
/// stderr and does nothing. Throws std::runtime_error if nothing can be recorded. Only one Recording may exist at a
/// time; destroy or stop it on the thread that created it. A forked child does not end the recording.
class Recording {
 public:
  explicit Recording(const std::vector<std::string>& flags = {}) {
    std::vector<const char*> words;
    for (const std::string& flag : flags) words.push_back(flag.c_str());
    words.push_back(nullptr);
    const auto begin = reinterpret_cast<int (*)(const char* const*)>(function("ampprof_record_begin"));
    const int outcome = begin(words.data());
    if (outcome == kNot) throw std::runtime_error(message());
    is_active_ = outcome == kBegun;
    if (!is_active_) std::fprintf(stderr, "ampprof: %s\n", message());
  }
  ~Recording() { stop(std::uncaught_exceptions() > exceptions_before_ ? 1 : 0); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Ends the recording. A nonzero `exit_code` marks the program as failed in the report.
  void stop(int exit_code = 0) {
    if (!is_active_) return;
    is_active_ = false;
    const auto end = reinterpret_cast<int (*)(int)>(function("ampprof_record_end"));
    if (end(exit_code) != 0) std::fprintf(stderr, "ampprof: %s\n", message());
  }

 private:
  static constexpr int kBegun = 0;  // results of ampprof_record_begin()
  static constexpr int kNot = 2;

  /// Returns a function of the recorder. Prefers a recorder that is already loaded, as under `ampprof run`.
  static void* function(const char* name) {
    if (void* found = dlsym(RTLD_DEFAULT, name)) return found;
    const std::string path = library();
    void* loaded = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* found = loaded == nullptr ? nullptr : dlsym(loaded, name);
    if (found != nullptr) return found;
    throw std::runtime_error(
        "There is no ampprof on the PATH that can record. Install it, or add its bin/ to the PATH; the wheel has it "
        "in the Python package ampprof.");
  }

  static std::string library() {
    const char* variable = std::getenv("PATH");
    std::string folders = variable == nullptr ? "" : variable;
    while (!folders.empty()) {
      const auto end = folders.find(':');
      std::error_code ignored;
      const auto command = std::filesystem::canonical(folders.substr(0, end) + "/ampprof", ignored);
      const auto path = command.parent_path().parent_path() / "lib" / "libampprof_preload.so";
      if (!ignored && std::filesystem::exists(path, ignored)) return path.string();
      folders.erase(0, end == std::string::npos ? end : end + 1);
    }
    return "";
  }

  static const char* message() { return reinterpret_cast<const char* (*)()>(function("ampprof_record_message"))(); }

  int exceptions_before_ = std::uncaught_exceptions();
  bool is_active_ = false;
};

}  // namespace ampprof

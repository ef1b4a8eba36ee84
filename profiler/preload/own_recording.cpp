// SPDX-License-Identifier: Apache-2.0
// Recordings that a program begins and ends itself. The C functions below are what ampprof/record.h and Python's
// ampprof.record() call; the command line, asked here, reads the options and makes the report, as for `ampprof run`.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/preload/command.h"
#include "profiler/preload/late_interposition.h"
#include "profiler/preload/preload.h"
#include "profiler/preload/python.h"
#include "reports/recording/stub_variables.h"

namespace ampprof::preload {
namespace {

/// NVTX reads it when the program marks its first range; another tool's is left alone.
constexpr const char* kNvtxVariable = "NVTX_INJECTION64_PATH";

enum class Begun : int { Now = 0, WasAlready = 1, Not = 2 };

/// Of one thread at a time: the program's that begins and ends recordings.
struct OwnRecording {
  pid_t process = 0;                   ///< that began it; 0 where none is in progress
  std::vector<std::string> variables;  ///< "NAME=value", kept for those that read them later
  std::string message;                 ///< what the program is told
  bool gives_ranges = false;           ///< the variable of NVTX is ours
};

OwnRecording& own() {
  static auto& only = *new OwnRecording;
  return only;
}

std::vector<std::string> parts_at_zeros(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find('\0'), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// Those of an `ampprof run` around the program are none of ours.
const char* own_variable(const char* name) {
  const std::string_view wanted = name;
  for (const std::string& each : own().variables) {
    if (each.starts_with(wanted) && each[wanted.size()] == '=') return each.c_str() + wanted.size() + 1;
  }
  return wanted.starts_with(recording::kVariablePrefix) ? nullptr : std::getenv(name);
}

/// Without who says it.
std::string sentence_in(std::string text) {
  constexpr std::string_view kWho = "ampprof: ";
  while (text.ends_with('\n')) text.pop_back();
  if (text.starts_with(kWho)) text.erase(0, kWho.size());
  return text;
}

/// Another tool's stays.
void set_nvtx_variable() {
  const char* injection = own_variable(kNvtxVariable);
  own().gives_ranges = injection != nullptr && std::getenv(kNvtxVariable) == nullptr;
  if (own().gives_ranges) setenv(kNvtxVariable, injection, /*overwrite=*/0);
}

/// Programs that this one starts later are none of the recording's.
void unset_nvtx_variable() {
  if (own().gives_ranges) unsetenv(kNvtxVariable);
  own().gives_ranges = false;
}

/// Returns the exit code of the command line.
int finish_own(int exit_code) {
  own().process = 0;
  unset_nvtx_variable();
  const Answer answer = ask_ampprof({"record-end", std::to_string(exit_code)}, own().variables);
  own().message = sentence_in(answer.err);
  return answer.exit_code;
}

/// Of a program that never came to end it. Parts of LibTorch are destroyed by now.
void end_at_exit() {
  if (own().process != getpid()) return;
  if (const Hooks* table = hooks()) table->process_ends();
  finish_own(0);
}

Begun begin_own(const char* const* flags) {
  if (own().process == getpid()) {
    own().message =
        "A recording of this process is in progress, so another one does not begin; end that one first "
        "(in Python, ampprof.stop() does).";
    return Begun::WasAlready;
  }
  if (own().variables.empty() && is_recording_asked_for()) {
    own().message = "This program is being recorded by ampprof run already, so a recording of its own does not begin.";
    return Begun::WasAlready;
  }
  if (!torch_is_loaded()) {
    own().message =
        "LibTorch is not loaded, so nothing could be recorded. Begin once torch is imported, or a library that links "
        "LibTorch is loaded.";
    return Begun::Not;
  }
  std::vector<std::string> words{"record-begin", torch_version()};
  for (; *flags != nullptr; ++flags) words.emplace_back(*flags);
  const Answer answer = ask_ampprof(words);
  own().message = sentence_in(answer.err);
  if (answer.exit_code != 0) return Begun::Not;
  own().variables = parts_at_zeros(answer.out);
  own().process = getpid();
  set_nvtx_variable();
  interpose_in_loaded_libraries();
  if (!begin_recording(own_variable)) return finish_own(0), Begun::Not;
  [[maybe_unused]] static const int once = std::atexit(end_at_exit);
  hook_python();
  return Begun::Now;
}

}  // namespace
}  // namespace ampprof::preload

extern "C" {

/// Begins a recording of this process from here on. `flags` are those of `ampprof run` that say what to record, up to a
/// null pointer. Returns 0 where it has begun, 1 where this process is being recorded already, 2 where it cannot be;
/// then ampprof_record_message() says why. On the thread that is to be recorded, with Python's lock where that runs.
__attribute__((visibility("default"))) int ampprof_record_begin(const char* const* flags) {
  return static_cast<int>(ampprof::preload::begin_own(flags));
}

/// Ends it and writes what is left. `exit_code` is 0, or says that the program failed. Returns 0, or another number
/// where ampprof_record_message() says what is wrong. Does nothing in a fork of the process that began it.
__attribute__((visibility("default"))) int ampprof_record_end(int exit_code) {
  using namespace ampprof::preload;
  if (own().process != getpid()) return 0;
  if (const Hooks* table = hooks()) table->recording_ends();
  return finish_own(exit_code);
}

/// Whether this process is being recorded because it asked for it.
__attribute__((visibility("default"))) int ampprof_record_in_progress() {
  return ampprof::preload::own().process == getpid() ? 1 : 0;
}

/// Path of the report that the last recording of this process went to; valid until the next begins.
__attribute__((visibility("default"))) const char* ampprof_record_report() {
  const char* report = ampprof::preload::own_variable(ampprof::recording::kReportVariable);
  return report == nullptr ? "" : report;
}

__attribute__((visibility("default"))) const char* ampprof_record_message() {
  return ampprof::preload::own().message.c_str();
}
}

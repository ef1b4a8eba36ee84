// SPDX-License-Identifier: Apache-2.0
// Recordings that a program begins and ends itself. ampprof/record.h and Python's ampprof.record() call the C functions
// below. These run the command line, which reads the options and creates the report as for `ampprof run`.
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

/// NVTX reads this variable when the program marks its first range. A value set by another tool stays.
constexpr const char* kNvtxVariable = "NVTX_INJECTION64_PATH";

enum class Begun : int { Now = 0, WasAlready = 1, Not = 2 };

/// State of the recording. Not locked: the program begins and ends recordings on one thread at a time.
struct OwnRecording {
  pid_t process = 0;                   ///< process that began the recording; 0 if none is in progress
  std::vector<std::string> variables;  ///< "NAME=value"; own_variable() returns pointers into these strings
  std::string message;                 ///< text for ampprof_record_message()
  bool gives_ranges = false;           ///< we have set kNvtxVariable
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

/// Returns a variable of this recording. Ignores the recording variables of an `ampprof run` that started the program.
const char* own_variable(const char* name) {
  const std::string_view wanted = name;
  for (const std::string& each : own().variables) {
    if (each.starts_with(wanted) && each[wanted.size()] == '=') return each.c_str() + wanted.size() + 1;
  }
  return wanted.starts_with(recording::kVariablePrefix) ? nullptr : std::getenv(name);
}

/// Removes the prefix "ampprof: " and trailing newlines from a message.
std::string sentence_in(std::string text) {
  constexpr std::string_view kWho = "ampprof: ";
  while (text.ends_with('\n')) text.pop_back();
  if (text.starts_with(kWho)) text.erase(0, kWho.size());
  return text;
}

/// Sets kNvtxVariable, unless another tool has already set it.
void set_nvtx_variable() {
  const char* injection = own_variable(kNvtxVariable);
  own().gives_ranges = injection != nullptr && std::getenv(kNvtxVariable) == nullptr;
  if (own().gives_ranges) setenv(kNvtxVariable, injection, /*overwrite=*/0);
}

/// Unsets kNvtxVariable if we set it, since NVTX would load the stub in programs that this one starts later.
void unset_nvtx_variable() {
  if (own().gives_ranges) unsetenv(kNvtxVariable);
  own().gives_ranges = false;
}

/// Ends the recording and completes the report. Returns the exit code of the command line.
int finish_own(int exit_code) {
  own().process = 0;
  unset_nvtx_variable();
  const Answer answer = ask_ampprof({"record-end", std::to_string(exit_code)}, own().variables);
  own().message = sentence_in(answer.err);
  return answer.exit_code;
}

/// Ends a recording that is still in progress at exit. Parts of LibTorch are destroyed by now.
void end_at_exit() {
  if (own().process != getpid()) return;
  if (const Hooks* table = hooks()) table->process_ends();
  finish_own(0);
}

Begun begin_own(const char* const* flags) {
  if (own().process == getpid()) {
    own().message =
        "A recording of this process is already in progress. End it before you begin another one (in Python: "
        "ampprof.stop()).";
    return Begun::WasAlready;
  }
  if (own().variables.empty() && is_recording_asked_for()) {
    own().message = "ampprof run already records this program, so the program cannot begin a recording of its own.";
    return Begun::WasAlready;
  }
  if (!torch_is_loaded()) {
    own().message =
        "LibTorch is not loaded, so nothing can be recorded. Begin the recording after torch is imported, or after a "
        "library that links LibTorch is loaded.";
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

/// Begins a recording of this process. `flags`: the recording flags of `ampprof run`, ended by a null pointer. Returns
/// 0 if the recording has begun, 1 if this process is being recorded already, 2 if it cannot begin;
/// ampprof_record_message() says why. Call it on the thread that is to be recorded, with the GIL if Python runs.
__attribute__((visibility("default"))) int ampprof_record_begin(const char* const* flags) {
  return static_cast<int>(ampprof::preload::begin_own(flags));
}

/// Ends the recording and completes the report. Pass an `exit_code` other than 0 if the program failed. Returns 0, or
/// another number for a problem that ampprof_record_message() explains. Does nothing in a fork of the process that
/// began the recording.
__attribute__((visibility("default"))) int ampprof_record_end(int exit_code) {
  using namespace ampprof::preload;
  if (own().process != getpid()) return 0;
  if (const Hooks* table = hooks()) table->recording_ends();
  return finish_own(exit_code);
}

/// Returns whether a recording that this process began is in progress.
__attribute__((visibility("default"))) int ampprof_record_in_progress() {
  return ampprof::preload::own().process == getpid() ? 1 : 0;
}

/// Returns the path of the report of this process's last recording. Valid until the next recording begins.
__attribute__((visibility("default"))) const char* ampprof_record_report() {
  const char* report = ampprof::preload::own_variable(ampprof::recording::kReportVariable);
  return report == nullptr ? "" : report;
}

__attribute__((visibility("default"))) const char* ampprof_record_message() {
  return ampprof::preload::own().message.c_str();
}
}

// SPDX-License-Identifier: Apache-2.0
// The preload stub. Loads the observer when LibTorch is loaded, and forwards events that only interposition can see.
// Links only libc and libstdc++, since every child process maps it.

#include "profiler/preload/preload.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "profiler/nvtx/sink.h"
#include "profiler/preload/interposed.h"
#include "reports/recording/stub_variables.h"

namespace ampprof::preload {
namespace {

std::atomic<const Hooks*> g_hooks{nullptr};
std::atomic<bool> g_tried{false};

struct Wanted {
  const char* name;
  std::string path;
};

int copy_path(dl_phdr_info* info, std::size_t, void* raw) {
  auto& wanted = *static_cast<Wanted*>(raw);
  if (std::strstr(info->dlpi_name, wanted.name) == nullptr) return 0;
  wanted.path = info->dlpi_name;
  return 1;
}

/// Returns the path of a mapped library; empty if no such library is mapped into this process.
std::string path_of(const char* name) {
  Wanted wanted{name, {}};
  dl_iterate_phdr(copy_path, &wanted);
  return wanted.path;
}

std::string torch_path() { return path_of("/libtorch_cpu.so"); }

/// Looks a symbol up in the mapped LibTorch itself, since libraries that a Python extension loads are not in the global
/// scope.
void* symbol_of_torch(const char* name) {
  void* torch = dlopen(torch_path().c_str(), RTLD_LAZY | RTLD_NOLOAD);
  return torch == nullptr ? nullptr : dlsym(torch, name);
}

/// Returns the path of the observer for the mapped LibTorch version. Each version has its own observer, because the
/// observer uses internals of LibTorch. If there is none for this version, prints a message and returns empty.
std::string fitting_observer() {
  const std::string version = torch_version();
  const std::string observer =
      std::string(observer_libraries()) + '/' + recording::kTorchFolderPrefix + version + '/' + recording::kRecorder;
  if (access(observer.c_str(), R_OK) == 0) return observer;
  std::fprintf(stderr,
               "ampprof: %s is LibTorch %s, for which this ampprof has no recorder, so nothing is recorded; ampprof "
               "doctor lists the available recorders\n",
               torch_path().c_str(), version.empty() ? "older than 2.9" : version.c_str());
  note("version", (version + ' ' + torch_path()).c_str());
  return "";
}

/// Loads the observer, which attaches to LibTorch. `is_own`: the program itself began the recording.
const Hooks* attach(Variable variable, bool is_own) {
  const std::string observer = fitting_observer();
  if (observer.empty()) return nullptr;
  const Stub stub{.variable = variable,
                  .claim = claim_recording,
                  .is_claimed_by_another = is_claimed_by_another,
                  .note = note,
                  .rank = rank_of_this_process,
                  .give_ranges_to = profiler::set_range_sink,
                  .program_has_amp_core = !path_of("/libamp_core.so").empty(),
                  .is_own = is_own};
  // Not RTLD_GLOBAL: the program must not find the observer's symbols.
  void* library = dlopen(observer.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    std::fprintf(stderr, "ampprof: the observer could not be loaded, so nothing is recorded: %s\n", reason);
    note("failed", reason);
    return nullptr;
  }
  note("loaded", "");
  const auto attach = reinterpret_cast<AttachFunction>(dlsym(library, kAttachSymbol));
  return attach == nullptr ? nullptr : attach(stub);
}

void after_fork_in_child() {
  profiler::set_range_sink(nullptr);
  if (const Hooks* table = hooks()) table->forked_child();
}

/// Begins a recording. If the observer cannot be loaded, nothing is recorded and the program continues unchanged.
void begin(Variable variable, bool is_own) {
  [[maybe_unused]] static const int once = pthread_atfork(nullptr, nullptr, after_fork_in_child);
  g_hooks.store(attach(variable, is_own), std::memory_order_release);
}

const char* of_environment(const char* name) {
  const char* own = variable_of_rank(name);
  return own != nullptr ? own : std::getenv(name);
}

__attribute__((constructor)) void start() {
  read_claim_variables(of_environment);
  load_observer_if_torch_is_there();
}

}  // namespace

const Hooks* hooks() { return g_hooks.load(std::memory_order_acquire); }

bool torch_is_loaded() { return !torch_path().empty(); }

// at::show_config() contains the version too, but it queries devices, which would initialize the driver before the
// program does.
std::string torch_version() {
  using AbiVersion = std::uint64_t (*)();  // major, minor and patch in the three highest bytes
  const auto abi_version = reinterpret_cast<AbiVersion>(symbol_of_torch("aoti_torch_abi_version"));
  if (abi_version == nullptr) return "";
  const std::uint64_t version = abi_version();
  const auto part = [&](int place) { return std::to_string(version >> (56 - 8 * place) & 0xff); };
  return part(0) + '.' + part(1) + '.' + part(2);
}

void load_observer_if_torch_is_there() {
  if (g_tried.load(std::memory_order_relaxed) || !is_recording_asked_for() || !torch_is_loaded()) return;
  if (!g_tried.exchange(true)) begin(of_environment, /*is_own=*/false);
}

bool begin_recording(Variable variable) {
  read_claim_variables(variable);
  if (!claim_recording()) return false;
  g_tried = true;
  begin(variable, /*is_own=*/true);
  return hooks() != nullptr;
}

void* next_symbol(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) found = symbol_of_torch(name);
  if (found != nullptr) return found;
  std::fprintf(stderr, "ampprof: the program calls %s, which its LibTorch does not have\n", name);
  std::abort();
}

}  // namespace ampprof::preload

// ---- C interface, found by the program (Python through ctypes) in the global scope -------------------------------

namespace {
using ampprof::preload::hooks;

struct ThreadStart {
  void* (*routine)(void*);
  void* argument;
};

void* run_thread(void* raw) {
  const ThreadStart start = *static_cast<ThreadStart*>(raw);
  delete static_cast<ThreadStart*>(raw);
  if (const auto* table = hooks()) table->thread_started();
  return start.routine(start.argument);
}
}  // namespace

extern "C" {

AMPPROF_LIST_INTERPOSED(pthread_create, "pthread_create")
__attribute__((visibility("default"))) int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                                          void* (*routine)(void*), void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(ampprof::preload::next_symbol("pthread_create"));
  if (hooks() == nullptr) return create(thread, attributes, routine, argument);
  auto* start = new ThreadStart{routine, argument};
  const int error = create(thread, attributes, run_thread, start);
  if (error != 0) delete start;
  return error;
}

/// Returns whether this process may be the recorded one.
__attribute__((visibility("default"))) int ampprof_may_record() {
  return hooks() != nullptr && !ampprof::preload::is_claimed_by_another() ? 1 : 0;
}
/// Called when the process is about to end by _exit().
__attribute__((visibility("default"))) void ampprof_process_ends() {
  if (const auto* table = hooks()) table->process_ends();
}
__attribute__((visibility("default"))) std::int64_t ampprof_intern(const char* name) {
  const auto* table = hooks();
  return table == nullptr ? 0 : table->intern(name);
}
__attribute__((visibility("default"))) void ampprof_scope_entered(std::int64_t name, int is_call) {
  if (const auto* table = hooks()) table->scope_entered(name, is_call != 0);
}
__attribute__((visibility("default"))) void ampprof_scope_left() {
  if (const auto* table = hooks()) table->scope_left();
}
__attribute__((visibility("default"))) void ampprof_parameter_named(void* tensor, const char* name) {
  if (const auto* table = hooks()) table->parameter_named(tensor, name);
}
__attribute__((visibility("default"))) void ampprof_optimizer_begun(const void* optimizer, int kind) {
  if (const auto* table = hooks())
    table->optimizer_begun(optimizer, static_cast<ampprof::preload::OptimizerStepKind>(kind));
}
__attribute__((visibility("default"))) void ampprof_optimizer_ended(const void* optimizer, int failed) {
  if (const auto* table = hooks()) table->optimizer_ended(optimizer, failed != 0);
}
__attribute__((visibility("default"))) void ampprof_compile_begun() {
  if (const auto* table = hooks()) table->compile_begun();
}
__attribute__((visibility("default"))) void ampprof_compile_ended() {
  if (const auto* table = hooks()) table->compile_ended();
}
__attribute__((visibility("default"))) void* ampprof_region_begun(const char* name, void* const* inputs,
                                                                  std::size_t count) {
  const auto* table = hooks();
  return table == nullptr ? nullptr : table->region_begun(name, inputs, count);
}
__attribute__((visibility("default"))) int ampprof_region_compared_in(const void* call, const char* functions) {
  const auto* table = hooks();
  return table == nullptr ? 0 : static_cast<int>(table->region_compared_in(call, functions));
}
__attribute__((visibility("default"))) void ampprof_region_starts(void* call) {
  if (const auto* table = hooks()) table->region_starts(call);
}
__attribute__((visibility("default"))) int ampprof_region_stops(void* call, int keeps_graph) {
  const auto* table = hooks();
  return table != nullptr && table->region_stops(call, keeps_graph != 0) ? 1 : 0;
}
__attribute__((visibility("default"))) int ampprof_region_ended(void* call, void* const* results,
                                                                void* const* references, std::size_t count,
                                                                const char* why_not) {
  const auto* table = hooks();
  return table != nullptr && table->region_ended(call, results, references, count, why_not) ? 1 : 0;
}
__attribute__((visibility("default"))) void ampprof_region_failed(void* call) {
  if (const auto* table = hooks()) table->region_failed(call);
}
__attribute__((visibility("default"))) void ampprof_cannot_see(const char* what, const char* cause,
                                                               const char* remedy) {
  if (const auto* table = hooks()) table->cannot_see(what, cause, remedy);
}
// ampprof.h declares these two functions weak: a program finds null if ampprof is not loaded.
AMPPROF_LIST_INTERPOSED(step_ended, "ampprof_step_ended")
__attribute__((visibility("default"))) void ampprof_step_ended() {
  if (const auto* table = hooks()) table->step_ended();
}
AMPPROF_LIST_INTERPOSED(loss_scale, "ampprof_loss_scale")
__attribute__((visibility("default"))) void ampprof_loss_scale(double scale) {
  if (const auto* table = hooks()) table->loss_scale(scale);
}
}

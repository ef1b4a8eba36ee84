// SPDX-License-Identifier: Apache-2.0
// The preload stub: tells whether this process is the one to record, loads the observer when LibTorch is there, and
// passes on what only interposition can see. It links nothing but libc, since every child process maps it.

#include "profiler/preload/preload.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "profiler/nvtx/sink.h"

namespace ampprof::preload {
namespace {

std::atomic<const Hooks*> g_hooks{nullptr};
std::atomic<bool> g_tried{false};
char g_library[4096];  // copied before the program can change its environment
char g_claim[4096];

int copy_torch_path(dl_phdr_info* info, std::size_t, void* path) {
  if (std::strstr(info->dlpi_name, "/libtorch_cpu.so") == nullptr) return 0;
  *static_cast<std::string*>(path) = info->dlpi_name;
  return 1;
}

/// Path of the LibTorch that is mapped into this process; empty where there is none.
std::string torch_path() {
  std::string path;
  dl_iterate_phdr(copy_torch_path, &path);
  return path;
}

/// Looks in the mapped LibTorch itself: a Python extension's libraries are not in the global scope.
void* symbol_of_torch(const char* name) {
  void* torch = dlopen(torch_path().c_str(), RTLD_LAZY | RTLD_NOLOAD);
  return torch == nullptr ? nullptr : dlsym(torch, name);
}

/// The observer leans on LibTorch's inside, so it must have been built against the very version.
bool version_fits() {
  using ShowConfig = std::string (*)();
  const auto show_config = reinterpret_cast<ShowConfig>(symbol_of_torch("_ZN2at11show_configB5cxx11Ev"));
  if (show_config != nullptr && show_config().find("TORCH_VERSION=" AMPPROF_TORCH_VERSION ",") != std::string::npos) {
    return true;
  }
  std::fprintf(stderr,
               "ampprof: %s is not LibTorch " AMPPROF_TORCH_VERSION
               ", which ampprof was built for, so nothing is recorded; build ampprof with LIBTORCH=<its folder>\n",
               torch_path().c_str());
  return false;
}

// One process of the tree records: the first that loads LibTorch. It keeps its claim across exec.
bool claim_recording() {
  char own[32];
  const int length = std::snprintf(own, sizeof own, "%d", static_cast<int>(getpid()));
  const int made = open(g_claim, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (made >= 0) {
    const bool written = write(made, own, length) == length;
    close(made);
    return written;
  }
  const int there = open(g_claim, O_RDONLY | O_CLOEXEC);
  if (there < 0) return false;
  char owner[32] = {};
  const ssize_t got = read(there, owner, sizeof owner - 1);
  close(there);
  return got == length && std::memcmp(owner, own, length) == 0;
}

const Hooks* attach() {
  if (!version_fits()) return nullptr;
  // RTLD_GLOBAL stays off: the observer's symbols must not be found by the program.
  void* library = dlopen(g_library, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "ampprof: the observer could not be loaded, so nothing is recorded: %s\n", dlerror());
    return nullptr;
  }
  const auto attach = reinterpret_cast<AttachFunction>(dlsym(library, kAttachSymbol));
  return attach == nullptr ? nullptr : attach();
}

void after_fork_in_child() {
  g_tried = true;
  profiler::set_range_sink(nullptr);
  if (const Hooks* hooks = g_hooks.exchange(nullptr)) hooks->forked_child();
}

void copy_variable(const char* name, char* to, std::size_t size) {
  const char* value = std::getenv(name);
  if (value != nullptr && std::strlen(value) < size) std::strcpy(to, value);
}

__attribute__((constructor)) void start() {
  copy_variable("AMPPROF_RECORD_LIBRARY", g_library, sizeof g_library);
  copy_variable("AMPPROF_RECORD_CLAIM", g_claim, sizeof g_claim);
  load_observer_if_torch_is_there();
}

}  // namespace

const Hooks* hooks() { return g_hooks.load(std::memory_order_acquire); }

void load_observer_if_torch_is_there() {
  if (g_library[0] == '\0' || g_claim[0] == '\0' || torch_path().empty()) return;
  if (g_tried.exchange(true) || !claim_recording()) return;
  pthread_atfork(nullptr, nullptr, after_fork_in_child);
  const Hooks* hooks = attach();
  if (hooks != nullptr) profiler::set_range_sink(hooks->range_sink());
  g_hooks.store(hooks, std::memory_order_release);
}

void* next_symbol(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) found = symbol_of_torch(name);
  if (found != nullptr) return found;
  std::fprintf(stderr, "ampprof: the program's LibTorch has no %s, which the one ampprof was built for has\n", name);
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

/// LibTorch has just been loaded by other means than the program's own link map. Returns 1 when recording is on.
__attribute__((visibility("default"))) int ampprof_torch_loaded() {
  ampprof::preload::load_observer_if_torch_is_there();
  return hooks() != nullptr ? 1 : 0;
}
__attribute__((visibility("default"))) std::int64_t ampprof_intern(const char* name) {
  const auto* table = hooks();
  return table == nullptr ? 0 : table->intern(name);
}
__attribute__((visibility("default"))) void ampprof_scope_entered(std::int64_t name) {
  if (const auto* table = hooks()) table->scope_entered(name);
}
__attribute__((visibility("default"))) void ampprof_scope_left() {
  if (const auto* table = hooks()) table->scope_left();
}
__attribute__((visibility("default"))) void ampprof_parameter_named(void* tensor, const char* name) {
  if (const auto* table = hooks()) table->parameter_named(tensor, name);
}
__attribute__((visibility("default"))) void ampprof_optimizer_begun(const void* optimizer, int kind) {
  if (const auto* table = hooks()) table->optimizer_begun(optimizer, static_cast<ampprof::OptimizerStepKind>(kind));
}
__attribute__((visibility("default"))) void ampprof_optimizer_ended(const void* optimizer, int failed) {
  if (const auto* table = hooks()) table->optimizer_ended(optimizer, failed != 0);
}
__attribute__((visibility("default"))) void ampprof_step_ended() {
  if (const auto* table = hooks()) table->step_ended();
}
__attribute__((visibility("default"))) void ampprof_loss_scale(double scale) {
  if (const auto* table = hooks()) table->loss_scale(scale);
}
}

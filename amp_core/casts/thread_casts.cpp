// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/thread_casts.h"

#include <atomic>

#include "amp_core/casts/cast_kernels.h"
#include "amp_core/casts/casts.h"
#include "amp_core/emulation/half_on_cpu.h"
#include "amp_core/torch_hooks/autocast_keys.h"

namespace amp {
namespace {

// Backward of CUDA tensors runs on threads of autograd's own, which inherit the autocast keys of the thread that
// called backward(), but not its thread_local variables. This count tells them that the keys are ours.
std::atomic<int> threads_with_casts = 0;

struct ThreadCasts {
  bool in_force = false;
  bool installed = false;  ///< enable was called, and disable was not yet
  AutocastKeys keys_before;
  CastCache cache;

  ~ThreadCasts() {
    if (installed) --threads_with_casts;
  }
};

ThreadCasts& this_thread() {
  thread_local ThreadCasts casts;
  return casts;
}

}  // namespace

void enable_casts_on_this_thread() {
  ThreadCasts& casts = this_thread();
  if (casts.installed) return;
  install_cast_kernels();
  leave_script_casts_to_us();
  emulate_half_on_cpu();
  casts.keys_before = autocast_keys_of_this_thread();
  set_autocast_keys_of_this_thread(available_autocast_keys());
  casts.installed = casts.in_force = true;
  ++threads_with_casts;
}

void disable_casts_on_this_thread() {
  ThreadCasts& casts = this_thread();
  if (!casts.installed) return;
  set_autocast_keys_of_this_thread(casts.keys_before);
  casts.cache.clear();
  casts.installed = casts.in_force = false;
  --threads_with_casts;
}

bool casts_enabled() { return this_thread().in_force; }

void clear_cast_cache() { this_thread().cache.clear(); }

CastCache& cast_cache_of_this_thread() { return this_thread().cache; }

CastMode cast_mode() {
  const bool in_force = this_thread().in_force;
  if (!in_force && threads_with_casts.load(std::memory_order_relaxed) == 0) return CastMode::NotOurs;
  if (in_backward() || (in_force && in_kernel())) return CastMode::Pass;
  return in_force ? CastMode::Cast : CastMode::NotOurs;
}

DisableCasts::DisableCasts() : were_enabled_(this_thread().in_force) {
  const AutocastKeys keys = autocast_keys_of_this_thread();
  cpu_key_ = keys.cpu;
  cuda_key_ = keys.cuda;
  if (!were_enabled_) return;
  this_thread().in_force = false;
  set_autocast_keys_of_this_thread({});
}

DisableCasts::~DisableCasts() {
  if (!were_enabled_) return;
  this_thread().in_force = true;
  set_autocast_keys_of_this_thread({cpu_key_, cuda_key_});
}

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#include "profiler/attach/role.h"

#include <c10/core/impl/LocalDispatchKeySet.h>

#include <atomic>
#include <cstdio>
#include <exception>

#include "profiler/attach/amp_listener.h"
#include "profiler/nvtx/sink.h"
#include "profiler/observer/session.h"
#include "profiler/recorder/resident_memory.h"
#include "profiler/torch_hooks/observer_key.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

/// Ops after which a candidate that is not a worker asks for the claim.
constexpr std::int64_t kMostUndecidedOps = 1000;
/// Ops that a worker records in memory before it becomes a bystander.
constexpr std::int64_t kMostHeldOps = 200'000;

enum class Role : std::uint8_t {
  None,            ///< begin_role() was not called
  Waiting,         ///< no op was called yet
  WaitingForWork,  ///< a forked child of a candidate; ignored until it trains
  Changing,        ///< a thread is changing the role
  Candidate,
  Recorder,
  Bystander,  ///< another process is recorded
  Left,       ///< the process observes nothing any more
};

struct State {
  preload::Stub stub{};
  recording::Options options;
  std::int64_t resident_at_start = 0;
  bool is_worker = false;
  bool listens = false;
  std::atomic<std::int64_t> held_ops{0};
};

std::atomic<Role> g_role{Role::None};
State& state() {
  static auto& only = *new State;
  return only;
}

/// Reserves the change of a role `from` for this thread. Returns false if another thread was first or the role differs.
bool may_change(Role from) { return g_role.compare_exchange_strong(from, Role::Changing); }

void become(Role role) { g_role.store(role, std::memory_order_release); }

void give_up(const std::exception& error) {
  std::fprintf(stderr, "ampprof: nothing is recorded: %s\n", error.what());
  state().stub.note("failed", error.what());
  Session::forget();
  become(Role::Left);
}

Session* become_bystander() {
  state().stub.give_ranges_to(nullptr);
  Session::drop();
  become(Role::Bystander);
  return nullptr;
}

Session* start(Role from) {
  if (!may_change(from)) return Session::current();
  if (state().stub.is_claimed_by_another()) {
    become(Role::Bystander);
    return nullptr;
  }
  try {
    const c10::impl::ExcludeDispatchKeyGuard unobserved(kObserverKey);
    Session::start(state().options, state().resident_at_start);
    if (!std::exchange(state().listens, true)) listen_to_amp_core();
    state().stub.give_ranges_to(&Session::current()->core().ranges.sink());
    state().held_ops = 0;
    become(Role::Candidate);
  } catch (const std::exception& error) {
    give_up(error);
  }
  return Session::current();
}

Session* claim() {
  if (!may_change(Role::Candidate)) return Session::current();
  if (!state().stub.claim()) return become_bystander();
  try {
    Session::current()->write_from_here_on();
    become(Role::Recorder);
  } catch (const std::exception& error) {
    give_up(error);
  }
  return Session::current();
}

/// Decides at an op call of a candidate whether the process asks for the claim, keeps recording in memory, or becomes a
/// bystander.
Session* decide() {
  if (inside_backward()) return claim();
  const std::int64_t held = state().held_ops.fetch_add(1, std::memory_order_relaxed);
  if (!state().is_worker && held >= kMostUndecidedOps) return claim();
  const bool is_too_long = held >= kMostHeldOps;
  if (!is_too_long && !state().stub.is_claimed_by_another()) return Session::current();
  return may_change(Role::Candidate) ? become_bystander() : Session::current();
}

void note_unrecorded_training() {
  if (!may_change(Role::Bystander)) return;
  state().stub.note("trained", state().stub.rank());
  become(Role::Left);
}

/// Receives NVTX ranges until a session begins. A range that opens before the first op begins the session.
constexpr RangeSink kWaitingSink{
    .push =
        [](const char* domain, const char* text) {
          Session* session = session_for_name();
          return session == nullptr ? -1 : session->core().ranges.sink().push(domain, text);
        },
    .pop = [](const char*) { return -1; },
    .start = [](const char* domain, const char* text) -> std::uint64_t {
      Session* session = session_for_name();
      return session == nullptr ? 0 : session->core().ranges.sink().start(domain, text);
    },
    .end = [](std::uint64_t) {},
    .mark =
        [](const char* domain, const char* text) {
          if (Session* session = session_for_name()) session->core().ranges.sink().mark(domain, text);
        },
};

}  // namespace

void begin_role(const preload::Stub& stub, const recording::Options& options, bool own_worker) {
  state().stub = stub;
  state().options = options;
  state().resident_at_start = resident_bytes();
  state().is_worker = own_worker;
  stub.give_ranges_to(&kWaitingSink);
  become(Role::Waiting);
}

bool is_role_open() {
  const Role role = g_role.load(std::memory_order_acquire);
  return role != Role::None && role != Role::Left;
}

Session* session_for_op() {
  switch (const Role role = g_role.load(std::memory_order_acquire)) {
    case Role::Waiting:
      return start(role);
    case Role::WaitingForWork:
      return inside_backward() ? session_for_training() : nullptr;
    case Role::Candidate:
      return decide();
    case Role::Bystander:
      if (inside_backward()) note_unrecorded_training();
      return nullptr;
    case Role::Left:
      ignore_this_thread();
      return nullptr;
    default:
      return Session::current();
  }
}

Session* session_for_name() {
  const Role role = g_role.load(std::memory_order_acquire);
  return role == Role::Waiting ? start(role) : Session::current();
}

Session* session_for_training() {
  Role role = g_role.load(std::memory_order_acquire);
  if (role == Role::Waiting || role == Role::WaitingForWork) start(role);
  role = g_role.load(std::memory_order_acquire);
  if (role == Role::Candidate) return claim();
  if (role == Role::Bystander) note_unrecorded_training();
  return Session::current();
}

Session* session_for_model() { return state().is_worker ? session_for_training() : session_for_name(); }

void role_after_fork() {
  Session::forget();
  state().is_worker = true;
  switch (g_role.load(std::memory_order_relaxed)) {
    case Role::Waiting:
      state().stub.give_ranges_to(&kWaitingSink);
      break;
    case Role::WaitingForWork:
    case Role::Changing:
    case Role::Candidate:
      state().options.gpu = false;  // a forked child must not use CUDA if its parent did
      become(Role::WaitingForWork);
      break;
    case Role::Recorder:
      become(Role::Bystander);
      break;
    default:
      break;
  }
}

void end_role() {
  if (!state().is_worker && g_role == Role::Candidate) claim();
  if (g_role.exchange(Role::Left) == Role::Recorder) Session::finish();
}

void end_recording() {
  state().stub.give_ranges_to(nullptr);
  state().is_worker = false;  // a process that asked for a recording itself is not treated as a worker
  Session* session = Session::current();
  Session::flush_devices();
  end_role();
  if (session == nullptr) return;
  const std::string& failure = session->core().recorder.failure();
  if (!failure.empty()) state().stub.note("stopped", failure.c_str());
  session->release();
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/registry.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "amp_core/engine/engine.h"

namespace amp {
namespace {

struct Entry {
  std::shared_ptr<Engine> engine;
  bool has_thread = true;   ///< the thread that made the engine still exists
  bool was_shared = false;  ///< another thread has used the engine
};

struct Registry {
  std::mutex mutex;
  std::vector<Entry> entries;
  std::atomic<std::uint64_t> generation = 1;  ///< changes when an engine begins or ends

  auto find(const Engine* engine) {
    return std::find_if(entries.begin(), entries.end(),
                        [=](const Entry& entry) { return entry.engine.get() == engine; });
  }
};

/// Returns the registry. Never destroyed: threads may end after static objects have been destroyed.
Registry& registry() {
  static auto* const instance = new Registry();
  return *instance;
}

/// The result of the calling thread's last lookup.
struct Here {
  std::shared_ptr<Engine> engine;
  bool is_own = false;
  std::uint64_t generation = 0;

  ~Here() {
    if (!is_own) return;
    const std::lock_guard lock(registry().mutex);
    const auto entry = registry().find(engine.get());
    if (entry != registry().entries.end()) entry->has_thread = false;
  }
};

Here& here() {
  thread_local Here found;
  return found;
}

/// Looks up the thread's engine and stores it in `here`. The caller holds the registry's mutex.
void look_up(Here& here) {
  Registry& all = registry();
  const bool is_alive = all.find(here.engine.get()) != all.entries.end();
  if (!here.is_own || !is_alive) {
    here.is_own = false;
    here.engine.reset();
    if (all.entries.size() > 1) {
      throw Error(
          "This thread never called amp::initialize(), and several threads of the process have engines of their own, "
          "so amp cannot tell which one is meant. Call amp::initialize() on this thread, or use amp only on a thread "
          "that has called it.");
    }
    if (!all.entries.empty()) {
      all.entries.front().was_shared = true;
      here.engine = all.entries.front().engine;
    }
  }
  here.generation = all.generation;
}

}  // namespace

Engine* find_engine() {
  Here& found = here();
  if (found.generation != registry().generation.load(std::memory_order_acquire)) {
    const std::lock_guard lock(registry().mutex);
    look_up(found);
  }
  return found.engine.get();
}

Engine& engine(const char* caller) {
  if (Engine* found = find_engine()) return *found;
  throw Error(std::string("amp::") + caller + " was called before amp::initialize(models, optimizers, options).");
}

Engine* find_own_engine() {
  Here& found = here();
  const std::lock_guard lock(registry().mutex);
  const bool is_alive = registry().find(found.engine.get()) != registry().entries.end();
  return found.is_own && is_alive ? found.engine.get() : nullptr;
}

Engine& own_engine() {
  if (Engine* own = find_own_engine()) return *own;
  Here& found = here();
  const std::lock_guard lock(registry().mutex);
  Registry& all = registry();
  std::erase_if(all.entries, [](const Entry& entry) { return !entry.has_thread && !entry.was_shared; });
  found.engine = std::make_shared<Engine>();
  found.is_own = true;
  all.entries.push_back({.engine = found.engine});
  found.generation = ++all.generation;
  return *found.engine;
}

void end_engine() {
  Engine* const ended = find_engine();
  if (ended == nullptr) return;
  const std::lock_guard lock(registry().mutex);
  Registry& all = registry();
  const auto entry = all.find(ended);
  if (entry != all.entries.end()) all.entries.erase(entry);
  ++all.generation;
  here().engine.reset();
  here().is_own = false;
}

}  // namespace amp

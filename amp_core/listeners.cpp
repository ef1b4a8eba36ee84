// SPDX-License-Identifier: Apache-2.0
#include "amp_core/listeners.h"

#include <algorithm>
#include <mutex>

namespace amp {
namespace {

struct Registry {
  std::mutex mutex;
  std::shared_ptr<const Listeners> listeners = std::make_shared<const Listeners>();
};

/// Never destroyed: ops may run, and tell, while the process ends.
Registry& registry() {
  static auto* const instance = new Registry();
  return *instance;
}

template <class Change>
void change_listeners(Change&& change) {
  const std::lock_guard lock(registry().mutex);
  auto changed = std::make_shared<Listeners>(*registry().listeners);
  change(*changed);
  listener_count = static_cast<int>(changed->size());
  registry().listeners = std::move(changed);
}

}  // namespace

std::atomic<int> listener_count = 0;

std::shared_ptr<const Listeners> current_listeners() {
  const std::lock_guard lock(registry().mutex);
  return registry().listeners;
}

void add_listener(Listener* listener) {
  change_listeners([=](Listeners& listeners) { listeners.push_back(listener); });
}

void remove_listener(Listener* listener) {
  change_listeners([=](Listeners& listeners) { std::erase(listeners, listener); });
}

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#include "amp_core/base/listeners.h"

#include <mutex>

namespace amp {
namespace {

struct ListenerRegistry {
  std::mutex mutex;
  std::shared_ptr<const Listeners> listeners = std::make_shared<const Listeners>();
};

/// Returns the registry. Never destroyed: ops may run and send events while the process exits.
ListenerRegistry& listener_registry() {
  static auto* const instance = new ListenerRegistry();
  return *instance;
}

template <class Change>
void change_listeners(Change&& change) {
  const std::lock_guard lock(listener_registry().mutex);
  auto changed = std::make_shared<Listeners>(*listener_registry().listeners);
  change(*changed);
  listener_count = static_cast<int>(changed->size());
  listener_registry().listeners = std::move(changed);
}

}  // namespace

std::atomic<int> listener_count = 0;

std::shared_ptr<const Listeners> current_listeners() {
  const std::lock_guard lock(listener_registry().mutex);
  return listener_registry().listeners;
}

void add_listener(Listener* listener) {
  change_listeners([=](Listeners& listeners) { listeners.push_back(listener); });
}

void remove_listener(Listener* listener) {
  change_listeners([=](Listeners& listeners) { std::erase(listeners, listener); });
}

}  // namespace amp

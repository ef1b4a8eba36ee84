// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "amp_core/base/listener.h"

namespace amp {

using Listeners = std::vector<Listener*>;

/// Returns a snapshot of the listeners. A listener may be removed after the snapshot.
std::shared_ptr<const Listeners> current_listeners();

extern std::atomic<int> listener_count;

inline bool anyone_listens() { return listener_count.load(std::memory_order_relaxed) != 0; }

/// Calls `event(listener)` for each listener. Costs one load if there are no listeners.
template <class Event>
void tell(Event&& event) {
  if (!anyone_listens()) return;
  for (Listener* listener : *current_listeners()) event(*listener);
}

}  // namespace amp

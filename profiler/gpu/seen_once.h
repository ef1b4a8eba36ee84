// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <unordered_set>

namespace ampprof::profiler {

/// Remembers the last `most` different keys.
template <typename Key, typename Hash>
class SeenOnce {
 public:
  explicit SeenOnce(std::size_t most) : most_(most) {}

  /// Returns false for a key that is remembered.
  bool is_new(const Key& key) {
    if (!keys_.insert(key).second) return false;
    order_.push_back(key);
    if (order_.size() > most_) {
      keys_.erase(order_.front());
      order_.pop_front();
    }
    return true;
  }

 private:
  std::size_t most_;
  std::unordered_set<Key, Hash> keys_;
  std::deque<Key> order_;  ///< oldest first
};

}  // namespace ampprof::profiler

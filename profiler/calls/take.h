// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

namespace ampprof::profiler {

/// Removes the caller's own elements from a shared list, and returns them. Both lists keep their order.
template <class Element, class IsOwn>
std::vector<Element> take(std::vector<Element>& list, IsOwn is_own) {
  const auto others = std::ranges::stable_partition(list, is_own);
  std::vector<Element> own(std::move_iterator(list.begin()), std::move_iterator(others.begin()));
  list.erase(list.begin(), others.begin());
  return own;
}

}  // namespace ampprof::profiler

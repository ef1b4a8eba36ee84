// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/held_records.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "profiler/recorder/batch_lists.h"

namespace ampprof::profiler {
const HeldCalls* HeldRecords::range_of(std::int64_t number) const {
  const auto after = known_.upper_bound(number);
  if (after == known_.begin()) return nullptr;
  const HeldCalls& range = std::prev(after)->second;
  return number <= range.last ? &range : nullptr;
}

void HeldRecords::add_known(std::span<const HeldCalls> placed) {
  for (const HeldCalls& calls : placed) known_.insert_or_assign(calls.first, calls);
  while (known_.size() > kMostKnown) known_.erase(known_.begin());
}

void HeldRecords::take(std::span<const HeldCalls> placed, Batch& batch) {
  add_known(placed);
  each_list_with_segments(batch, waiting_, [&](auto& list, auto& waiting) {
    list.insert(list.end(), std::move_iterator(waiting.begin()), std::move_iterator(waiting.end()));
    waiting.clear();
    std::size_t kept = 0;
    for (auto& record : list) {
      if (record.segment >= HeldCalls::kFirstNumber) {
        const HeldCalls* const range = range_of(record.segment);
        if (range == nullptr) {
          waiting.push_back(std::move(record));
          continue;
        }
        constexpr bool kIsEvent = std::is_same_v<std::decay_t<decltype(record)>, NonfiniteEvent>;
        const std::int64_t segment = kIsEvent ? std::max(range->segment, range->around) : range->segment;
        if (segment == 0) continue;
        record.segment = segment;
      }
      if (&list[kept] != &record) list[kept] = std::move(record);
      ++kept;
    }
    list.resize(kept);
  });
}

}  // namespace ampprof::profiler

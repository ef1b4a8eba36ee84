// SPDX-License-Identifier: Apache-2.0
#include "profiler/nvtx/ranges.h"

#include <algorithm>
#include <utility>

namespace ampprof::profiler {
namespace {

/// Returns at most `most` bytes of `text`, without splitting a character.
std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (text[most] & 0xC0) == 0x80) --most;
  text.resize(most);
  return text + "…";
}

}  // namespace

Ranges::Ranges(RangeNeeds needs, const RangeBounds& bounds) : needs_(std::move(needs)), bounds_(bounds) {}

int Ranges::push(std::string_view domain, std::string_view text) {
  const std::int64_t now = needs_.now_ns();
  const std::int32_t thread = needs_.thread();
  const std::lock_guard lock(mutex_);
  if (is_finished_) return -1;
  Stack* stack = stack_of(thread, domain);
  if (!has_room() || stack->dropped > 0) {
    ++counts_.dropped;
    if (stack == nullptr) return -1;
    ++stack->dropped;
  } else {
    stack->open.push_back(begin(thread, domain, text, now));
  }
  return stack->level();
}

int Ranges::pop(std::string_view domain) {
  const std::int64_t now = needs_.now_ns();
  const auto thread = needs_.thread();
  const std::lock_guard lock(mutex_);
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return -1;
  Stacks& stacks = found->second;
  const auto stack = std::ranges::find(stacks, domain, &Stack::domain);
  if (stack == stacks.end()) return -1;
  const int level = stack->level();
  if (stack->dropped > 0) {
    --stack->dropped;
  } else {
    finish_at(stack->open.back(), now);
    stack->open.pop_back();
  }
  if (level == 0) stacks.erase(stack);
  if (stacks.empty()) threads_.erase(found);
  return level;
}

std::uint64_t Ranges::start(std::string_view domain, std::string_view text) {
  const std::int64_t now = needs_.now_ns();
  const std::int32_t thread = needs_.thread();
  const std::lock_guard lock(mutex_);
  if (is_finished_) return 0;
  if (!has_room()) {
    ++counts_.dropped;
    return 0;
  }
  NvtxRange range = begin(thread, domain, text, now);
  range.depth = 0;
  started_.emplace(++last_id_, range);
  return last_id_;
}

void Ranges::end(std::uint64_t id) {
  const std::int64_t now = needs_.now_ns();
  const std::lock_guard lock(mutex_);
  const auto found = started_.find(id);
  if (found == started_.end()) return;
  finish_at(found->second, now);
  started_.erase(found);
}

void Ranges::mark(std::string_view domain, std::string_view text) {
  const std::int64_t now = needs_.now_ns();
  const std::int32_t thread = needs_.thread();
  const std::lock_guard lock(mutex_);
  if (is_finished_) return;
  if (!has_room()) {
    ++counts_.dropped;
    return;
  }
  finish_at(begin(thread, domain, text, now), now);
}

TakenRanges Ranges::take() {
  const std::lock_guard lock(mutex_);
  places_ -= ended_.size();
  return {std::exchange(new_names_, {}), std::exchange(ended_, {})};
}

TakenRanges Ranges::finish(std::int64_t now) {
  {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
    const std::int64_t recorded = counts_.recorded;
    for (auto& [thread, stacks] : threads_) {
      for (const Stack& stack : stacks) {
        for (auto range = stack.open.rbegin(); range != stack.open.rend(); ++range) finish_at(*range, now);
      }
    }
    for (const auto& [id, range] : started_) finish_at(range, now);
    threads_.clear();
    started_.clear();
    counts_.still_open += counts_.recorded - recorded;
  }
  return take();
}

RangeCounts Ranges::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

/// Returns the thread's stack for a domain; null if the thread has no stack yet and the limits are reached, because a
/// program that keeps making threads would otherwise use unlimited memory.
Ranges::Stack* Ranges::stack_of(std::int32_t thread, std::string_view domain) {
  auto found = threads_.find(thread);
  if (found == threads_.end()) {
    if (!has_room()) return nullptr;
    found = threads_.emplace(thread, Stacks{}).first;
  }
  Stacks& stacks = found->second;
  const auto stack = std::ranges::find(stacks, domain, &Stack::domain);
  if (stack != stacks.end()) return &*stack;
  stacks.push_back({.domain = std::string(domain), .open = {}});
  return &stacks.back();
}

NvtxRange Ranges::begin(std::int32_t thread, std::string_view domain, std::string_view text, std::int64_t now) {
  ++places_;
  std::size_t depth = 0;
  if (const auto found = threads_.find(thread); found != threads_.end()) {
    for (const Stack& stack : found->second) depth += stack.open.size();
  }
  return {.thread = thread, .depth = static_cast<std::int32_t>(depth), .name = name_of(domain, text), .start_ns = now};
}

void Ranges::finish_at(NvtxRange range, std::int64_t now) {
  range.end_ns = std::max(range.start_ns, now);  // the time given to finish() may be earlier
  ended_.push_back(range);
  ++counts_.recorded;
}

std::int64_t Ranges::name_of(std::string_view domain, std::string_view text) {
  std::string name(domain);
  if (!domain.empty()) name += ": ";
  name += text.empty() ? kNoText : text;
  name = cut(std::move(name), bounds_.most_name_bytes);
  if (names_.size() < bounds_.most_names || names_.contains(name)) return intern(std::move(name));
  ++counts_.unnamed;
  return intern(kFurtherName);
}

std::int64_t Ranges::intern(std::string text) {
  const auto [entry, is_new] = names_.try_emplace(std::move(text), static_cast<std::int64_t>(names_.size()) + 1);
  if (is_new) new_names_.push_back({entry->second, entry->first});
  return entry->second;
}

std::vector<Missing> missing_of(const RangeCounts& counts) {
  std::vector<Missing> missing;
  const auto say = [&](std::int64_t count, const char* what, const char* cause, const char* remedy) {
    if (count != 0) missing.push_back({.what = what, .count = count, .cause = cause, .remedy = remedy});
  };
  say(counts.dropped, "NVTX ranges", "too many ranges were open or not yet written", "mark fewer ranges");
  say(counts.unnamed, "names of NVTX ranges", "the program uses too many different names",
      "leave numbers out of the names; avoid emit_nvtx()");
  say(counts.still_open, "ends of NVTX ranges", "the ranges were still open when the recording ended",
      "end each range in the program");
  return missing;
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/guarded.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ampprof::profiler {
namespace {

std::optional<FaultPlace> place_to_fail() {
  const char* name = std::getenv("AMPPROF_FAULT");
  const auto* found = std::ranges::find(kPlaces, std::string_view(name == nullptr ? "" : name), &NamedPlace::name);
  return found == std::end(kPlaces) ? std::nullopt : std::optional(found->place);
}

/// Counts of faults. Never destroyed, since hooks may run during static destruction.
struct Faults {
  std::mutex mutex;
  std::map<std::string, std::int64_t> counts;
};
Faults& faults() {
  static auto& only = *new Faults;
  return only;
}

std::string_view name_of(FaultPlace place) { return std::ranges::find(kPlaces, place, &NamedPlace::place)->name; }

}  // namespace

void fail_if_asked(FaultPlace place) {
  static const std::optional<FaultPlace> failing = place_to_fail();
  static std::atomic<unsigned> reached{0};
  // Throws every other time, so that tests also cover the code after a failure.
  if (failing == place && reached.fetch_add(1) % 2 == 1) throw std::runtime_error("AMPPROF_FAULT asks for it");
}

std::string message_of(const std::exception& error) {
  // c10::Error::what() would symbolize its stack trace, which is slow.
  const auto* of_torch = dynamic_cast<const c10::Error*>(&error);
  const std::string_view whole = of_torch == nullptr ? error.what() : of_torch->what_without_backtrace();
  return std::string(whole.substr(0, whole.find('\n')));
}

void note_fault(FaultPlace place, std::string_view what) noexcept {
  try {
    const std::lock_guard lock(faults().mutex);
    ++faults().counts[std::string(name_of(place)) + ": " + std::string(what)];
  } catch (...) {  // out of memory: losing the count is better than throwing
  }
}

std::vector<Missing> take_faults() {
  const std::lock_guard lock(faults().mutex);
  std::vector<Missing> missing;
  for (const auto& [cause, count] : std::exchange(faults().counts, {})) {
    missing.push_back({.what = "what ampprof failed to look at",
                       .count = count,
                       .cause = cause,
                       .remedy = "report this as a defect of ampprof; the program was not disturbed"});
  }
  return missing;
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "precision/recipes/skipped_layers.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>

namespace amp::recipes {
namespace {

constexpr std::size_t kMostLines = 20;

std::atomic<bool> says = true;

/// Returns whether a call site is new, and the number of call sites so far.
std::pair<bool, std::size_t> note(const std::string& place) {
  static std::mutex mutex;
  static auto* const places = new std::set<std::string>();
  const std::lock_guard lock(mutex);
  const bool is_new = places->insert(place).second;
  return {is_new, places->size()};
}

void say(const std::string& recipe, const std::string& place, const std::string& reason) {
  const auto [is_new, count] = note(recipe + place);
  if (!is_new || count > kMostLines + 1) return;
  if (count > kMostLines) {
    std::fputs("amp: Recipes leave further layers unchanged, which are not listed.\n", stderr);
    return;
  }
  // The reason begins with "Stays BF16: ", which is true on hardware; in the emulation the layer keeps its own type.
  const auto colon = reason.find(": ");
  std::fprintf(stderr, "amp: The recipe %s leaves %s unchanged: %s\n", recipe.c_str(), place.c_str(),
               reason.substr(colon == reason.npos ? 0 : colon + 2).c_str());
}

}  // namespace

Formats taken(Formats formats, const ampprof::recipes::LayerSizes& sizes, const std::string& place) {
  for (auto& recipe : formats.of) {
    if (!recipe) continue;
    const auto decision = decide(*recipe, sizes);
    if (decision.is_quantized) continue;
    if (says.load(std::memory_order_relaxed)) say(recipe->name, place, decision.reason);
    recipe = nullptr;
  }
  return formats;
}

void report_unquantized_layers(bool on) { says.store(on, std::memory_order_relaxed); }

}  // namespace amp::recipes

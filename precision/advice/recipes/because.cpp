// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/because.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/text/numbers.h"

namespace ampprof::advice {
namespace {

constexpr const char* figure_of(bool is_loss) { return is_loss ? "the loss" : "a step's decrease of the loss"; }

/// A gradient's damage is positive where a step decreases the loss less.
std::string change_of(std::size_t matmul, const ErrorCost& damage) {
  const double change = matmul == kFprop ? damage.mean : 0.0 - damage.mean;
  return fmt::format("changes {} by {:+.1e} ± {}, from step to step by {}", figure_of(matmul == kFprop), change,
                     text::scientific(std::sqrt(damage.variance)), text::scientific(std::sqrt(damage.squares)));
}

}  // namespace

std::string Reasons::because(std::size_t group, std::size_t matmul, const MatmulAdvice& of) const {
  std::string text;
  if (of.damage) {
    text = fmt::format("{} instead of {}; {}.", text::microseconds(of.us), text::microseconds(of.plain_us),
                       change_of(matmul, *of.damage));
  }
  const std::string rest = why_no_faster(group, matmul);
  return text + (text.empty() || rest.empty() ? "" : " ") + rest;
}

std::vector<Reasons::Other> Reasons::faster_ones(std::size_t group, std::size_t matmul) const {
  const GroupChoices& choices = groups_[group];
  const std::size_t now = found_.choices[group];
  std::vector<Other> others;
  for (std::size_t f = 0; f < advice_.formats.size(); ++f) {
    Formats formats = choices.formats[now];
    for (std::size_t m = 0; m < formats.size(); ++m) {
      const bool is_meant = m == matmul || is_delayed(advice_.formats[f]);
      if (is_meant && choices.has[m]) formats[m] = f;
    }
    const std::size_t place = choices.place_of(formats);
    if (place == choices.choices.size()) continue;
    const double saved = choices.choices[now].us - choices.choices[place].us;
    if (saved > 0.0) others.push_back({f, place, saved});
  }
  std::ranges::sort(others, std::ranges::greater(), &Other::saved_us);
  return others;
}

std::string Reasons::why_not(std::size_t group, std::size_t matmul, const Other& other) const {
  std::vector<std::size_t> choices = found_.choices;
  choices[group] = other.place;
  Choice total;
  for (std::size_t g = 0; g < choices.size(); ++g) {
    const Choice& part = groups_[g].choices[choices[g]];
    total.loss.add(part.loss);
    total.gradient.add(part.gradient);
  }
  const std::string saves =
      fmt::format("{} would save {}", advice_.formats[other.format].name, text::microseconds(other.saved_us));
  for (const bool is_loss : {matmul == kFprop, matmul != kFprop}) {
    const double bound = (is_loss ? total.loss : total.gradient).bound();
    const double tolerance = is_loss ? advice_.tolerances.loss : advice_.tolerances.gradient;
    if (bound <= tolerance) continue;
    return fmt::format("{}, but all together could then change {} by {}, and {} is the tolerance.", saves,
                       figure_of(is_loss), text::scientific(bound), text::scientific(tolerance));
  }
  return saves + ", but the search ended before it came to that.";
}

std::string Reasons::why_no_faster(std::size_t group, std::size_t matmul) const {
  const std::vector<Other> others = faster_ones(group, matmul);
  if (!others.empty()) return why_not(group, matmul, others.front());
  const std::size_t now = groups_[group].formats[found_.choices[group]][matmul];
  if (now != 0) return {};
  const auto& obstacles = groups_[group].obstacles[matmul];
  const auto obstacle = std::ranges::find_if(obstacles, [](const std::string& text) { return !text.empty(); });
  if (obstacle == obstacles.end()) return "No format is faster, with the copies that it needs.";
  return *obstacle;
}

}  // namespace ampprof::advice

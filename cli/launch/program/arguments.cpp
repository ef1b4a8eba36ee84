// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/arguments.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "amp_core/launch/launcher.h"
#include "amp_core/levels/level.h"
#include "reports/recording/options.h"
#include "reports/recording/rank_list.h"
#include "reports/recording/remedies.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

std::optional<std::int64_t> integer_from(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::toupper(c); });
  return result;
}

// Returns the number of bytes in a unit: "", "K", "kB", "KiB", "M"…
std::optional<double> unit_from(std::string_view text) {
  std::string unit = upper(text);
  if (unit.ends_with('B')) unit.pop_back();
  double base = 1000;
  if (unit.size() == 2 && unit.ends_with('I')) {
    base = 1024;
    unit.pop_back();
  }
  if (unit.empty()) return 1;
  const auto power = std::string_view("KMGT").find(unit);
  if (unit.size() != 1 || power == std::string_view::npos) return std::nullopt;
  return std::pow(base, static_cast<double>(power + 1));
}

/// Returns how to write a remedy: "eps=N", "fp32_module=MODULE" or "master_weights".
std::string form_of(const recording::RemedyWord& word) {
  switch (word.value) {
    case recording::RemedyWord::Value::None:
      return std::string(word.name);
    case recording::RemedyWord::Value::Number:
      return std::string(word.name) + "=N";
    case recording::RemedyWord::Value::Module:
      return std::string(word.name) + "=MODULE";
  }
  return "";
}

/// Returns whether a text is a finite number above 0, as scales and eps must be.
bool is_positive(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0 && std::isfinite(value);
}

bool fits_in(recording::RemedyWord::Value kind, bool has_value, std::string_view value) {
  if (kind == recording::RemedyWord::Value::None) return !has_value;
  return kind == recording::RemedyWord::Value::Number ? is_positive(value) : !value.empty();
}

std::string rank() {
  const char* told = amp::parallel::first_set(&amp::parallel::Launcher::rank, std::getenv);
  return told != nullptr ? told : "0";
}

}  // namespace

StepRange steps_from(std::string_view text) {
  const auto fail = [&] {
    return text::UsageError(
        fmt::format("--steps: invalid range '{}'. Write A:B, as in --steps 10:20; steps count from 1 "
                    "and both ends are included.",
                    text));
  };
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || text == ":") throw fail();
  StepRange range;
  if (colon > 0) {
    const auto first = integer_from(text.substr(0, colon));
    if (!first || *first < 0) throw fail();
    range.first = *first;
  }
  if (colon + 1 < text.size()) {
    range.last = integer_from(text.substr(colon + 1));
    if (!range.last || *range.last < range.first) throw fail();
  }
  return range;
}

std::vector<std::string> levels_from(std::string_view text) {
  const std::vector<std::string> known = amp::level_names();
  std::vector<std::string> levels;
  for (const std::string_view part : split(text, ',')) {
    const std::string level = upper(part);
    if (std::ranges::find(known, level) == known.end()) {
      throw text::UsageError(
          fmt::format("--levels: '{}' is not an opt level. Use {}, as in --levels O0,O1.{}", part, text::listed(known),
                      level.starts_with('0') ? " They begin with the letter O, not with a zero." : ""));
    }
    if (std::find(levels.begin(), levels.end(), level) != levels.end()) {
      throw text::UsageError(
          fmt::format("--levels: {} is named twice. To run a level several times, add --repeat N.", level));
    }
    levels.push_back(level);
  }
  return levels;
}

std::int64_t size_from(std::string_view flag, std::string_view text) {
  const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
  double amount = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, amount);
  const auto unit = unit_from(text.substr(digits));
  if (error != std::errc() || end != text.data() + digits || !unit || amount <= 0 || amount * *unit >= 9e18) {
    throw text::UsageError(
        fmt::format("{}: invalid size '{}'. Write a number with K, M, G or T, as in 500M or 2GiB.", flag, text));
  }
  return static_cast<std::int64_t>(amount * *unit);
}

double overhead_from(std::string_view text) {
  if (text == "off") return recording::kEverything;
  double percent = 0;
  const bool has_sign = text.ends_with('%');
  const char* const last = text.data() + text.size() - (has_sign ? 1 : 0);
  const auto [end, error] = std::from_chars(text.data(), last, percent);
  if (!has_sign || error != std::errc() || end != last || !(percent > 0) || !std::isfinite(percent)) {
    throw text::UsageError(fmt::format("--overhead: invalid share '{}'. Write a percentage, as in 5%, or off.", text));
  }
  return percent / 100;
}

double seconds_from(std::string_view flag, std::string_view text, bool may_be_zero) {
  constexpr std::pair<std::string_view, double> kUnits[]{{"", 1}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
  double amount = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto* unit = std::ranges::find(kUnits, rest, &std::pair<std::string_view, double>::first);
  const bool is_duration = std::isfinite(amount) && (amount > 0 || (amount == 0 && may_be_zero));
  if (error != std::errc() || !is_duration || unit == std::end(kUnits)) {
    throw text::UsageError(fmt::format(
        "{}: invalid duration '{}'. Write a number{} with ms, s, m or h, as in 90s or 30m; without a unit it is in "
        "seconds.",
        flag, text, may_be_zero ? "" : " above 0"));
  }
  return amount * unit->second;
}

InputSpec input_from(std::string_view text) {
  static const std::vector<std::string> kTypes{"f32", "f64", "f16", "bf16", "i64"};
  const auto fail = [&](const std::string& why) {
    return text::UsageError(
        fmt::format("--input: '{}' {}. Write a type and a shape, as in f32[8,3,32,32]; types are {}.", text, why,
                    text::listed(kTypes)));
  };
  const auto bracket = text.find('[');
  if (bracket == std::string_view::npos || !text.ends_with(']')) throw fail("has no shape in brackets");
  InputSpec spec{std::string(text.substr(0, bracket)), {}};
  if (std::find(kTypes.begin(), kTypes.end(), spec.dtype) == kTypes.end()) {
    throw fail(fmt::format("has an unknown type '{}'", spec.dtype));
  }
  const std::string_view inside = text.substr(bracket + 1, text.size() - bracket - 2);
  if (inside.empty()) return spec;
  double elements = 1;
  for (const std::string_view part : split(inside, ',')) {
    const auto size = integer_from(part);
    if (!size || *size < 0) throw fail(fmt::format("has a size '{}' that is not a whole number", part));
    elements *= static_cast<double>(*size);
    spec.shape.push_back(*size);
  }
  if (elements > 1e12) throw fail("is larger than any memory");
  return spec;
}

std::vector<std::string> remedies_from(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, ',')) {
    const std::string_view name = word.substr(0, word.find('='));
    const auto* known = std::ranges::find(recording::kRemedyWords, name, &recording::RemedyWord::name);
    if (known == std::end(recording::kRemedyWords)) {
      std::vector<std::string> names;
      for (const auto& each : recording::kRemedyWords) names.push_back(form_of(each));
      throw text::UsageError(fmt::format("--remedy: unknown remedy '{}'. Use one of {}.", word, text::listed(names)));
    }
    const bool has_value = word.size() > name.size();
    const bool fits = fits_in(known->value, has_value, word.substr(has_value ? name.size() + 1 : name.size()));
    if (!fits)
      throw text::UsageError(
          fmt::format("--remedy: '{}' does not have the form {}. Correct it.", word, form_of(*known)));
    words.emplace_back(word);
  }
  return words;
}

std::string number_of_remedy(const std::vector<std::string>& remedies, std::string_view name) {
  const std::string begin = std::string(name) + '=';
  const auto word = std::ranges::find_if(remedies, [&](const std::string& each) { return each.starts_with(begin); });
  return word == remedies.end() ? "" : word->substr(begin.size());
}

std::string record_ranks_from(std::string_view text) {
  if (text == recording::kAllRanks) return std::string(text);
  for (const std::string_view part : split(text, ',')) {
    if (recording::rank_slice_from(part)) continue;
    throw text::UsageError(
        fmt::format("--record-ranks: '{}' names no rank. Write ranks and START:STOP:STEP with commas between them, as "
                    "in 0,1,8:16:4 for ranks 0, 1, 8 and 12 (STOP is excluded), or all.",
                    part));
  }
  return std::string(text);
}

std::string expanded_report_name(std::string_view pattern) {
  std::string name;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    switch (next) {
      case 'p':
        name += std::to_string(getpid());
        break;
      case 'h':
        name += amp::parallel::host_name();
        break;
      case 'r':
        name += rank();
        break;
      case '%':
        name += '%';
        break;
      default:
        name += pattern[i];
        continue;
    }
    ++i;
  }
  return name;
}

}  // namespace ampprof::cli

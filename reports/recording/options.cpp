// SPDX-License-Identifier: Apache-2.0
#include "reports/recording/options.h"

#include <array>
#include <cctype>
#include <charconv>
#include <concepts>
#include <system_error>

namespace ampprof::recording {
namespace {

struct NamedReference {
  ReferenceMode mode;
  std::string_view name;
};
constexpr NamedReference kReferences[] = {
    {ReferenceMode::Float, "fp32"}, {ReferenceMode::Double, "fp64"}, {ReferenceMode::Off, "off"}};

// text_of() converts a value to text, read() converts it back. A malformed text counts as unset.

std::string text_of(const std::string& value) { return value; }
void read(std::string_view text, std::string& to) { to = text; }

std::string text_of(const std::filesystem::path& value) { return value.string(); }
void read(std::string_view text, std::filesystem::path& to) { to = text; }

template <std::same_as<bool> Flag>
std::string text_of(Flag value) {
  return value ? "1" : "0";
}
template <std::same_as<bool> Flag>
void read(std::string_view text, Flag& to) {
  to = text == "1";
}

template <typename Number>
concept IsNumber = std::floating_point<Number> ||(std::integral<Number> && !std::same_as<Number, bool>);

template <IsNumber Number>
std::string text_of(Number value) {
  std::array<char, 64> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}
template <IsNumber Number>
std::optional<Number> number_from(std::string_view text) {
  Number value{};
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc{} && end == last ? std::optional(value) : std::nullopt;
}
template <IsNumber Number>
void read(std::string_view text, Number& to) {
  to = number_from<Number>(text).value_or(to);
}

template <IsNumber Number>
std::string text_of(const std::optional<Number>& value) {
  return value ? text_of(*value) : "";
}
template <IsNumber Number>
void read(std::string_view text, std::optional<Number>& to) {
  to = number_from<Number>(text);
}

std::string text_of(ReferenceMode mode) { return name_of(mode); }
void read(std::string_view text, ReferenceMode& to) { to = reference_named(text).value_or(to); }

std::string text_of(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}
void read(std::string_view text, std::vector<std::string>& to) { to = parts_of(text); }

std::string name_of(const Carried& carried) {
  return carried.name.starts_with("--") ? variable_of(carried.name, kVariablePrefix) : std::string(carried.name);
}

std::string text_in(const Options& options, const Carried& carried) {
  return std::visit([&](auto member) { return text_of(options.*member); }, carried.member);
}

/// Returns the number of steps from the first recorded step to `step`. A `first_step` of 0, which includes the time
/// before the first step, counts as 1.
std::int64_t steps_since_first(const Options& options, std::int64_t step) {
  return std::max<std::int64_t>(step - std::max<std::int64_t>(options.first_step, 1), 0);
}

}  // namespace

std::string name_of(ReferenceMode mode) {
  return std::string(std::ranges::find(kReferences, mode, &NamedReference::mode)->name);
}

std::optional<ReferenceMode> reference_named(std::string_view text) {
  const auto* found = std::ranges::find(kReferences, text, &NamedReference::name);
  return found == std::end(kReferences) ? std::nullopt : std::optional(found->mode);
}

std::vector<std::string> reference_names() {
  std::vector<std::string> names;
  for (const NamedReference& reference : kReferences) names.emplace_back(reference.name);
  return names;
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool Options::records(std::int64_t step, std::int64_t now_ns) const {
  if (step < first_step || step > last_step.value_or(step)) return false;
  const double seconds = static_cast<double>(now_ns) / 1e9;
  if (seconds < delay || seconds - delay > duration) return false;
  return steps_since_first(*this, step) % every == 0;
}

bool Options::is_sampled(std::int64_t step) const { return steps_since_first(*this, step) / every % deep_every == 0; }

bool Options::checks(std::int64_t step) const {
  return check_ranks > 0 && steps_since_first(*this, step) / every % check_ranks == 0;
}

std::string variable_of(std::string_view flag, std::string_view prefix) {
  std::string name(flag.substr(flag.find_first_not_of('-')));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return c == '-' ? '_' : std::toupper(c); });
  return std::string(prefix) + name;
}

Variables variables_of(const Options& options) {
  const Options usual;
  Variables variables;
  for (const Carried& carried : kCarried) {
    std::string value = text_in(options, carried);
    if (value != text_in(usual, carried)) variables.emplace_back(name_of(carried), std::move(value));
  }
  return variables;
}

std::optional<Options> options_from(const std::function<const char*(const char*)>& lookup) {
  Options options;
  for (const Carried& carried : kCarried) {
    const char* text = lookup(name_of(carried).c_str());
    if (text != nullptr) std::visit([&](auto member) { read(text, options.*member); }, carried.member);
  }
  if (options.report.empty() || options.run <= 0) return std::nullopt;
  options.every = std::max<std::int64_t>(options.every, 1);
  options.deep_every = std::max<std::int64_t>(options.deep_every, 1);
  options.check_ranks = std::max<std::int64_t>(options.check_ranks, 0);
  return options;
}

}  // namespace ampprof::recording

// SPDX-License-Identifier: Apache-2.0
#include "reports/recording/options.h"

#include <algorithm>
#include <array>
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
    {ReferenceMode::Off, "off"}, {ReferenceMode::Float, "fp32"}, {ReferenceMode::Double, "fp64"}};

// ---- one value as text; read() takes a malformed one for not set ----------------------------------------------------

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

std::string text_of(ReferenceMode mode) {
  return std::string(std::ranges::find(kReferences, mode, &NamedReference::mode)->name);
}
void read(std::string_view text, ReferenceMode& to) { to = reference_named(text).value_or(to); }

std::string text_of(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}
void read(std::string_view text, std::vector<std::string>& to) { to = parts_of(text); }

// ---- the table ------------------------------------------------------------------------------------------------------

/// A variable and the member of Options that it carries.
struct Variable {
  const char* name;
  std::string (*write)(const Options&);
  void (*read)(std::string_view, Options&);
};

template <auto Member>
constexpr Variable variable(const char* name) {
  return {name, [](const Options& options) { return text_of(options.*Member); },
          [](std::string_view text, Options& options) { read(text, options.*Member); }};
}

// A new option is a member of Options and a line here.
constexpr Variable kVariables[] = {
    variable<&Options::report>(kReportVariable),
    variable<&Options::run>(kRunVariable),
    variable<&Options::reference>("AMPPROF_RECORD_REFERENCE"),
    variable<&Options::inherited>("AMPPROF_RECORD_INHERITED"),
    variable<&Options::impact>("AMPPROF_RECORD_IMPACT"),
    variable<&Options::sketch>("AMPPROF_RECORD_SKETCH"),
    variable<&Options::impact_bytes>("AMPPROF_RECORD_IMPACT_BYTES"),
    variable<&Options::deep_every>("AMPPROF_RECORD_DEEP_EVERY"),
    variable<&Options::what_if>("AMPPROF_RECORD_WHAT_IF"),
    variable<&Options::screen>("AMPPROF_RECORD_SCREEN"),
    variable<&Options::assume_scale>("AMPPROF_RECORD_ASSUME_SCALE"),
    variable<&Options::check_ranks>("AMPPROF_RECORD_CHECK_RANKS"),
    variable<&Options::first_step>("AMPPROF_RECORD_FIRST_STEP"),
    variable<&Options::last_step>("AMPPROF_RECORD_LAST_STEP"),
    variable<&Options::every>("AMPPROF_RECORD_EVERY"),
    variable<&Options::delay_ns>("AMPPROF_RECORD_DELAY_NS"),
    variable<&Options::duration_ns>("AMPPROF_RECORD_DURATION_NS"),
    variable<&Options::max_bytes>("AMPPROF_RECORD_MAX_BYTES"),
    variable<&Options::loss_scale>("AMPPROF_RECORD_LOSS_SCALE"),
    variable<&Options::seed>("AMPPROF_RECORD_SEED"),
    variable<&Options::rerun>("AMPPROF_RECORD_RERUN"),
    variable<&Options::level>(kLevelVariable),
    variable<&Options::inject_casts>("AMPPROF_RECORD_INJECT"),
    variable<&Options::inject_rules>("AMPPROF_RECORD_INJECT_RULES"),
    variable<&Options::pending_on_cpu>("AMPPROF_PENDING"),
    variable<&Options::estimates>("AMPPROF_ESTIMATES"),
};

/// 0 for what comes before the first step, too. Steps count from 1.
std::int64_t steps_since_first(const Options& options, std::int64_t step) {
  return std::max<std::int64_t>(step - std::max<std::int64_t>(options.first_step, 1), 0);
}

}  // namespace

std::optional<ReferenceMode> reference_named(std::string_view text) {
  const auto* found = std::ranges::find(kReferences, text, &NamedReference::name);
  return found == std::end(kReferences) ? std::nullopt : std::optional(found->mode);
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
  if (step < first_step || step > last_step) return false;
  if (now_ns < delay_ns || now_ns - delay_ns > duration_ns) return false;
  return steps_since_first(*this, step) % every == 0;
}

bool Options::is_sampled(std::int64_t step) const { return steps_since_first(*this, step) / every % deep_every == 0; }

bool Options::checks(std::int64_t step) const {
  return check_ranks > 0 && steps_since_first(*this, step) / every % check_ranks == 0;
}

Variables variables_of(const Options& options) {
  const Options usual;
  Variables variables;
  for (const Variable& variable : kVariables) {
    std::string value = variable.write(options);
    if (value != variable.write(usual)) variables.emplace_back(variable.name, std::move(value));
  }
  return variables;
}

std::optional<Options> options_from(const std::function<const char*(const char*)>& lookup) {
  Options options;
  for (const Variable& variable : kVariables) {
    if (const char* text = lookup(variable.name)) variable.read(text, options);
  }
  if (options.report.empty() || options.run <= 0) return std::nullopt;
  options.every = std::max<std::int64_t>(options.every, 1);
  options.deep_every = std::max<std::int64_t>(options.deep_every, 1);
  options.check_ranks = std::max<std::int64_t>(options.check_ranks, 0);
  return options;
}

}  // namespace ampprof::recording

// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/options.h"

#include <charconv>
#include <string_view>

namespace ampprof::profiler {
namespace {

constexpr double kNanosecondsPerSecond = 1e9;

template <typename Number>
std::optional<Number> number_from(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

ReferenceMode reference_from(std::string_view text) {
  if (text == "off") return ReferenceMode::Off;
  return text == "fp64" ? ReferenceMode::Double : ReferenceMode::Float;
}

// "A:B", either side may be empty.
void read_steps(std::string_view text, RecordOptions& options) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return;
  options.first_step = number_from<std::int64_t>(text.substr(0, colon)).value_or(options.first_step);
  options.last_step = number_from<std::int64_t>(text.substr(colon + 1)).value_or(options.last_step);
}

std::vector<std::string> parts_of(std::string_view text, char between) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(between), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace

bool RecordOptions::records(std::int64_t step, std::int64_t now_ns) const {
  if (step < first_step || step > last_step) return false;
  if (now_ns < delay_ns || now_ns - delay_ns > duration_ns) return false;
  return step <= 0 || (step - std::max<std::int64_t>(first_step, 1)) % every == 0;
}

bool RecordOptions::goes_deep(std::int64_t step) const {
  return step <= 0 || (step - std::max<std::int64_t>(first_step, 1)) / every % deep_every == 0;
}

std::optional<RecordOptions> record_options(const std::function<const char*(const char*)>& lookup) {
  const auto value = [&](const char* name) {
    const char* text = lookup(name);
    return std::string_view(text == nullptr ? "" : text);
  };
  const auto seconds = [&](const char* name, std::int64_t fallback) {
    const auto read = number_from<double>(value(name));
    return read ? static_cast<std::int64_t>(*read * kNanosecondsPerSecond) : fallback;
  };

  RecordOptions options;
  options.report = value("AMPPROF_RECORD_REPORT");
  options.run = number_from<std::int64_t>(value("AMPPROF_RECORD_RUN")).value_or(0);
  if (options.report.empty() || options.run <= 0) return std::nullopt;
  options.reference = reference_from(value("AMPPROF_RECORD_REFERENCE"));
  options.inherited = value("AMPPROF_RECORD_INHERITED") == "1";
  options.impact = value("AMPPROF_RECORD_IMPACT") == "1";
  options.impact_bytes = number_from<std::int64_t>(value("AMPPROF_RECORD_IMPACT_BYTES")).value_or(options.impact_bytes);
  options.deep_every =
      std::max<std::int64_t>(number_from<std::int64_t>(value("AMPPROF_RECORD_DEEP_EVERY")).value_or(1), 1);
  options.what_if = value("AMPPROF_RECORD_WHAT_IF");
  options.assume_scale = number_from<double>(value("AMPPROF_RECORD_ASSUME_SCALE")).value_or(options.assume_scale);
  read_steps(value("AMPPROF_RECORD_STEPS"), options);
  options.every = std::max<std::int64_t>(number_from<std::int64_t>(value("AMPPROF_RECORD_EVERY")).value_or(1), 1);
  options.delay_ns = seconds("AMPPROF_RECORD_DELAY", options.delay_ns);
  options.duration_ns = seconds("AMPPROF_RECORD_DURATION", options.duration_ns);
  options.max_bytes = number_from<std::int64_t>(value("AMPPROF_RECORD_MAX_BYTES")).value_or(options.max_bytes);
  options.loss_scale = number_from<double>(value("AMPPROF_RECORD_LOSS_SCALE"));
  options.seed = number_from<std::uint64_t>(value("AMPPROF_RECORD_SEED"));
  options.rerun = parts_of(value("AMPPROF_RECORD_RERUN"), ',');
  options.level = value("AMP_OPT_LEVEL");
  options.inject_casts = value("AMPPROF_RECORD_INJECT") == "O1";
  options.late = value("AMPPROF_LATE") == "1";
  return options;
}

}  // namespace ampprof::profiler

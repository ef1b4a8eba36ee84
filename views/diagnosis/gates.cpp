// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/gates.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/judged_gates.h"
#include "reports/gates/evaluate.h"
#include "reports/gates/scanner.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/table/column.h"
#include "views/table/format.h"
#include "views/table/xml.h"

namespace ampprof::views {
namespace {

using gates::Comparison;
using gates::Expression;
using gates::GateOutcome;
using gates::GateResult;

std::string with_digits(double value, const gates::Unit& unit, int digits) {
  if (unit == gates::kBytes && digits < 17) return text::bytes(value);
  return fmt::format("{:.{}g}{}{}", value, digits, unit.is_plain() ? "" : " ", unit.name);
}

// Returns both sides of a comparison as text, with enough digits to tell different values apart.
std::pair<std::string, std::string> sides_of(const Comparison& comparison) {
  const auto text = [&](const std::optional<double>& value, int digits) {
    return value ? with_digits(*value, comparison.unit, digits) : std::string("unknown");
  };
  for (const int digits : {4, 9}) {
    std::pair sides{text(comparison.left, digits), text(comparison.right, digits)};
    if (sides.first != sides.second || comparison.left == comparison.right) return sides;
  }
  return {text(comparison.left, 17), text(comparison.right, 17)};
}

/// Returns "5 <= 3", "7, not <= 3", or the reason for a missing value.
std::string phrase_of(const Comparison& comparison) {
  const std::string reason = text::printable(comparison.reason);
  if (comparison.outcome == GateOutcome::DoesNotApply) return "does not apply: " + reason;
  if (comparison.outcome == GateOutcome::Unknown) return "unknown: " + reason;
  const auto [left, right] = sides_of(comparison);
  const char* is_not = comparison.outcome == GateOutcome::Pass ? " " : ", not ";
  return fmt::format("{}{}{} {}", left, is_not, symbol_of(comparison.operation), right);
}

/// Returns the comparisons of a gate, each after its levels or runs: "O0, O3: 0 <= 3; O1: 1 <= 3". For a failed gate,
/// omits comparisons that passed and, if any comparison applies, comparisons that do not apply.
std::string values_of(const GateResult& result) {
  if (result.comparisons.empty()) return "unknown: the report has no run";
  const bool any_applies = std::ranges::any_of(
      result.comparisons, [](const Comparison& comparison) { return comparison.outcome != GateOutcome::DoesNotApply; });
  std::vector<std::pair<std::string, std::string>> phrases;  // comparison; levels or runs that it is about
  for (const Comparison& comparison : result.comparisons) {
    const GateOutcome other = result.passed() ? GateOutcome::Fail : GateOutcome::Pass;
    const bool is_aside = comparison.outcome == GateOutcome::DoesNotApply && any_applies && !result.passed();
    if (comparison.outcome == other || is_aside) continue;
    const std::string phrase = phrase_of(comparison);
    const std::string occasion = text::printable(comparison.occasion);
    const auto same = std::ranges::find(phrases, phrase, &std::pair<std::string, std::string>::first);
    if (same == phrases.end()) {
      phrases.emplace_back(phrase, occasion);
    } else if (!same->second.ends_with(occasion)) {
      same->second += ", " + occasion;
    }
  }
  std::string text;
  for (const auto& [phrase, occasions] : phrases) {
    text += (text.empty() ? "" : "; ") + occasions + (occasions.empty() ? "" : ": ") + phrase;
  }
  return text;
}

Json to_json(const Comparison& comparison) {
  return {{"level", text_or_null(comparison.occasion)},
          {"left", comparison.left_text},
          {"left_value", exact(comparison.left)},
          {"operator", symbol_of(comparison.operation)},
          {"right", comparison.right_text},
          {"right_value", exact(comparison.right)},
          {"unit", text_or_null(std::string(comparison.unit.name))},
          {"outcome", name_of(comparison.outcome)},
          {"reason", text_or_null(comparison.reason)}};
}

Value comparisons_of(const analysis::JudgedGate& gate) {
  Json comparisons = Json::array();
  for (const Comparison& comparison : gate.result.comparisons) comparisons.push_back(to_json(comparison));
  return comparisons;
}

// Returns text as a code span of Markdown, in which * and _ have no meaning.
std::string as_code(std::string text) {
  std::replace(text.begin(), text.end(), '`', '\'');
  return '`' + text + '`';
}

Cell result_cell(const analysis::JudgedGate& gate) {
  return gate.result.passed() ? Cell{"pass", text::Tone::Good} : Cell{"FAIL", text::Tone::Bad};
}

Cell rule_cell(const analysis::JudgedGate& gate) { return {text::printable(gate.result.rule)}; }

Cell rule_as_code(const analysis::JudgedGate& gate) { return {as_code(text::printable(gate.result.rule))}; }

ViewOf<analysis::JudgedGate> declared_gates(Format format) {
  using analysis::JudgedGate;
  return {
      .name = "gates",
      .columns = {{.key = "gate",
                   .about = "Rule of the gate.",
                   .value = [](const JudgedGate& gate) -> Value { return gate.result.rule; },
                   .title = "gate",
                   .cell = format == Format::Markdown ? rule_as_code : rule_cell,
                   .flexible = true,
                   .behind = "passed"},
                  {.key = "where",
                   .about = "Location of the rule, as FILE:LINE. Null for a rule from the command line.",
                   .value = [](const JudgedGate& gate) { return known(gate.where); }},
                  {.key = "passed",
                   .about = "True if the gate passed.",
                   .value = [](const JudgedGate& gate) -> Value { return gate.result.passed(); },
                   .title = "result",
                   .cell = result_cell},
                  {.key = "outcome",
                   .about = "Outcome: pass, fail or unknown.",
                   .value = [](const JudgedGate& gate) { return known(name_of(gate.result.outcome)); }},
                  {.key = "values",
                   .about = "Sentence with the values that were compared.",
                   .value = [](const JudgedGate& gate) -> Value { return values_of(gate.result); },
                   .title = "values",
                   .cell = [](const JudgedGate& gate) -> Cell { return {values_of(gate.result)}; },
                   .flexible = true},
                  {.key = "comparisons",
                   .about =
                       "Comparisons: `level`, `left` and `right` as written, `left_value`, `right_value`, "
                       "`operator`, `unit`, `outcome` (also does_not_apply), and the `reason` of an unknown outcome.",
                   .value = comparisons_of}},
      .none = "No gates.",
      .wraps = true};
}

}  // namespace

View gates_view(const std::vector<analysis::JudgedGate>& gates, Format format) {
  return view_of(declared_gates(format), gates);
}

std::string junit(const std::vector<analysis::JudgedGate>& gates, const std::string& suite) {
  const std::string name = xml_escaped(suite);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\"", gates.size(), analysis::count_failed(gates));
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += fmt::format("<testsuites {}>\n  <testsuite name=\"{}\" {} skipped=\"0\">\n", counts, name, counts);
  for (const analysis::JudgedGate& gate : gates) {
    const std::string values = xml_escaped(values_of(gate.result));
    xml += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", name, xml_escaped(gate.result.rule));
    xml += gate.result.passed() ? fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n", values)
                                : fmt::format(">\n      <failure type=\"{}\" message=\"{}\"/>\n    </testcase>\n",
                                              name_of(gate.result.outcome), values);
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

std::string formatted(const std::vector<analysis::JudgedGate>& gates, const std::string& report, Format format,
                      const text::Terminal& terminal) {
  const std::string table = formatted(gates_view(gates, format), format, terminal);
  if (format != Format::Markdown) return table;
  const std::size_t failed = analysis::count_failed(gates);
  const std::string all = text::counted(static_cast<std::int64_t>(gates.size()), "gate");
  const std::string outcome =
      failed == 0 ? all + (gates.size() == 1 ? " passes" : " pass") : fmt::format("{} of {} failed", failed, all);
  return fmt::format("### {}: {}\n\n{}", text::printable(report), outcome, table);
}

}  // namespace ampprof::views

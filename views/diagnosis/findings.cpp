// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

#include "analysis/diagnosis/finding.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"
#include "views/runs/run_choice.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using analysis::Finding;

constexpr std::ptrdiff_t kRunsNamed = 4;  // a heading has room for four runs

text::Tone tone_of(const Finding& finding) {
  return finding.confidence == analysis::Confidence::Possible ? text::Tone::Attention : text::Tone::Bad;
}

std::string where(const Finding& finding) {
  const analysis::Culprit& culprit = finding.culprit;
  if (!culprit.source.empty()) return text::printable(text::short_source(culprit.source));
  return text::printable(culprit.call_site);
}

/// Returns the begin of a sentence: "train.py:31 (O1): ", the culprit and the runs; "" if both are unknown or obvious.
std::string beginning(const Finding& finding, const std::vector<queries::RunRow>& runs) {
  std::string begin = where(finding);
  const std::string names = runs_of(finding, runs);
  if (!names.empty()) begin += begin.empty() ? names : " (" + names + ")";
  return begin.empty() ? begin : begin + ": ";
}

std::string remedy_text(const analysis::Remedy& remedy) {
  return remedy.code.empty() || remedy.code.find('\n') != std::string::npos
             ? remedy.text
             : fmt::format("{} ({})", remedy.text, remedy.code);
}

/// Returns the remedies that helped, did not help, or were not tried (nullopt), joined by " Or: "; "" without any.
std::string remedies_that(const Finding& finding, std::optional<bool> helped) {
  std::string said;
  for (const analysis::Remedy& remedy : finding.remedies) {
    if (remedy.helped != helped) continue;
    said += (said.empty() ? "" : " Or: ") + text::printable(remedy_text(remedy));
    if (helped) said += " " + text::printable(remedy.outcome);
  }
  return said;
}

/// Returns a sentence with the confirmed remedies; without any, with the untried remedies; else with the remedies that
/// did not help. Begins with "Try" instead of "Do" if the finding is only possible.
std::vector<Sentence> remedy_sentences(const Finding& finding) {
  std::vector<Sentence> said;
  const auto add = [&](std::optional<bool> helped, const char* begin, text::Tone tone) {
    if (const std::string remedies = remedies_that(finding, helped); !remedies.empty())
      said.push_back({begin + remedies, tone, "findings"});
  };
  add(true, "Do, confirmed: ", text::Tone::Strong);
  const char* begin = finding.confidence == analysis::Confidence::Possible ? "Try: " : "Do: ";
  if (said.empty()) add(std::nullopt, begin, text::Tone::Strong);
  if (said.empty()) add(false, "Did not help: ", text::Tone::Attention);
  return said;
}

/// Returns the best remedy, after a note if a run confirmed or refuted it.
std::string first_remedy(const Finding& finding) {
  if (finding.remedies.empty()) return "";
  const analysis::Remedy& remedy = finding.remedies.front();
  const char* known = !remedy.helped ? "" : *remedy.helped ? "Confirmed: " : "Did not help: ";
  return known + text::printable(remedy_text(remedy));
}

/// Tells whether an earlier finding explains this one.
bool is_explained(const std::vector<Finding>& findings, std::size_t index) {
  return std::any_of(findings.begin(), findings.begin() + static_cast<std::ptrdiff_t>(index), [&](const Finding& each) {
    return std::ranges::find(each.explains, findings[index].kind) != each.explains.end();
  });
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

/// Returns the arguments of `ampprof run` that apply a remedy; null if only a change of the source does.
Json applied_by(const analysis::Remedy& remedy) {
  if (!remedy.word.empty()) return "--remedy " + remedy.word;
  if (!remedy.policy.empty()) return "--policy, with the line " + remedy.policy;
  return {};
}

Value remedies_of(const Finding& finding) {
  Json remedies = Json::array();
  for (const analysis::Remedy& remedy : finding.remedies) {
    remedies.push_back({{"text", remedy.text},
                        {"code", text_or_null(remedy.code)},
                        {"applied_by", applied_by(remedy)},
                        {"confirmed", remedy.helped ? Json(*remedy.helped) : Json()},
                        {"confirmed_by", text_or_null(remedy.outcome)}});
  }
  return remedies;
}

template <class Member>
ColumnOf<Finding> of_culprit(Named named, Member member) {
  return {.key = std::move(named.key),
          .about = std::move(named.about),
          .unit = std::move(named.unit),
          .value = [member](const Finding& finding) { return known(finding.culprit.*member); }};
}

ColumnOf<Finding> text_column(Named named, std::string_view title, std::string Finding::*member, int spare) {
  return {.key = std::move(named.key),
          .about = std::move(named.about),
          .unit = std::move(named.unit),
          .value = [member](const Finding& finding) -> Value { return finding.*member; },
          .title = title,
          .cell = [member](const Finding& finding) -> Cell { return {text::printable(finding.*member)}; },
          .flexible = true,
          .spare = spare};
}

const ViewOf<Finding>& declared() {
  static const ViewOf<Finding> kView{
      .name = "findings",
      .columns = {{.key = "kind",
                   .about = "Kind of the finding.",
                   .value = [](const Finding& finding) -> Value { return std::string(finding.kind); },
                   .title = "finding",
                   .cell = [](const Finding& finding) -> Cell {
                     return {std::string(finding.kind), tone_of(finding)};
                   }},
                  number_column<Finding>({"run", "First run with this finding."},
                                         [](const Finding& finding) { return finding.runs.front(); }, "run", digits,
                                         {.spare = 3}),
                  {.key = "runs",
                   .about = "All runs with this finding.",
                   .value = [](const Finding& finding) -> Value { return Json(finding.runs); }},
                  of_culprit({"cause.call_site", "Call site that is to blame."}, &analysis::Culprit::call_site),
                  {.key = "cause.source",
                   .about = "Line of the program that is to blame, as FILE:LINE.",
                   .value = [](const Finding& finding) { return known(finding.culprit.source); },
                   .title = "where",
                   .cell = [](const Finding& finding) -> Cell { return {where(finding)}; }},
                  of_culprit({"cause.op", "Op that is to blame."}, &analysis::Culprit::op),
                  of_culprit({"cause.module", "Module that is to blame."}, &analysis::Culprit::module),
                  {.key = "chain",
                   .about = "Steps from cause to effect: call sites, then the outcome.",
                   .value = [](const Finding& finding) -> Value { return Json(finding.chain); }},
                  text_column({"mechanism", "Sentence that says what goes wrong."}, "what", &Finding::mechanism, 0),
                  text_column({"consequence", "Sentence that says what the fault does to the run."}, "what it does",
                              &Finding::consequence, 1),
                  number_column<Finding>({"cost", kAboutCost, "share"}, &Finding::cost, "cost", text::percent),
                  {.key = "confidence",
                   .about = kAboutConfidence,
                   .value = [](const Finding& finding) -> Value { return std::string(name_of(finding.confidence)); },
                   .title = "sure",
                   .cell = [](const Finding& finding) -> Cell { return {std::string(name_of(finding.confidence))}; },
                   .spare = 2},
                  {.key = "remedies",
                   .about = "Remedies: `text`, `code` to paste, `applied_by` (the flag of `ampprof run` that applies "
                            "the remedy without a change of the source, else null), `confirmed` and `confirmed_by` "
                            "(the result of `advise --confirm`, null before).",
                   .value = remedies_of,
                   .title = "what to do",
                   .cell = [](const Finding& finding) -> Cell { return {first_remedy(finding)}; },
                   .flexible = true},
                  {.key = "explains",
                   .about = "Kinds of other findings that a confirmed remedy also cured.",
                   .value = [](const Finding& finding) -> Value { return Json(finding.explains); }}},
      .none = "No fault was found.",
      .wraps = true,
      .notes = "The summary lists the first five findings."};
  return kView;
}

}  // namespace

std::string runs_of(const Finding& finding, const std::vector<queries::RunRow>& runs) {
  if (runs.size() < 2) return "";
  std::vector<std::string> names;
  for (const std::int64_t run : finding.runs) {
    if (std::ssize(names) == kRunsNamed) {
      names.push_back(text::counted(std::ssize(finding.runs) - kRunsNamed, "more run"));
      break;
    }
    names.push_back(label_of(run, runs));
  }
  return text::listed(names);
}

std::vector<Sentence> sentences_of(const std::vector<Finding>& findings, const std::vector<queries::RunRow>& runs) {
  std::vector<Sentence> said;
  std::size_t left = kFindingsSaid;
  std::size_t further = 0;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (is_explained(findings, i)) continue;
    if (left == 0) {
      ++further;
      continue;
    }
    --left;
    said.push_back(
        {beginning(finding, runs) + text::printable(finding.mechanism) + " " + text::printable(finding.consequence),
         tone_of(finding), "findings"});
    std::ranges::move(remedy_sentences(finding), std::back_inserter(said));
  }
  if (further > 0) {
    said.push_back({fmt::format("Further findings: {}. See them all: ampprof show REPORT findings", further),
                    text::Tone::Attention, "findings"});
  }
  return said;
}

std::vector<Sentence> sentences_of(const std::vector<Finding>& findings) { return sentences_of(findings, {}); }

View findings_view(const std::vector<Finding>& findings) { return view_of(declared(), findings); }

Json to_json(const Finding& finding) { return json_of(declared().columns, finding); }

}  // namespace ampprof::views

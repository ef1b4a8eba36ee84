// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/finding.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using analysis::Finding;

text::Tone tone_of(const Finding& finding) {
  return finding.confidence == analysis::Confidence::Possible ? text::Tone::Attention : text::Tone::Bad;
}

std::string where(const Finding& finding) {
  const analysis::Culprit& culprit = finding.culprit;
  if (!culprit.source.empty()) return text::printable(text::short_source(culprit.source));
  return text::printable(culprit.call_site);
}

std::string remedy_text(const analysis::Remedy& remedy) {
  return remedy.code.empty() || remedy.code.find('\n') != std::string::npos
             ? remedy.text
             : fmt::format("{} ({})", remedy.text, remedy.code);
}

/// A remedy of a finding that may be none is an attempt.
Sentence remedy_sentence(const Finding& finding) {
  std::string said;
  for (const analysis::Remedy& remedy : finding.remedies) {
    said += (said.empty() ? "" : " Or: ") + text::printable(remedy_text(remedy));
  }
  const char* begin = finding.confidence == analysis::Confidence::Possible ? "Try: " : "Do: ";
  return {begin + said, text::Tone::Strong, "findings"};
}

Value remedies_of(const Finding& finding) {
  Json remedies = Json::array();
  for (const analysis::Remedy& remedy : finding.remedies) {
    remedies.push_back({{"text", remedy.text}, {"code", remedy.code.empty() ? Json() : Json(remedy.code)}});
  }
  return remedies;
}

template <class Member>
ColumnOf<Finding> of_culprit(std::string key, Member member) {
  return {.key = std::move(key), .value = [member](const Finding& finding) { return known(finding.culprit.*member); }};
}

ColumnOf<Finding> text_column(std::string key, std::string_view title, std::string Finding::*member, int spare) {
  return {.key = std::move(key),
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
                   .value = [](const Finding& finding) -> Value { return std::string(finding.kind); },
                   .title = "finding",
                   .cell = [](const Finding& finding) -> Cell {
                     return {std::string(finding.kind), tone_of(finding)};
                   }},
                  number_column<Finding>("run", [](const Finding& finding) { return finding.runs.front(); }, "run",
                                         digits, {.spare = 3}),
                  {.key = "runs", .value = [](const Finding& finding) -> Value { return Json(finding.runs); }},
                  of_culprit("cause.call_site", &analysis::Culprit::call_site),
                  {.key = "cause.source",
                   .value = [](const Finding& finding) { return known(finding.culprit.source); },
                   .title = "where",
                   .cell = [](const Finding& finding) -> Cell { return {where(finding)}; }},
                  of_culprit("cause.op", &analysis::Culprit::op),
                  of_culprit("cause.module", &analysis::Culprit::module),
                  text_column("mechanism", "what", &Finding::mechanism, 0),
                  text_column("consequence", "what it does", &Finding::consequence, 1),
                  number_column<Finding>("cost", &Finding::cost, "cost", text::percent),
                  {.key = "confidence",
                   .value = [](const Finding& finding) -> Value { return std::string(name_of(finding.confidence)); },
                   .title = "sure",
                   .cell = [](const Finding& finding) -> Cell { return {std::string(name_of(finding.confidence))}; },
                   .spare = 2},
                  {.key = "remedies",
                   .value = remedies_of,
                   .title = "what to do",
                   .cell = [](const Finding& finding) -> Cell {
                     return {finding.remedies.empty() ? "" : text::printable(remedy_text(finding.remedies.front()))};
                   },
                   .flexible = true}},
      .none = "Nothing is known to be wrong.",
      .wraps = true};
  return kView;
}

}  // namespace

std::vector<Sentence> sentences_of(const std::vector<Finding>& findings) {
  std::vector<Sentence> said;
  for (std::size_t i = 0; i < std::min(kFindingsSaid, findings.size()); ++i) {
    const Finding& finding = findings[i];
    const std::string place = where(finding);
    said.push_back({(place.empty() ? "" : place + ": ") + text::printable(finding.mechanism) + " " +
                        text::printable(finding.consequence),
                    tone_of(finding), "findings"});
    if (!finding.remedies.empty()) said.push_back(remedy_sentence(finding));
  }
  if (findings.size() > kFindingsSaid) {
    said.push_back(
        {fmt::format("There are {} more findings: ampprof show REPORT findings", findings.size() - kFindingsSaid),
         text::Tone::Attention, "findings"});
  }
  return said;
}

View findings_view(const std::vector<Finding>& findings) { return view_of(declared(), findings); }

Json to_json(const Finding& finding) { return json_of(declared().columns, finding); }

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#include "cli/export/event_texts.h"

#include <fmt/format.h>

#include <ranges>
#include <string_view>

#include "analysis/diagnosis/finding.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "views/table/format.h"

namespace ampprof::cli {
namespace {

/// Returns Markdown that shows a text of the report literally.
std::string markdown(const std::string& text) {
  constexpr std::string_view kMarks = "\\`*_[]";
  constexpr std::string_view kFirstMarks = "#>+-|";  // begin a heading, a quotation, a list, a table
  std::string escaped;
  for (const char c : text::printable(text)) {
    if (c == '<' || c == '&') {
      escaped += c == '<' ? "&lt;" : "&amp;";
      continue;
    }
    if (kMarks.find(c) != kMarks.npos || (escaped.empty() && kFirstMarks.find(c) != kMarks.npos)) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// Indents lines by four spaces, which marks code in Markdown.
std::string code_block(const std::string& code) {
  std::string block = "\n";
  for (const auto line : std::views::split(code, '\n')) {
    block += "    " + text::printable(std::string_view(line.begin(), line.end())) + '\n';
  }
  return block;
}

std::string text_of_remedy(const analysis::Remedy& remedy) {
  const char* begin = !remedy.helped ? "Do" : *remedy.helped ? "Do, confirmed" : "Did not help";
  std::string said = fmt::format("\n{}: {}", begin, markdown(remedy.text));
  if (remedy.helped) said += ' ' + markdown(remedy.outcome);
  return said + '\n' + (remedy.code.empty() ? "" : code_block(remedy.code));
}

}  // namespace

std::string finding_text(const analysis::Finding& finding) {
  const analysis::Culprit& culprit = finding.culprit;
  std::string said = fmt::format("**{}** ({})", markdown(views::words_of(finding.kind)), name_of(finding.confidence));
  if (!culprit.source.empty()) said += " at " + markdown(culprit.source);
  if (!culprit.call_site.empty()) said += " in " + markdown(culprit.call_site);
  said += fmt::format("\n\n{} {}\n", markdown(finding.mechanism), markdown(finding.consequence));
  for (const analysis::Remedy& remedy : finding.remedies) said += text_of_remedy(remedy);
  return said;
}

std::string settings_text(const queries::RunRow& run) {
  std::string list;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) list += fmt::format("- {}: {}\n", name, markdown(value));
  };
  add("level", run.level);
  add("program", run.program);
  add("flags", run.flags);
  add("device", run.device);
  add("LibTorch", run.torch_version);
  add("CUDA", run.cuda_version);
  add("ampprof", run.ampprof_version);
  add("reference", run.reference);
  add("type of each op", run.what_if);
  add("settings", run.settings_json);
  return list;
}

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "analysis/compare/comparison.h"
#include "analysis/diagnosis/judged_gates.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/compare/difference.h"
#include "views/compare/signs.h"
#include "views/diagnosis/answer.h"
#include "views/diagnosis/summary.h"

namespace ampprof::views {
namespace {

using compare::Basis;
using compare::Difference;
using compare::Match;
using compare::Verdict;

std::string sites(std::size_t n) { return text::counted(static_cast<std::int64_t>(n), "call site"); }

std::string title_of(const analysis::SideBySide& compared) {
  const bool two_reports = compared.a.report != compared.b.report;
  return views::title_of(compared.a, two_reports) + " against " + views::title_of(compared.b, two_reports);
}

std::string matched(const Difference& difference) {
  const std::size_t only_a = difference.count(Match::OnlyA);
  const std::size_t only_b = difference.count(Match::OnlyB);
  const std::size_t renamed = difference.count(Match::Renamed);
  if (only_a + only_b + renamed == 0) return sites(difference.sites.size()) + " on both sides.";
  std::string text = sites(difference.sites.size() - only_a - only_b) + " on both sides";
  if (renamed > 0) text += fmt::format(" ({} renamed)", renamed);
  if (only_a > 0) text += fmt::format(", {} only on the first side", only_a);
  if (only_b > 0) text += fmt::format(", {} only on the second side", only_b);
  return text + '.';
}

std::string told(const analysis::SideBySide& compared) {
  const Difference& difference = compared.difference;
  std::string text = fmt::format("{} differ{}, {} show{} no difference", sites(difference.count(Verdict::Differs)),
                                 difference.count(Verdict::Differs) == 1 ? "s" : "", difference.count(Verdict::Same),
                                 difference.count(Verdict::Same) == 1 ? "s" : "");
  if (const std::size_t open = difference.count(Verdict::CannotTell)) text += fmt::format(", {} undecided", open);
  return text + '.';
}

bool rests_on(const Difference& difference, Basis basis) {
  return std::any_of(difference.sites.begin(), difference.sites.end(), [&](const auto& site) {
    return std::any_of(site.figures.begin(), site.figures.end(),
                       [&](const compare::Compared& figure) { return figure.basis == basis; });
  });
}

// Returns the fewest repeats per side with which a rank test can reach significance.
std::size_t repeats_needed(double alpha) {
  std::size_t repeats = 2;
  while (repeats < 50 && compare::smallest_p(repeats, repeats) > alpha) ++repeats;
  return repeats;
}

/// Appends sentences on how the verdicts were reached, and on how many repeats would allow more verdicts.
void say_how(const analysis::SideBySide& compared, std::vector<Sentence>& said) {
  const Difference& difference = compared.difference;
  const std::string remedy = fmt::format("Record repeats: ampprof run --repeat {}.", repeats_needed(compared.alpha));
  if (rests_on(difference, Basis::NoRepeats)) {
    const std::string what = rests_on(difference, Basis::Deterministic) ? "times cannot be told apart from noise"
                                                                        : "changes cannot be told apart from noise";
    said.push_back({fmt::format("One run on a side: {}. {}", what, remedy), text::Tone::Attention});
  }
  if (rests_on(difference, Basis::TooFewRepeats)) {
    const std::size_t a = compared.a.repeats.runs.size();
    const std::size_t b = compared.b.repeats.runs.size();
    said.push_back({fmt::format("{} and {} runs are too few for a rank test: the smallest possible p is {:.2g}. {}", a,
                                b, compare::smallest_p(a, b), remedy),
                    text::Tone::Attention});
  }
  if (rests_on(difference, Basis::Deterministic)) {
    said.push_back({"Both sides ran with deterministic algorithms, so errors and counts are compared directly."});
  }
  if (rests_on(difference, Basis::RepeatsAgree)) {
    said.push_back({"If all repeats of a side agree to the last bit, errors and counts are compared directly."});
  }
  if (const std::size_t tests = difference.tested()) {
    said.push_back(
        {fmt::format("Rank tests (Mann-Whitney U, two-sided): {}. At p <= {:g}, about {:.2g} of them would find a "
                     "difference by chance.",
                     tests, compared.alpha, compared.alpha * static_cast<double>(tests))});
  }
}

/// Appends warnings that the sides are not fully comparable: unclean ends, different programs, emulated FP16.
void say_what_to_mind(const analysis::SideBySide& compared, std::vector<Sentence>& said) {
  const std::vector<queries::RunRow>& a = compared.a.repeats.runs;
  const std::vector<queries::RunRow>& b = compared.b.repeats.runs;
  std::vector<queries::RunRow> all = a;
  all.insert(all.end(), b.begin(), b.end());
  const auto unclean = std::count_if(all.begin(), all.end(), [](const queries::RunRow& run) { return !run.complete; });
  if (unclean > 0) {
    said.push_back({fmt::format("{} did not end cleanly; the comparison covers only what was recorded.",
                                text::counted(unclean, "run")),
                    text::Tone::Attention});
  }
  if (a.front().program != b.front().program) {
    said.push_back({fmt::format("The programs are not the same: {} and {}.", text::printable(a.front().program),
                                text::printable(b.front().program)),
                    text::Tone::Attention});
  }
  const bool on_cpu =
      std::any_of(all.begin(), all.end(), [](const queries::RunRow& run) { return run.device == "cpu"; });
  if (on_cpu && a.front().level != b.front().level) {
    said.push_back({kTimesOfCpu, text::Tone::Faint});
  }
}

std::vector<Sentence> statements_of(const analysis::SideBySide& compared) {
  std::vector<Sentence> said{{matched(compared.difference)}, {told(compared)}};
  say_how(compared, said);
  say_what_to_mind(compared, said);
  return said;
}

std::string sentence_of(const compare::Rename& rename) {
  const auto shown_name = [](const std::string& name) { return name.empty() ? "the root" : text::printable(name); };
  return fmt::format("{} -> {}: {}, {}, the same ops{}. Apply: --rename '{}={}'", shown_name(rename.from),
                     shown_name(rename.to), text::counted(static_cast<std::int64_t>(rename.modules.size()), "module"),
                     sites(rename.call_sites), rename.same_shapes ? " and shapes" : ", other shapes",
                     text::printable(rename.from), text::printable(rename.to));
}

std::vector<std::string> suggestions_of(const Difference& difference) {
  constexpr std::size_t kShown = 8;
  std::vector<std::string> lines;
  for (const compare::Rename& rename : difference.suggestions) {
    if (lines.size() == kShown) {
      lines.push_back(fmt::format("{} more. Apply all: --rename all", difference.suggestions.size() - kShown));
      break;
    }
    lines.push_back(sentence_of(rename));
  }
  return lines;
}

/// Functions that draw the parts of the page, for a terminal or for Markdown.
struct Layout {
  std::string (*heading)(const std::string& text, const text::Terminal& terminal);
  std::string (*line)(const Sentence& statement, const text::Terminal& terminal);
  std::string (*table)(const Table& table, const text::Terminal& terminal);
  const char* behind_table;  ///< text between a table and the lines that follow
};

constexpr Layout kText{[](const std::string& text, const text::Terminal& terminal) {
                         return wrapped({text, text::Tone::Strong}, terminal);
                       },
                       wrapped, render, ""};

constexpr Layout kMarkdown{
    [](const std::string& text, const text::Terminal&) { return "## " + text + "\n\n"; },
    [](const Sentence& statement, const text::Terminal&) { return "- " + statement.text + '\n'; },
    [](const Table& table, const text::Terminal&) { return render_markdown(table); }, "\n"};

std::string laid_out(const DifferencePage& page, const Layout& layout, const text::Terminal& terminal) {
  std::string text = layout.heading(title_of(page.compared), terminal);
  for (const Sentence& statement : statements_of(page.compared)) text += layout.line(statement, terminal);
  const View runs = run_difference_view(page.compared);
  for (const View* view : {&runs, &page.sites}) {
    text +=
        '\n' + (view->records.empty() ? layout.line({view->none}, terminal) : layout.table(table_of(*view), terminal));
  }
  std::vector<Sentence> asides;
  if (page.left_out > 0) asides.push_back({fmt::format("{} more: --limit N", sites(page.left_out)), text::Tone::Faint});
  if (page.equal > 0) {
    asides.push_back(
        {fmt::format("Not shown: {} with equal values on both sides. --sort call_site shows all", sites(page.equal)),
         text::Tone::Faint});
  }
  if (const std::string signs = legend(runs, page.sites); !signs.empty()) asides.push_back({signs, text::Tone::Faint});
  if (!asides.empty()) text += layout.behind_table;
  for (const Sentence& aside : asides) text += layout.line(aside, terminal);
  const auto suggestions = suggestions_of(page.compared.difference);
  if (suggestions.empty()) return text;
  text += '\n' + layout.line({"Modules that seem to be renamed (call sites were matched without these renames):",
                              text::Tone::Strong},
                             terminal);
  for (const std::string& line : suggestions) text += layout.line({line}, terminal);
  return text;
}

std::string for_people(const std::vector<DifferencePage>& pages, const std::vector<analysis::JudgedGate>& gates,
                       Format format, const text::Terminal& terminal) {
  const Layout& layout = format == Format::Markdown ? kMarkdown : kText;
  std::string text;
  for (const DifferencePage& page : pages) text += (text.empty() ? "" : "\n") + laid_out(page, layout, terminal);
  if (gates.empty()) return text;
  return text + '\n' + layout.heading("Gates", terminal) + layout.table(table_of(gates_view(gates, format)), terminal);
}

Json records_of(const View& view) {
  Json array = Json::array();
  for (const Record& record : view.records) array.push_back(record.json);
  return array;
}

Json side_json(const analysis::SideOf& side) {
  Json ids = Json::array();
  for (const queries::RunRow& run : side.repeats.runs) ids.push_back(run.run);
  return {{"report", side.report}, {"level", text_or_null(side.repeats.runs.front().level)}, {"runs", ids}};
}

Json to_json(const DifferencePage& page) {
  Json renames = Json::array();
  for (const compare::Rename& rename : page.compared.difference.suggestions) {
    renames.push_back({{"from", rename.from},
                       {"to", rename.to},
                       {"modules", rename.modules},
                       {"call_sites", rename.call_sites},
                       {"same_shapes", rename.same_shapes}});
  }
  return {{"a", side_json(page.compared.a)},      {"b", side_json(page.compared.b)},
          {"alpha", page.compared.alpha},         {"runs", records_of(run_difference_view(page.compared))},
          {"call_sites", records_of(page.sites)}, {"suggested_renames", renames}};
}

std::string as_csv(const std::vector<DifferencePage>& pages, const text::Terminal& terminal) {
  View all = pages.front().sites;
  for (std::size_t i = 1; i < pages.size(); ++i) {
    const auto& records = pages[i].sites.records;
    all.records.insert(all.records.end(), records.begin(), records.end());
  }
  return formatted(all, Format::Csv, terminal);
}

}  // namespace

std::vector<Sentence> evidence_of(const analysis::SideBySide& compared) {
  std::vector<Sentence> said;
  say_how(compared, said);
  return said;
}

std::string formatted(const std::vector<DifferencePage>& pages, const std::vector<analysis::JudgedGate>& gates,
                      Format format, const text::Terminal& terminal) {
  if (format == Format::Csv) return as_csv(pages, terminal);
  if (format != Format::Json) {
    return for_people(pages, gates, format, terminal);
  }
  Json comparisons = Json::array();
  for (const DifferencePage& page : pages) comparisons.push_back(to_json(page));
  return to_text({{"comparisons", comparisons}, {"gates", records_of(gates_view(gates, format))}});
}

}  // namespace ampprof::views

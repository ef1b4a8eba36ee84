// SPDX-License-Identifier: Apache-2.0
#include "analysis/ranks/ranks.h"

#include <algorithm>
#include <optional>

#include "analysis/ranks/representatives.h"
#include "reports/queries/ranks.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "reports/text/exit_text.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"
#include "views/ops/site_columns.h"
#include "views/ops/views.h"
#include "views/ranks/rank_sentences.h"
#include "views/ranks/views.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using analysis::Divergence;
using analysis::kMostRanksListed;
using analysis::Pace;
using analysis::Rank;

struct RankLine {
  std::int64_t launch = 1;
  const analysis::RankedLaunch& of;
  const Rank& rank;

  const queries::RunRow& run() const { return rank.run; }
  const queries::RankEvent* first_event() const {
    return rank.record.events.empty() ? nullptr : &rank.record.events.front();
  }
};

using RankColumns = std::vector<ColumnOf<RankLine>>;

/// Returns a function that reads a member of a line's run. The function returns an absent value for an empty member.
auto of_run(auto member) {
  return [member](const RankLine& line) { return value_of(line.run().*member); };
}

/// Returns the time of a rank's collectives in ms; empty without collectives.
std::optional<double> collective_ms_of(const RankLine& line) {
  const queries::RankRecord& record = line.rank.record;
  return record.collective_calls == 0 ? std::nullopt : std::optional(record.collective_ms);
}

std::string_view word_of_pace(Pace pace) {
  constexpr std::string_view kWords[]{"cannot_tell", "even", "slower"};
  return kWords[static_cast<std::size_t>(pace)];
}

std::string_view word_of_divergence(analysis::Replicated what) {
  constexpr std::string_view kWords[]{"loss_scale", "skipped_step", "parameter"};
  return kWords[static_cast<std::size_t>(what)];
}

bool has_values(const Divergence& divergence) { return divergence.what != analysis::Replicated::Parameter; }

/// Returns a function that applies `value_of_one` to a rank's divergence. The function returns an absent value for a
/// rank that agrees with the other ranks.
auto of_divergence(auto value_of_one) {
  return [value_of_one](const RankLine& line) -> Value {
    return line.rank.divergence ? value_of_one(*line.rank.divergence) : Value();
  };
}

/// Returns the missing ranks of the launch, such as "0-3,7".
Value spans_of(const RankLine& line) {
  std::string spans;
  for (const auto& [first, last] : line.of.missing) {
    spans += (spans.empty() ? "" : ",") + std::to_string(first) + (first == last ? "" : "-" + std::to_string(last));
  }
  return spans;
}

std::string how_it_ended(const queries::RunRow& run) {
  return run.exit_code.value_or(0) == 0 ? "did not end normally" : text::exit_text(*run.exit_code);
}

/// Returns whether a rank died first on its host; absent if it is uncertain which rank did.
Value has_died_first(const RankLine& line) {
  const auto on_host = std::ranges::find(line.of.deaths, line.run().host, &analysis::HostDeaths::host);
  if (on_host == line.of.deaths.end()) return false;
  const analysis::RankDeath* first = on_host->first();
  return first == nullptr ? Value() : Value(first->rank == line.run().rank);
}

std::optional<double> seconds_of_end(const RankLine& line) {
  const auto& ended_ns = line.run().ended_ns;
  return ended_ns ? std::optional(static_cast<double>(*ended_ns) / 1e9) : std::nullopt;
}

Cell what_stands_out(const RankLine& line) {
  const Rank& rank = line.rank;
  std::vector<std::string> parts;
  if (rank.divergence) parts.push_back(words_of(*rank.divergence));
  if (rank.overflows_begun > 0) parts.push_back("began " + text::counted(rank.overflows_begun, "overflow"));
  if (rank.pace == Pace::Slower) parts.push_back(text::percent(rank.slower_by.value_or(0)) + " slower");
  if (!rank.run.complete) parts.push_back(how_it_ended(rank.run));
  return {text::listed(parts), rank.divergence ? text::Tone::Bad : text::Tone::Attention};
}

RankColumns rank_identity() {
  return {number_column<RankLine>(
              {"launch",
               "Number of the launch, from 1. A launch has the runs of all ranks for one program, level and repeat."},
              &RankLine::launch, "launch", digits),
          {.key = "run",
           .about = "Number of the run in the report.",
           .value = [](const RankLine& line) -> Value { return line.run().run; }},
          {.key = "level",
           .about = "Opt level of the run: O0 to O3. Null if the program sets its own precision.",
           .value = [](const RankLine& line) { return known(line.run().level); },
           .title = "level",
           .cell = [](const RankLine& line) { return text_cell(line.run().level); }},
          {.key = "rank",
           .about = "Rank of the process.",
           .value = of_run(&queries::RunRow::rank),
           .title = "rank",
           .cell = [](const RankLine& line) -> Cell {
             return {std::to_string(*line.run().rank), text::Tone::Strong};
           },
           .align = Align::Right},
          {.key = "world_size", .about = "Number of ranks.", .value = of_run(&queries::RunRow::world_size)},
          {.key = "missing_ranks",
           .about = "Ranks of this launch that the report lacks, such as 0-3,7. Empty if none is missing.",
           .value = spans_of},
          {.key = "local_rank",
           .about = "Rank among the processes of one machine.",
           .value = of_run(&queries::RunRow::local_rank)},
          {.key = "host",
           .about = "Name of the machine.",
           .value = [](const RankLine& line) { return known(line.run().host); },
           .title = "host",
           .cell = [](const RankLine& line) { return text_cell(line.run().host); },
           .flexible = true,
           .spare = 8}};
}

RankColumns rank_times() {
  return {
      number_column<RankLine>({"steps", "Number of steps.", "steps"},
                              [](const RankLine& line) { return line.run().steps; }, "steps", text::count,
                              {.spare = 5}),
      number_column<RankLine>(
          {"ms_per_step", "Median time of a step, including ampprof's overhead."},
          [](const RankLine& line) { return line.run().ms_per_step; }, "time/step", text::milliseconds),
      {.key = "slower_by",
       .about = "Median own time in a step divided by the median own time of the other ranks in the same steps, minus "
                "1. Own time runs from the end of one step to the end of the next, without waits of collectives if "
                "they are known.",
       .unit = "share",
       .value = [](const RankLine& line) { return value_of(line.rank.slower_by); }},
      number_column<RankLine>(
          {"wait_ms_per_step",
           "Median time in a step that collectives of the rank waited for the last rank to join. Null if a rank of "
           "their groups did not record it, or if the program has no collectives."},
          [](const RankLine& line) { return line.rank.wait_ms; }, "wait/step", text::milliseconds,
          {.behind = "collective_ms"}),
      {.key = "waited_for_ms",
       .about = "For a slower rank: additional time per step that the other ranks wait.",
       .value = [](const RankLine& line) { return value_of(line.rank.waited_for_ms); }},
      {.key = "pace",
       .about = "Pace: slower (at least 1 % slower, and significant at 5 % over all ranks together), even, or "
                "cannot_tell if there are too few steps.",
       .value = [](const RankLine& line) { return known(word_of_pace(line.rank.pace)); }},
      number_column<RankLine>({"collective_ms",
                               "Time in calls of `c10d::` and `_c10d_functional::` ops over the run. Waits outside of "
                               "these calls are not included."},
                              collective_ms_of, "collectives", text::milliseconds, {.spare = 1}),
      {.key = "collective_calls",
       .about = "Number of calls of `c10d::` and `_c10d_functional::` ops.",
       .value = [](const RankLine& line) -> Value { return line.rank.record.collective_calls; }}};
}

RankColumns rank_training() {
  return {
      number_column<RankLine>({"final_loss", "Last loss."}, [](const RankLine& line) { return line.run().final_loss; },
                              "last loss", text::number, {.spare = 2}),
      number_column<RankLine>(
          {"loss_scale_final", "Loss scale at the end."},
          [](const RankLine& line) { return line.run().loss_scale_final; }, "scale", text::plain),
      number_column<RankLine>({"skipped_steps", "Number of steps whose update was skipped.", "steps"},
                              [](const RankLine& line) { return line.run().skipped_steps; }, "skipped", text::count,
                              {.spare = 4, .tone = text::Tone::Attention}),
      number_column<RankLine>({"overflow_events", "Number of overflows that a loss scaler saw."},
                              [](const RankLine& line) { return line.run().overflow_events; }, "overflows", text::count,
                              {.tone = text::Tone::Attention}),
      {.key = "overflows_begun",
       .about = "Number of overflows that began in an op other than a collective.",
       .value = [](const RankLine& line) -> Value { return line.rank.overflows_begun; }}};
}

/// Returns the columns of the first overflow that the rank saw.
RankColumns rank_first_nonfinite() {
  return {
      number_column<RankLine>({"first_nonfinite_step", "Step of the first overflow that the rank saw."},
                              [](const RankLine& line) {
                                return line.first_event() ? std::optional(line.first_event()->step) : std::nullopt;
                              },
                              "in step", digits, {.spare = 7}),
      {.key = "first_nonfinite_op",
       .about = "Call site at which the rank's first overflow began.",
       .value = [](const RankLine& line) { return line.first_event() ? known(line.first_event()->first_op) : Value(); },
       .title = "first NaN/inf",
       .cell = [](const RankLine& line) -> Cell {
         const queries::RankEvent* event = line.first_event();
         if (event == nullptr) return {std::string(text::kAbsent)};
         return {event->first_op.empty() ? "unknown" : short_site(event->first_op, event->first_phase)};
       },
       .flexible = true,
       .spare = 6},
      {.key = "first_nonfinite_parameter",
       .about = "First parameter, in the order of backward, that the rank's first overflow may have reached.",
       .value =
           [](const RankLine& line) { return line.first_event() ? known(line.first_event()->parameter) : Value(); }},
      {.key = "first_nonfinite_received",
       .about = "True if the rank received its first overflow from a collective. Null if unknown.",
       .value = [](const RankLine& line) {
         const queries::RankEvent* event = line.first_event();
         return event == nullptr || event->first_op.empty() ? Value() : Value(event->is_received);
       }}};
}

RankColumns rank_errors_and_divergence() {
  return {
      number_column<RankLine>({"worst_local_rel_l2", "Largest local error, relative L2."},
                              [](const RankLine& line) { return line.rank.record.worst_local_error; }, "worst error",
                              text::scientific, {.spare = 3}),
      {.key = "worst_op",
       .about = "Call site of the largest local error.",
       .value = [](const RankLine& line) { return known(line.rank.record.worst_op); }},
      {.key = "diverges_in",
       .about = "Kind of value that differs from most other ranks: loss_scale, skipped_step or parameter.",
       .value = of_divergence([](const Divergence& divergence) { return known(word_of_divergence(divergence.what)); })},
      {.key = "diverges_in_step",
       .about = "First step in which the rank diverges.",
       .value = of_divergence([](const Divergence& divergence) { return Value(divergence.step); })},
      {.key = "diverging_value",
       .about = "Value on this rank if it diverges: a loss scale; 1 for a skipped step, 0 for a step that was not "
                "skipped; null for a parameter.",
       .value = of_divergence(
           [](const Divergence& divergence) { return has_values(divergence) ? Value(divergence.own) : Value(); })},
      {.key = "others_value",
       .about = "Value on the other ranks if this rank diverges.",
       .value = of_divergence(
           [](const Divergence& divergence) { return has_values(divergence) ? Value(divergence.others) : Value(); })},
      {.key = "diverging_parameter",
       .about = "Parameter that diverges.",
       .value = of_divergence([](const Divergence& divergence) { return known(divergence.parameter); })},
      {.key = "exit_code",
       .about = "Exit code of the rank's own process; 128 + signal if a signal ended it. Null if its end was not "
                "seen.",
       .value = of_run(&queries::RunRow::exit_code)},
      {.key = "ended_at",
       .about = "Time at which the process ended, since 1970. Null if its end was not seen.",
       .unit = "s",
       .value = [](const RankLine& line) { return value_of(seconds_of_end(line)); }},
      {.key = "died_first",
       .about = "True for the first rank of its host that did not end normally. Null if not certain.",
       .value = has_died_first},
      {.key = "stands_out",
       .about = "True if the rank diverges, is slower, began an overflow or did not end normally.",
       .value = [](const RankLine& line) -> Value { return analysis::stands_out(line.rank); },
       .title = "stands out",
       .cell = what_stands_out,
       .flexible = true}};
}

/// Returns the columns of parameter checks. Values are equal in all records of a launch, and absent without
/// --check-ranks.
RankColumns rank_checks() {
  const auto of_checks = [](auto count_of) {
    return [count_of](const RankLine& line) -> Value {
      const analysis::ParameterChecks& checks = line.of.parameters;
      return checks.was_asked ? Value(static_cast<std::int64_t>(count_of(checks))) : Value();
    };
  };
  return {{.key = "checked_steps",
           .about = "Number of steps of the launch in which parameters were compared. Null without --check-ranks.",
           .unit = "steps",
           .value = of_checks([](const analysis::ParameterChecks& checks) { return checks.steps; })},
          {.key = "checked_parameters",
           .about = "Number of parameters of the launch that were compared. Null without --check-ranks.",
           .value = of_checks([](const analysis::ParameterChecks& checks) { return checks.compared; })},
          {.key = "unreplicated_parameters",
           .about = "Number of parameters of the launch that ranks do not replicate. Null without --check-ranks.",
           .value = of_checks([](const analysis::ParameterChecks& checks) { return checks.not_replicated.size(); })}};
}

const ViewOf<RankLine>& declared_ranks() {
  static const ViewOf<RankLine> kView{
      .name = "ranks",
      .columns = joined({rank_identity(), rank_times(), rank_training(), rank_first_nonfinite(), rank_checks(),
                         rank_errors_and_divergence()}),
      .none =
          "There are no ranks to compare: no launcher (torchrun, Open MPI, MPICH or Slurm) started the program of this "
          "report with several ranks.",
      .remedy =
          "Record several ranks with ampprof run --ranks 2, or merge the reports of several ranks: ampprof merge "
          "rank*.ampprof -o all.ampprof",
      .notes =
          "A row is a rank of a distributed program. Tables of more than 40 ranks name the ranks that stand out and "
          "count the other ranks, unless --limit or --sort is given."};
  return kView;
}

/// Returns a table row with `count` and `what` in the column of ranks, and no other cells.
std::vector<Cell> count_row(const View& view, std::size_t count, const char* what) {
  std::vector<Cell> row(view.columns.size());
  const auto rank = std::ranges::find(view.columns, "rank", &Column::key) - view.columns.begin();
  row.at(static_cast<std::size_t>(rank)) = {std::to_string(count) + what, text::Tone::Faint};
  return row;
}

/// Returns table rows for the ranks that stand out, then rows that count the other ranks.
std::vector<std::vector<Cell>> shortened_ranks(const View& view) {
  std::vector<std::vector<Cell>> rows;
  std::size_t standing_out = 0;
  for (const Record& record : view.records) {
    const bool stands_out =
        view.records.size() <= kMostRanksListed || value_at(view, record, "stands_out") == Value(true);
    if (stands_out && ++standing_out <= kMostRanksListed) rows.push_back(record.cells);
  }
  const std::size_t alike = view.records.size() - standing_out;
  if (standing_out > kMostRanksListed) rows.push_back(count_row(view, standing_out - kMostRanksListed, " more"));
  if (alike > 0) rows.push_back(count_row(view, alike, " alike"));
  return rows;
}

}  // namespace

View ranks_view(const std::vector<analysis::RankedLaunch>& launches) {
  std::vector<RankLine> lines;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (const Rank& rank : launches[i].ranks) lines.push_back({static_cast<std::int64_t>(i) + 1, launches[i], rank});
  }
  const bool is_one = launches.size() == 1;
  const std::vector<std::string_view> hidden =
      is_one ? std::vector<std::string_view>{"launch", "level"} : std::vector<std::string_view>{};
  View view = view_of(declared_ranks(), lines, hidden);
  view.said = said_of(launches);
  view.shortened = shortened_ranks;
  return view;
}

View ranks_view(const queries::Report& report, const std::vector<queries::RunRow>& runs) {
  return ranks_view(analysis::ranked_launches(report, runs));
}

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#include "views/ranks/rank_sentences.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/ranks/ranks.h"
#include "analysis/ranks/representatives.h"
#include "reports/queries/ranks.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "reports/text/exit_text.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"

namespace ampprof::views {
namespace {

using analysis::Divergence;
using analysis::HostDeaths;
using analysis::Overflow;
using analysis::Pace;
using analysis::ParameterChecks;
using analysis::ParameterDivergence;
using analysis::Rank;
using analysis::RankDeath;
using analysis::RankedLaunch;
using analysis::Replicated;

constexpr std::size_t kNamedRanks = 3;  // largest number of ranks that a sentence lists
constexpr std::size_t kNamedHosts = 3;

std::string how_it_ended(const RankDeath& death) {
  return death.exit_code ? text::exit_text(*death.exit_code) : "cause unknown";
}

std::string with_ending(const RankDeath& death) { return fmt::format("rank {} ({})", death.rank, how_it_ended(death)); }

/// Describes the deaths of ranks on one host. Names the rank that died first only if HostDeaths::first() is sure.
std::string sentence_of(const HostDeaths& deaths, const std::string& where) {
  const std::vector<RankDeath>& ranks = deaths.ranks;
  if (ranks.size() == 1) return fmt::format("Rank {} died{}: {}.", ranks[0].rank, where, how_it_ended(ranks[0]));
  if (const RankDeath* first = deaths.first()) {
    return fmt::format("Rank {} died first{}: {}, {} before {}.", first->rank, where, how_it_ended(*first),
                       text::milliseconds(deaths.seconds_between() * 1e3), with_ending(ranks[1]));
  }
  const std::string why = deaths.are_all_timed()
                              ? fmt::format("the first two within {:.0f} ms", analysis::kMinDeathGapSeconds * 1e3)
                              : "and it is unknown which died first";
  std::vector<std::string> named;
  for (const RankDeath& death : ranks) {
    if (named.size() == kNamedRanks) break;
    named.push_back(with_ending(death));
  }
  if (ranks.size() > kNamedRanks) named.push_back(fmt::format("{} more", ranks.size() - kNamedRanks));
  return fmt::format("Ranks died{}, {}: {}.", where, why, text::listed(named));
}

void say_who_died_first(const RankedLaunch& launch, std::vector<Sentence>& said) {
  const std::size_t hosts = launch.deaths.size();
  for (std::size_t i = 0; i < std::min(hosts, kNamedHosts); ++i) {
    const HostDeaths& deaths = launch.deaths[i];
    const std::string where = hosts > 1 && !deaths.host.empty() ? " on " + text::printable(deaths.host) : "";
    said.push_back({sentence_of(deaths, where), text::Tone::Bad});
  }
  if (hosts <= kNamedHosts) return;
  const auto more = static_cast<std::int64_t>(hosts - kNamedHosts);
  said.push_back({fmt::format("Ranks also died on {}.", text::counted(more, "more host")), text::Tone::Bad});
}

void say_missing_ranks(const RankedLaunch& launch, std::vector<Sentence>& said) {
  const std::int64_t missing = launch.missing_count();
  if (missing == 0) return;
  const std::string of = launch.world_size() ? " of " + text::count(*launch.world_size()) : "";
  said.push_back({fmt::format("{} {}{} {} not in this report.", missing == 1 ? "Rank" : "Ranks",
                              listed_ranks(launch.missing), of, missing == 1 ? "is" : "are"),
                  text::Tone::Attention});
}

std::string op_of(const queries::RankEvent& event) {
  const std::string op = text::printable(event.first_op);
  return event.parameter.empty() ? op : op + ", parameter " + text::printable(event.parameter);
}

std::string origin_of(const Overflow& overflow, const RankedLaunch& launch) {
  const bool misses_ranks = !launch.missing.empty();
  if (overflow.origins.empty()) {
    const bool all_received = !misses_ranks && overflow.received.size() == launch.ranks.size();
    if (all_received) return "began in a collective, to which each rank gave finite numbers";
    return overflow.received.empty() ? "was seen, but no rank saw the op in which it began"
           : misses_ranks            ? "came from another rank, which is not in this report"
                                     : "came from another rank, which did not see the op in which it began";
  }
  const analysis::RankOverflow& first = overflow.origins.front();
  const auto others = static_cast<std::int64_t>(overflow.origins.size()) - 1;
  return fmt::format("began on rank {} in {}{}", first.rank, op_of(first.event),
                     others == 0 ? "" : fmt::format(", and also on {}", text::counted(others, "other rank")));
}

void say_first_overflow(const RankedLaunch& launch, std::vector<Sentence>& said) {
  if (launch.overflows.empty()) return;
  const Overflow& first = launch.overflows.front();
  const auto count = static_cast<std::int64_t>(launch.overflows.size());
  const std::string which =
      count == 1 ? fmt::format("The overflow in step {}", first.step)
                 : fmt::format("The first of {}, in step {},", text::counted(count, "overflow"), first.step);
  said.push_back({which + ' ' + origin_of(first, launch) + '.', text::Tone::Attention});
}

/// Lists the ranks for which `detail_of` returns a text: "rank 1 (text), rank 3 (text) and 4 more".
template <class DetailOf>
std::string ranks_with(const RankedLaunch& launch, DetailOf detail_of) {
  std::vector<std::string> named;
  std::size_t count = 0;
  for (const Rank& rank : launch.ranks) {
    const std::string detail = detail_of(rank);
    if (detail.empty() || ++count > kNamedRanks) continue;
    named.push_back(fmt::format("rank {} ({})", *rank.run.rank, detail));
  }
  if (count > kNamedRanks) named.push_back(fmt::format("{} more", count - kNamedRanks));
  return text::listed(named);
}

void say_who_differs(const RankedLaunch& launch, std::vector<Sentence>& said) {
  const std::string who = ranks_with(launch, [](const Rank& rank) {
    const bool is_of_steps = rank.divergence && rank.divergence->what != Replicated::Parameter;
    return is_of_steps ? words_of(*rank.divergence) : std::string();
  });
  if (who.empty()) return;
  said.push_back({"Ranks disagree where all must agree: " + who + ".", text::Tone::Bad});
}

std::string sentence_of(const ParameterDivergence& divergence) {
  std::vector<analysis::RankSpan> alone;
  for (const std::int64_t rank : divergence.alone) alone.push_back({rank, rank});
  const std::string parameter = text::printable(divergence.parameter);
  const std::string who =
      divergence.has_majority
          ? fmt::format("{} {} {} a different {} than most ranks", alone.size() == 1 ? "rank" : "ranks",
                        listed_ranks(alone), alone.size() == 1 ? "holds" : "hold", parameter)
          : fmt::format("ranks hold different values of {}, without a majority", parameter);
  const std::string before = !divergence.agreed_in ? ""
                             : *divergence.agreed_in == 0
                                 ? "; before the first update, all ranks agreed"
                                 : fmt::format("; in step {}, all ranks agreed", *divergence.agreed_in);
  return fmt::format("In step {}, {} ({} in all){}.", divergence.step, who,
                     text::counted(divergence.parameters, "parameter"), before);
}

void say_what_is_not_replicated(const ParameterChecks& checks, std::vector<Sentence>& said) {
  const auto count = static_cast<std::int64_t>(checks.not_replicated.size());
  if (count == 0) return;
  constexpr std::int64_t kNamedParameters = 3;
  std::vector<std::string> named;
  for (const std::string& name : checks.not_replicated) {
    if (std::ssize(named) == kNamedParameters) break;
    named.push_back(text::printable(name));
  }
  if (count > kNamedParameters) named.push_back(fmt::format("{} more", count - kNamedParameters));
  said.push_back({fmt::format("Not compared, because ranks began with different values, as sharded parameters do: "
                              "{}. If {} meant to be replicated, broadcast {} before the first step.",
                              text::listed(named), count == 1 ? "it is" : "they are", count == 1 ? "it" : "them"),
                  text::Tone::Attention});
}

void say_who_holds_other_parameters(const RankedLaunch& launch, std::vector<Sentence>& said) {
  const ParameterChecks& checks = launch.parameters;
  if (!checks.was_asked) return;
  if (checks.divergence) {
    said.push_back({sentence_of(*checks.divergence), text::Tone::Bad});
  } else if (checks.compared > 0) {
    said.push_back({fmt::format("Ranks hold the same parameters: {} compared in {}.",
                                text::counted(checks.compared, "parameter"), text::counted(checks.steps, "step"))});
  } else if (checks.not_replicated.empty()) {
    said.push_back({"--check-ranks compared nothing: no parameter was checked on two ranks in the same step.",
                    text::Tone::Attention});
  }
  say_what_is_not_replicated(checks, said);
}

void say_who_is_slower(const RankedLaunch& launch, std::vector<Sentence>& said) {
  if (launch.ranks.size() < 2) return;
  const std::string waited_for = ranks_with(launch, [](const Rank& rank) {
    return rank.waited_for_ms ? text::milliseconds(*rank.waited_for_ms) + " a step" : std::string();
  });
  const std::string slower = ranks_with(launch, [](const Rank& rank) {
    const bool is_so = rank.pace == Pace::Slower && !rank.waited_for_ms;
    return is_so ? text::percent(rank.slower_by.value_or(0)) : std::string();
  });
  if (!waited_for.empty()) {
    said.push_back(
        {"Collectives of the other ranks wait for " + waited_for + ", beyond noise.", text::Tone::Attention});
  }
  if (!slower.empty()) {
    said.push_back({"Slower than the other ranks, beyond noise: " + slower + ".", text::Tone::Attention});
  }
  if (!waited_for.empty() || !slower.empty()) return;
  if (std::ranges::all_of(launch.ranks, [](const Rank& rank) { return rank.pace == Pace::CannotTell; })) {
    said.push_back({"Cannot tell whether a rank is slower than the others: too few steps.", text::Tone::Faint});
  } else {
    said.push_back({"No rank is slower than the others beyond noise."});
  }
}

void say_what_is_not_known_of_waits(const RankedLaunch& launch, std::vector<Sentence>& said) {
  const bool misses_waits =
      std::ranges::any_of(launch.ranks, [](const Rank& rank) { return rank.has_collectives && !rank.wait_ms; });
  if (!misses_waits) return;
  said.push_back(
      {"The time that collectives wait for a rank is unknown: the report must hold all ranks of their groups, and the "
       "backend must report when a collective is done.",
       text::Tone::Faint});
}

}  // namespace

std::string listed_ranks(const std::vector<analysis::RankSpan>& spans) {
  constexpr std::size_t kNamedSpans = 3;
  std::vector<std::string> parts;
  std::int64_t more = 0;
  for (const auto& [first, last] : spans) {
    if (parts.size() == kNamedSpans) {
      more += last - first + 1;
    } else {
      parts.push_back(first == last ? std::to_string(first) : fmt::format("{} to {}", first, last));
    }
  }
  if (more > 0) parts.push_back(fmt::format("{} more", text::count(more)));
  return text::listed(parts);
}

std::string words_of(const Divergence& divergence) {
  if (divergence.what == Replicated::Parameter) {
    return fmt::format("{} differs in step {}", text::printable(divergence.parameter), divergence.step);
  }
  if (divergence.what == Replicated::LossScale) {
    return fmt::format("scale {}, others {} in step {}", text::plain(divergence.own), text::plain(divergence.others),
                       divergence.step);
  }
  return fmt::format("step {} {}", divergence.step, divergence.own != 0 ? "skipped" : "not skipped");
}

std::vector<Sentence> said_of(const std::vector<RankedLaunch>& launches) {
  std::vector<Sentence> all;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    std::vector<Sentence> said;
    say_who_died_first(launches[i], said);
    say_first_overflow(launches[i], said);
    say_who_differs(launches[i], said);
    say_who_holds_other_parameters(launches[i], said);
    say_who_is_slower(launches[i], said);
    say_what_is_not_known_of_waits(launches[i], said);
    say_missing_ranks(launches[i], said);
    for (Sentence& sentence : said) {
      if (launches.size() > 1) sentence.text = fmt::format("Launch {}: {}", i + 1, sentence.text);
      all.push_back(std::move(sentence));
    }
  }
  return all;
}

Sentence shown_of(const analysis::RepresentedLaunch& launch, const analysis::Representatives& representatives) {
  const queries::RunRow& lowest = launch.ranks.front();
  const std::string ranks = fmt::format("{} ranks{}", text::count(std::ssize(launch.ranks)),
                                        lowest.level.empty() ? "" : " at " + text::printable(lowest.level));
  const std::string shown = fmt::format("Shown: rank {}", *lowest.rank);
  if (launch.standing_out.empty()) return {fmt::format("None of {} stands out. {}.", ranks, shown)};
  std::vector<analysis::RankSpan> numbers;
  for (const std::int64_t rank : launch.standing_out) numbers.push_back({rank, rank});
  const bool has_all = std::ranges::all_of(launch.ranks, [&](const queries::RunRow& run) {
    return !std::ranges::binary_search(launch.standing_out, *run.rank) ||
           std::ranges::find(representatives.runs, run.run, &queries::RunRow::run) != representatives.runs.end();
  });
  return {fmt::format("{} of {} {} out: {}. {} and {} that stand out.", text::count(std::ssize(numbers)), ranks,
                      numbers.size() == 1 ? "stands" : "stand", listed_ranks(numbers), shown,
                      has_all ? "those" : "the first"),
          text::Tone::Attention};
}

}  // namespace ampprof::views

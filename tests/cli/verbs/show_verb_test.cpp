// SPDX-License-Identifier: Apache-2.0
// Checks that every flag of `ampprof show` works on every view, or that a message says why it cannot.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/layered_report.h"
#include "tests/cli/program.h"
#include "tests/cli/synthetic_report.h"
#include "views/all_views.h"

namespace ampprof::cli {
namespace show_verb_test {

using nlohmann::json;

const std::vector<std::string> kViews = [] {
  std::vector<std::string> names;
  for (const views::NamedView& view : views::all_views()) names.emplace_back(view.name);
  return names;
}();

class ShowVerb : public BuiltProgram {
 protected:
  ShowVerb() {
    write_synthetic_report(work("digits.ampprof"));
    write_layered_report(work("layers.ampprof"));
  }

  json rows(const std::string& rest) const {
    const Outcome outcome = ampprof("show " + rest + " --format json");
    EXPECT_EQ(outcome.exit_code, 0) << rest << '\n' << outcome.err;
    return outcome.exit_code == 0 ? json::parse(outcome.out) : json::array();
  }
};

struct Flag {
  const char* name;
  std::string text;
  std::set<std::string> views;  ///< views that accept the flag
  const char* refusal;          ///< error message for all other views
};

void PrintTo(const Flag& flag, std::ostream* out) { *out << flag.text; }

class FlagOfShow : public ShowVerb, public testing::WithParamInterface<Flag> {};

TEST_P(FlagOfShow, WorksOrSaysOnWhichViewItDoesNot) {
  for (const std::string& view : kViews) {
    const Outcome outcome = ampprof("show digits.ampprof " + view + ' ' + GetParam().text);
    const bool taken = GetParam().views.contains(view);
    EXPECT_EQ(outcome.exit_code, taken ? 0 : 2) << view << '\n' << outcome.err;
    if (taken) continue;
    EXPECT_NE(outcome.err.find(GetParam().refusal), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("'" + view + "'"), std::string::npos) << "it names the view: " << outcome.err;
  }
}

const std::set<std::string> kAll(kViews.begin(), kViews.end());
const std::set<std::string> kOfSites{"ops",         "kernels", "idle",  "tensor-cores", "ranges",     "casts",
                                     "collectives", "recipes", "drift", "decisions",    "stale-casts"};
const std::set<std::string> kOfOpCalls{"ops", "kernels", "tensor-cores", "ranges", "casts"};
const std::set<std::string> kGrouped{"ops", "kernels", "idle", "tensor-cores", "ranges", "casts", "impact"};
const std::set<std::string> kOfModules{"ops",    "kernels",     "idle",    "tensor-cores", "ranges",    "casts",
                                       "impact", "collectives", "recipes", "drift",        "decisions", "stale-casts"};

INSTANTIATE_TEST_SUITE_P(Show, FlagOfShow,
                         testing::Values(Flag{"run", "--run O1", kAll, ""}, Flag{"limit", "--limit 1", kAll, ""},
                                         Flag{"sort", "--sort run", kAll, ""},
                                         Flag{"phase", "--phase forward", kOfSites, "its rows have no phase"},
                                         Flag{"op", "--op conv", kOfModules, "its rows have no op"},
                                         Flag{"module", "--module conv", kOfModules, "its rows have no module"},
                                         Flag{"group_by", "--group-by class", kGrouped, "its rows are not call sites"},
                                         Flag{"steps", "--steps 1:2", kOfOpCalls,
                                              "its rows are not sums over op calls"}),
                         [](const auto& info) { return info.param.name; });

TEST_F(ShowVerb, PrintsOneRunWhereOneIsWanted) {
  for (const std::string& view : kViews) {
    for (const json& row : rows("digits.ampprof " + view + " --run o3")) EXPECT_EQ(row.at("run"), 3) << view;
  }
}

TEST_F(ShowVerb, LimitsTheRowsOfEveryFormat) {
  EXPECT_EQ(rows("digits.ampprof ops --limit 4").size(), 4u);
  const std::string csv = ampprof("show digits.ampprof ops --limit 4 --format csv").out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
}

TEST_F(ShowVerb, GroupsWhatPassesTheFilters) {
  const json found = rows("layers.ampprof ops --run O1 --group-by op --module 'layers.[01]' --phase forward");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.at(0).at("call_site"), "*/linear");
  EXPECT_EQ(found.at(0).at("call_sites"), 4);
  EXPECT_TRUE(found.at(0).at("loss_impact_rms").is_null());
}

TEST_F(ShowVerb, TellsWhatOpCallsOfSomeStepsComeTo) {
  const auto calls = [&](const std::string& steps) {
    const json found = rows("digits.ampprof ops --run O1 --op conv2d" + steps);
    return found.at(0).at("calls").get<int>();
  };
  EXPECT_EQ(calls(""), 12);
  EXPECT_EQ(calls(" --steps 3:7"), 5);
  EXPECT_EQ(calls(" --steps 3:"), 10);
  EXPECT_EQ(calls(" --steps 1:2") + calls(" --steps 3:"), 12);
  EXPECT_TRUE(rows("digits.ampprof ops --steps 13:").empty());
  const auto casts = [&](const std::string& steps) {
    return rows("digits.ampprof casts --run O1 --op conv2d" + steps).at(0).at("casts").get<int>();
  };
  EXPECT_EQ(casts(" --steps 1:2") + casts(" --steps 3:"), casts(""));
}

TEST_F(ShowVerb, SaysWhatIsMissingUnderEveryTable) {
  for (const std::string& view : kViews) {
    const std::string note = "not in these numbers: the rest of the run (O3), local error of dropout (12x, O3)";
    const bool is_told = ampprof("show digits.ampprof " + view).err.find(note) != std::string::npos;
    EXPECT_EQ(is_told, view != "missing") << view;
    EXPECT_EQ(ampprof("show digits.ampprof " + view + " --run O1").err.find("not in these"), std::string::npos) << view;
    EXPECT_EQ(ampprof("show digits.ampprof " + view + " --format json").err, "") << view;
  }
}

TEST_F(ShowVerb, HasAKindOfItsOwnForStepsThatWereNotRecorded) {
  std::map<std::string, json> found;
  for (const json& row : rows("layers.ampprof missing --run O2")) found[row.at("what")] = row;
  EXPECT_EQ(found.at("steps that were not recorded").at("count"), 2);
  EXPECT_EQ(found.at("the rest of the run").at("count"), 1);
  EXPECT_EQ(found.at("values of op calls").at("count"), 412);
  EXPECT_EQ(found.at("step times without ampprof's overhead").at("share"), 0.25);
}

TEST_F(ShowVerb, ColoursOnlyATerminalAndNotAgainstNoColor) {
  if (std::system("command -v script >/dev/null") != 0) GTEST_SKIP() << "no script(1), which makes a terminal";
  const std::string on_terminal = "script -qec \"'" AMPPROF_PROGRAM "' show digits.ampprof runs\" /dev/null </dev/null";
  EXPECT_NE(shell(on_terminal).out.find("\033["), std::string::npos);
  EXPECT_EQ(shell("NO_COLOR=1 " + on_terminal).out.find("\033["), std::string::npos);
  EXPECT_EQ(ampprof("show digits.ampprof runs").out.find("\033["), std::string::npos);
}

}  // namespace show_verb_test
}  // namespace ampprof::cli

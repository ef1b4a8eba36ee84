// SPDX-License-Identifier: Apache-2.0
// Checks that everything in `ampprof reference` has a description.
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/verbs/describe.h"
#include "tests/cli/program.h"
#include "views/all_views.h"

namespace ampprof::cli {
namespace reference_verb_test {

using nlohmann::json;

class ReferenceVerb : public BuiltProgram {
 protected:
  ReferenceVerb() {
    const Outcome outcome = ampprof("reference");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    reference_ = json::parse(outcome.out);
  }

  json reference_;
};

TEST_F(ReferenceVerb, DescribesEveryColumnOfEveryView) {
  ASSERT_EQ(reference_.at("views").size(), views::all_views().size());
  for (const json& view : reference_.at("views")) {
    EXPECT_NE(view.at("about"), "") << view.at("name");
    EXPECT_FALSE(view.at("columns").empty()) << view.at("name");
    for (const json& column : view.at("columns")) {
      EXPECT_TRUE(column.at("about").get<std::string>().ends_with('.')) << view.at("name") << ' ' << column;
    }
  }
}

TEST_F(ReferenceVerb, DescribesEveryColumnOfTheRowsOfVerbs) {
  std::set<std::string> verbs;
  for (const json& rows : reference_.at("rows")) {
    verbs.insert(rows.at("verb"));
    EXPECT_FALSE(rows.at("columns").empty()) << rows.at("row");
    for (const json& column : rows.at("columns")) {
      EXPECT_TRUE(column.at("about").get<std::string>().ends_with('.')) << rows.at("verb") << ' ' << column;
    }
  }
  EXPECT_EQ(verbs, (std::set<std::string>{"advise", "check", "diff", "search"}));
}

TEST_F(ReferenceVerb, KnowsTheUnitOfAKey) {
  std::map<std::string, std::string> units;
  for (const json& view : reference_.at("views")) {
    if (view.at("name") != "ops") continue;
    for (const json& column : view.at("columns")) units[column.at("key")] = column.at("unit");
  }
  EXPECT_EQ(units.at("cpu_us_per_call"), "µs");
  EXPECT_EQ(units.at("local_max_ulp"), "ulp");
  EXPECT_EQ(units.at("calls"), "");
}

TEST_F(ReferenceVerb, DescribesEveryColumnOfEveryTable) {
  EXPECT_FALSE(reference_.at("tables").empty());
  for (const json& table : reference_.at("tables")) {
    EXPECT_NE(table.at("row"), "") << table.at("name");
    for (const json& column : table.at("columns"))
      EXPECT_NE(column.at("about"), "") << table.at("name") << ' ' << column;
  }
}

TEST_F(ReferenceVerb, DescribesEveryEntryOfTheOtherLists) {
  for (const char* list : {"metrics", "findings", "exit_codes", "variables", "recipes"}) {
    EXPECT_FALSE(reference_.at(list).empty()) << list;
    for (const json& entry : reference_.at(list)) EXPECT_NE(entry.at("about"), "") << entry;
  }
  for (const json& recipe : reference_.at("recipes")) {
    for (const json& one : recipe.at("switches")) EXPECT_NE(one.at("about"), "") << recipe;
  }
}

TEST(Options, SayWhatTheyDo) {
  for (const VerbDescription& verb : describe_verbs(Installation::own())) {
    EXPECT_FALSE(verb.about.empty()) << verb.name;
    for (const auto* options : {&verb.options, &verb.positionals}) {
      for (const OptionDescription& option : *options) {
        EXPECT_FALSE(option.about.empty())
            << verb.name << ' ' << (option.names.empty() ? option.value : option.names[0]);
      }
    }
  }
}

}  // namespace reference_verb_test
}  // namespace ampprof::cli

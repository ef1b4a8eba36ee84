// SPDX-License-Identifier: Apache-2.0
#include "views/compare/first_difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "views/table/format.h"

namespace ampprof::views {
namespace first_difference_test {

/// Builds the result of a comparison whose calls differ.
class Differing {
 public:
  compare::DifferingCall& add(std::int64_t step, std::optional<double> relative) {
    queries::SketchRow& a = rows_.emplace_back();
    a.step = step;
    a.call_site = "backward fc/mm";
    a.phase = Phase::Backward;
    a.module = "fc";
    a.op = "mm";
    a.source = "src/train.cpp:31";
    a.sketch.elements = 8;
    a.sketch.sum_sq = 16;
    queries::SketchRow b = a;
    b.sketch.elements = 9;
    rows_.push_back(b);
    compare::DifferingCall& call = found.differing.emplace_back();
    call.a = &rows_[rows_.size() - 2];
    call.b = &rows_.back();
    call.relative = relative;
    if (relative) call.distance = *relative * 4;
    found.compared = 100;
    if (!found.first) found.first = found.differing.size() - 1;
    return call;
  }

  std::string text(int width = 100) const {
    return formatted({ComparedSides{"O0", "O1", found}}, Format::Table, {.width = width});
  }
  /// Returns a new call, to add to the calls that only one side makes.
  const queries::SketchRow* row(const std::string& op) {
    queries::SketchRow& row = rows_.emplace_back();
    row.op = op;
    return &row;
  }
  bool says(const std::string& part) const { return text(300).find(part) != std::string::npos; }

  compare::FirstDifference found;

 private:
  std::deque<queries::SketchRow> rows_;
};

TEST(FirstDifference, NamesTheCallTheLineAndTheSize) {
  Differing calls;
  calls.add(3, 0.25).noise = 0.125;
  calls.add(4, 0.5).inputs_same = true;
  EXPECT_EQ(calls.text(),
            "O0 against O1\n"
            "The first call that differs is backward fc/mm at train.cpp:31, in step 3.\n"
            "The outputs differ by about 2.5e-01 of their norm. The inputs differ, too.\n"
            "2 of 100 calls differ.\n"
            "Relative distance: 2.5e-01 ▁█ 5.0e-01\n"
            "\n"
            "step  call site  source        inputs  distance  relative  of repeats\n"
            "   3  bwd fc/mm  train.cpp:31  differ   1.0e+00   2.5e-01     1.2e-01\n"
            "   4  bwd fc/mm  train.cpp:31  same     2.0e+00   5.0e-01           -\n");
}

TEST(FirstDifference, SaysWhereItsInputsWereTheSame) {
  Differing calls;
  compare::DifferingCall& call = calls.add(1, 0.25);
  call.inputs_same = true;
  EXPECT_TRUE(calls.says("of their norm. The inputs have the same bits on both sides.\n")) << calls.text();
  EXPECT_EQ(first_difference_view(calls.found).records.at(0).cells.at(3).tone, text::Tone::Strong);
  call.inputs_same = false;
  EXPECT_EQ(first_difference_view(calls.found).records.at(0).cells.at(3).tone, text::Tone::Plain);
}

TEST(FirstDifference, SaysWhereNoDistanceIsKnown) {
  Differing calls;
  compare::DifferingCall& call = calls.add(1, {});
  EXPECT_TRUE(calls.says("The outputs have 8 elements on the first side and 9 on the second.")) << calls.text();
  call.distance = 0.0;
  EXPECT_TRUE(calls.says("The bits of the outputs differ, but their distance is undefined")) << calls.text();
  call.relative = 0.0;
  EXPECT_TRUE(calls.says("The bits of the outputs differ, but their distance is undefined")) << calls.text();
  EXPECT_FALSE(calls.says("Relative distance: ")) << "there is nothing to draw";
}

TEST(FirstDifference, IsTheFirstBeyondTheNoise) {
  Differing calls;
  calls.add(1, 0.125);
  calls.add(2, 0.25);
  calls.found.first = 1;
  EXPECT_TRUE(calls.says("in step 2.")) << calls.text();
  EXPECT_EQ(first_difference_view(calls.found).records.size(), 1u);
  calls.found.first.reset();
  EXPECT_EQ(calls.text(), "O0 against O1\nNo call differs by more than repeats do: 100 calls compared.\n");
  calls.found.differing.clear();
  EXPECT_EQ(calls.text(), "O0 against O1\nNo call differs: 100 calls compared.\n");
}

TEST(FirstDifference, CountsWhatIsOnOneSideOnly) {
  Differing calls;
  EXPECT_EQ(calls.text(),
            "O0 against O1\nNo call has a sketch on both sides. Record sketches: ampprof run --sketch ...\n");
  calls.found.compared = 1;
  EXPECT_FALSE(calls.says("only on"));
  calls.found.only_a = {calls.row("ge.Scalar")};
  EXPECT_TRUE(calls.says("compared.\n1 call only on the first side (ge.Scalar).\n")) << calls.text();
  calls.found.only_b = {calls.row("gt.Scalar"), calls.row("lt.Scalar"), calls.row("gt.Scalar")};
  EXPECT_TRUE(
      calls.says("\n1 call only on the first side (ge.Scalar), 3 calls only on the second side (gt.Scalar and "
                 "lt.Scalar).\n"))
      << calls.text();
  calls.found.only_a.clear();
  for (const char* op : {"mul", "add", "sub", "div"}) calls.found.only_b.push_back(calls.row(op));
  EXPECT_TRUE(calls.says("\n7 calls only on the second side (gt.Scalar, lt.Scalar, mul, add and 2 others).\n"))
      << calls.text();
}

TEST(FirstDifference, MayAriseInCallsOfOneSideThatComeBeforeIt) {
  Differing calls;
  compare::DifferingCall& call = calls.add(1, 0.25);
  EXPECT_FALSE(calls.says("Before this call"));
  calls.found.only_before = 1;
  EXPECT_TRUE(calls.says("Before this call, 1 call is on one side only: the difference may arise there."))
      << calls.text();
  calls.found.only_before = 2;
  EXPECT_TRUE(calls.says("Before this call, 2 calls are on one side only:")) << calls.text();
  call.inputs_same = true;
  EXPECT_FALSE(calls.says("Before this call")) << "they have nothing to do with it";
}

TEST(FirstDifference, ShowsTwentyCallsAndCountsTheRest) {
  Differing calls;
  for (int step = 1; step <= 20; ++step) calls.add(step, 0.25);
  EXPECT_FALSE(calls.says("more:")) << calls.text();
  for (int step = 21; step <= 23; ++step) calls.add(step, 0.25);
  EXPECT_TRUE(calls.says("\n  20  bwd fc/mm"));
  EXPECT_FALSE(calls.says("\n  21  bwd fc/mm"));
  EXPECT_TRUE(calls.text().ends_with("\n3 more: --format json\n")) << calls.text();
}

std::string curve_in(const std::string& text) {
  const std::string begin = "Relative distance: ";
  const auto from = text.find(begin) + begin.size();
  return text.substr(from, text.find('\n', from) - from);
}

TEST(FirstDifference, DrawsTheLargestOfEachStretchOnALogarithmicScale) {
  Differing calls;
  for (int power = -8; power <= -1; ++power) calls.add(1, std::pow(10.0, power));
  EXPECT_EQ(curve_in(calls.text()), "1.0e-08 ▁▂▃▄▅▆▇█ 1.0e-01");
  calls.add(1, {});
  calls.add(1, 0.0);
  EXPECT_EQ(curve_in(calls.text()), "1.0e-08 ▁▂▃▄▅▆▇█ 1.0e-01") << "what has no distance is left out";

  Differing alike;
  for (int i = 0; i < 3; ++i) alike.add(1, 0.5);
  EXPECT_EQ(curve_in(alike.text()), "5.0e-01 ▁▁▁ 5.0e-01");

  Differing many;
  for (int i = 0; i < 120; ++i) many.add(1, i % 2 == 0 ? 0.25 : i == 119 ? 0.75 : 0.5);
  std::string expected = "5.0e-01 ";
  for (int i = 0; i < 59; ++i) expected += "▁";
  EXPECT_EQ(curve_in(many.text(200)), expected + "█ 7.5e-01") << "two calls a cell";
}

TEST(FirstDifference, IsOneObjectInJson) {
  Differing calls;
  calls.add(1, 0.125);
  calls.add(2, 0.25).beyond_noise = false;
  calls.found.first = 1;
  calls.found.only_a = {calls.row("mul"), calls.row("mul"), calls.row("add")};
  calls.found.only_b = {calls.row("div")};
  calls.found.only_before = 2;
  const Json json = Json::parse(formatted({ComparedSides{"x", "y", calls.found}}, Format::Json, {}));
  const Json& pair = json.at("comparisons").at(0);
  EXPECT_EQ(pair.at("a"), "x");
  EXPECT_EQ(pair.at("b"), "y");
  EXPECT_EQ(pair.at("compared"), 100);
  EXPECT_EQ(pair.at("only_a"), 3);
  EXPECT_EQ(pair.at("only_b"), 1);
  EXPECT_EQ(pair.at("ops_only_a").dump(), R"(["mul","add"])");
  EXPECT_EQ(pair.at("ops_only_b").dump(), R"(["div"])");
  EXPECT_EQ(pair.at("only_before"), 2);
  EXPECT_EQ(pair.at("differing"), 2);
  EXPECT_EQ(pair.at("calls").size(), 1u);
  EXPECT_EQ(pair.at("first").dump(),
            R"({"step":2,"call_site":"backward fc/mm","phase":"backward","module":"fc","op":"mm",)"
            R"("source":"src/train.cpp:31","inputs_same":false,"elements_a":8,"elements_b":9,"norm_a":4.0,)"
            R"("distance":1.0,"relative":0.25,"noise":0.0,"beyond_noise":false})");
  calls.found.first.reset();
  const Json none = Json::parse(formatted({ComparedSides{"x", "y", calls.found}}, Format::Json, {}));
  EXPECT_TRUE(none.at("comparisons").at(0).at("first").is_null());
}

TEST(FirstDifference, PartsPairsAndHasTheFirstOneInCsv) {
  const ComparedSides same{"x", "y", {.compared = 1}};
  EXPECT_EQ(formatted({same, same}, Format::Table, {}),
            "x against y\nNo call differs: 1 call compared.\n\nx against y\nNo call differs: 1 call compared.\n");
  Differing calls;
  calls.add(7, 0.25);
  const std::string csv = formatted({ComparedSides{"x", "y", calls.found}, same}, Format::Csv, {});
  EXPECT_NE(csv.find("\n7,backward fc/mm,"), std::string::npos) << csv;
  EXPECT_EQ(formatted(std::vector<ComparedSides>{}, Format::Csv, {}), "");
}

TEST(FirstDifference, LeavesColumnsOutOfNarrowTablesTheNoiseFirst) {
  Differing calls;
  calls.add(1, 0.25).noise = 0.5;
  std::vector<std::string> order;
  const Table table = table_of(first_difference_view(calls.found));
  for (int width = 100; width > 30; --width) {
    for (const std::string& title : hidden_columns(table, width)) {
      if (std::ranges::find(order, title) == order.end()) order.push_back(title);
    }
  }
  EXPECT_EQ(order, (std::vector<std::string>{"of repeats", "distance", "source"}));
}

}  // namespace first_difference_test
}  // namespace ampprof::views

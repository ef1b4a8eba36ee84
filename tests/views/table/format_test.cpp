// SPDX-License-Identifier: Apache-2.0
#include "views/table/format.h"

#include <gtest/gtest.h>

namespace ampprof::views {
namespace format_test {

/// Returns a view of four columns that do not fit on a narrow terminal. The first column is omitted first.
View wide_view() {
  View view{.name = "wide", .keys = {"a"}, .none = "Nothing."};
  for (int i = 0; i < 4; ++i) view.columns.push_back({.title = "column " + std::to_string(i), .spare = 4 - i});
  view.records = {{.json = {{"a", Json{"é", "b,c"}}}, .cells = std::vector<Cell>(4, Cell{"x"})}};
  return view;
}

std::string noted(const View& view, std::size_t left_out, Format format, int width) {
  testing::internal::CaptureStderr();
  note_left_out(view, left_out, format, {.width = width});
  return testing::internal::GetCapturedStderr();
}

TEST(Notes, TellWhatATableDoesNotShow) {
  EXPECT_EQ(noted(wide_view(), 0, Format::Table, 80), "");
  EXPECT_EQ(noted(wide_view(), 1, Format::Table, 80), "ampprof: 1 more rows. --limit N prints more.\n");
  EXPECT_EQ(noted(wide_view(), 0, Format::Table, 20),
            "ampprof: a width of 20 columns is too narrow for column 0 and column 1. --format json has everything.\n");
  EXPECT_EQ(noted(wide_view(), 0, Format::Csv, 20), "");
  View none = wide_view();
  none.records.clear();
  EXPECT_EQ(noted(none, 0, Format::Table, 20), "") << "a sentence has no columns";
}

TEST(Formats, SayWhyThereAreNoRowsAndHowToGetThem) {
  View view{.name = "v", .keys = {"a"}, .none = "Nothing."};
  EXPECT_EQ(formatted(view, Format::Table, {}), "Nothing.\n");
  view.remedy = "Record it.";
  EXPECT_EQ(formatted(view, Format::Table, {}), "Nothing. Record it.\n");
  EXPECT_EQ(formatted(view, Format::Markdown, {}), "Nothing. Record it.\n");
}

TEST(Formats, KeepLettersAsTheyAre) {
  EXPECT_EQ(formatted(wide_view(), Format::Csv, {}), "a\n\"[\"\"é\"\",\"\"b,c\"\"]\"\n");
  EXPECT_EQ(formatted(wide_view(), Format::Json, {}),
            "[\n  {\n    \"a\": [\n      \"é\",\n      \"b,c\"\n    ]\n  }\n]\n");
  EXPECT_EQ(csv_line({Json{{"k", 1}}, 2.5, Json(), "a\nb", "c\rd"}), "\"{\"\"k\"\":1}\",2.5,,\"a\nb\",\"c\rd\"\n");
}

TEST(Keys, ReachIntoObjects) {
  const Json json{{"a", {{"b", {{"c", 3}}}}}, {"d", 4}};
  EXPECT_EQ(at_key(json, "a.b.c"), 3);
  EXPECT_EQ(at_key(json, "d"), 4);
  EXPECT_TRUE(at_key(json, "a.x").is_null());
  EXPECT_TRUE(at_key(json, "x.b").is_null());
  EXPECT_TRUE(at_key({{"a", nullptr}}, "a.b").is_null()) << "an object that holds nothing";
}

TEST(Selections, ReplaceTheSentenceOnTheOrder) {
  View view{.name = "v", .keys = {"op", "n"}, .none = ""};
  view.columns = {Column{"op"}};
  view.records = {{.cells = {Cell{"mm"}}, .values = {std::string("mm"), std::int64_t{1}}},
                  {.cells = {Cell{"add"}}, .values = {std::string("add"), Value()}}};
  view.texts = {{"op", "", "", ""}, {"n", "number", "", ""}};
  select(view, {.sort = "n"});
  EXPECT_EQ(view.order, "") << "of a view that says nothing about its order";
  view.order = "Sorted by E.";
  select(view, {.limit = 2});
  EXPECT_EQ(view.order, "Sorted by E.");
  select(view, {.sort = "n"});
  EXPECT_EQ(view.order, "Sorted by number, the largest first.");
  select(view, {.sort = "op"});
  EXPECT_EQ(view.order, "Sorted by op, from A to Z.");
  EXPECT_EQ(order_by(view, "n", true), "Sorted by number, the smallest first.");
  EXPECT_TRUE(formatted(view, Format::Markdown, {}).starts_with("- Sorted by op, from A to Z.\n"));
}

TEST(Selections, WithoutARowAreBlamedNotTheReport) {
  View view{.name = "v", .keys = {"phase", "op"}, .none = "The report holds no cast.", .remedy = "Record one."};
  View empty = view;
  view.records = {{.values = {std::string("forward"), std::string("mm")}}};
  select(view, {.phase = "backward", .op = "m"});
  EXPECT_EQ(in_place_of_rows(view), "No row matches --phase and --op m.");
  select(empty, {.op = "m"});
  EXPECT_EQ(in_place_of_rows(empty), "The report holds no cast. Record one.");
}

TEST(Selections, SayNothingOfAViewThatHoldsWhatTheyAskFor) {
  View view{.name = "v", .keys = {"phase", "op", "n"}, .none = ""};
  view.records = {{.values = {std::string("forward"), std::string("mm"), std::int64_t{1}}},
                  {.values = {std::string("backward"), std::string("mm"), std::int64_t{2}}},
                  {.values = {std::string("backward"), std::string("add"), std::int64_t{3}}}};
  const auto numbers = [&](const Selection& selection) {
    View selected = view;
    const std::size_t left_out = select(selected, selection);
    std::vector<std::int64_t> numbers;
    for (const Record& record : selected.records)
      numbers.push_back(std::get<std::int64_t>(value_at(selected, record, "n")));
    if (left_out > 0) numbers.push_back(-static_cast<std::int64_t>(left_out));
    return numbers;
  };
  using Numbers = std::vector<std::int64_t>;
  EXPECT_EQ(numbers({}), (Numbers{1, 2, 3}));
  EXPECT_EQ(numbers({.phase = "backward"}), (Numbers{2, 3}));
  EXPECT_EQ(numbers({.op = "mm"}), (Numbers{1, 2}));
  EXPECT_EQ(numbers({.phase = "backward", .op = "mm"}), (Numbers{2}));
  EXPECT_EQ(numbers({.sort = "n"}), (Numbers{3, 2, 1}));
  EXPECT_EQ(numbers({.sort = "n", .limit = 2}), (Numbers{3, 2, -1}));
  view.texts = {{"", "op", "", ""}, {"n", "number", "", ""}, {"phase", "n", "", ""}};
  EXPECT_EQ(numbers({.sort = "number"}), (Numbers{3, 2, 1})) << "the title of n";
  EXPECT_EQ(numbers({.sort = "n"}), (Numbers{3, 2, 1})) << "a key wins over a title";
  EXPECT_EQ(numbers({.limit = 3}), (Numbers{1, 2, 3}));
  EXPECT_EQ(numbers({.limit = 0}), (Numbers{-3}));
  EXPECT_EQ(text_at(view, view.records[0], "n"), "") << "a number is not a text";
  EXPECT_EQ(text_at(view, view.records[0], "level"), "");
}

}  // namespace format_test
}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#include "views/table/table.h"

#include <gtest/gtest.h>

namespace ampprof::views {
namespace table_test {

TEST(Tables, KeepCellsOfOneLetterAndEndInNoBlanks) {
  const Table table{.columns = {{.title = "a"}, {.title = "wide"}, {.title = "c"}},
                    .rows = {{{"x"}, {"y"}, {""}}, {{""}, {""}, {"z"}}}};
  EXPECT_EQ(render(table, {.width = 80}),
            "a  wide  c\n"
            "x  y\n"
            "         z\n");
}

TEST(Tables, NarrowTheWidestFlexibleColumnFirst) {
  const Table table{.columns = {{.title = "a", .flexible = true}, {.title = "b", .flexible = true}, {.title = "c"}},
                    .rows = {{{std::string(40, 'a')}, {std::string(35, 'b')}, {"12345"}}}};
  EXPECT_EQ(column_widths(table, 84), (std::vector<int>{40, 35, 5}));
  EXPECT_EQ(column_widths(table, 80), (std::vector<int>{36, 35, 5}));
  EXPECT_EQ(column_widths(table, 77), (std::vector<int>{34, 34, 5}));
  EXPECT_EQ(column_widths(table, 65), (std::vector<int>{28, 28, 5}));
  EXPECT_EQ(column_widths(table, 30), (std::vector<int>{10, 11, 5})) << "below the least where nothing can be left out";
  EXPECT_EQ(column_widths(table, 1), (std::vector<int>{1, 1, 5}));
}

TEST(Tables, LeaveOutSpareColumnsOnlyWhereNarrowingIsNotEnough) {
  const Table table{
      .columns = {{.title = "a", .spare = 1}, {.title = "b", .flexible = true}, {.title = "c", .spare = 2}},
      .rows = {{{"12345"}, {std::string(40, 'b')}, {"12345"}}}};
  EXPECT_EQ(column_widths(table, 54), (std::vector<int>{5, 40, 5}));
  EXPECT_EQ(column_widths(table, 42), (std::vector<int>{5, 28, 5}));
  EXPECT_EQ(column_widths(table, 41), (std::vector<int>{5, 34, 0}));
  EXPECT_EQ(column_widths(table, 34), (std::vector<int>{0, 34, 0}));
  EXPECT_EQ(column_widths(table, 20), (std::vector<int>{0, 20, 0}));
  EXPECT_EQ(hidden_columns(table, 34), (std::vector<std::string>{"a", "c"}));
}

TEST(Tables, LeaveOutWhatTellsNothingFirst) {
  const Table table{.columns = {{.title = "site", .flexible = true},
                                {.title = "empty"},
                                {.title = "same", .spare = kSpareIfSame},
                                {.title = "run", .spare = kSpareIfSame},
                                {.title = "spare", .spare = 9},
                                {.title = "line"}},
                    .rows = {{{std::string(28, 'a')}, {"-"}, {"O1"}, {"A"}, {"1"}, {"train.py:1"}},
                             {{std::string(28, 'a')}, {"0"}, {"O1"}, {"B"}, {"2"}, {"train.py:2"}}}};
  using Titles = std::vector<std::string>;
  EXPECT_EQ(hidden_columns(table, 65), Titles{});
  EXPECT_EQ(hidden_columns(table, 60), Titles{"empty"});
  EXPECT_EQ(hidden_columns(table, 52), (Titles{"empty", "same"}));
  EXPECT_EQ(hidden_columns(table, 45), (Titles{"empty", "same", "spare"}));
}

TEST(Tables, WrapOnlyFlexibleColumnsThatAreShown) {
  const Table table{.columns = {{.title = "a", .flexible = true}, {.title = "b"}},
                    .rows = {{{"one two three four five six seven eight", text::Tone::Bad}, {"x"}}},
                    .wraps = true};
  EXPECT_EQ(render(table, {.width = 31, .colours = true}),
            "\033[1ma\033[0m                             \033[1mb\033[0m\n"
            "\033[31mone two three four five six\033[0m   x\n"
            "\033[31mseven eight\033[0m\n");
  const Table hidden{.columns = {{.title = "a", .flexible = true, .spare = 1}, {.title = "b"}},
                     .rows = {{{std::string(28, 'a') + " and more"}, {"12345"}}},
                     .wraps = true};
  EXPECT_EQ(render(hidden, {.width = 20}), "b\n12345\n");
}

TEST(Tables, WrapTitlesThatAreWiderThanTheirColumns) {
  const Table table{.columns = {{.title = "FP32 holds it", .flexible = true}, {.title = "b"}},
                    .rows = {{{"yes"}, {"12345"}}}};
  EXPECT_EQ(render(table, {.width = 12}),
            "FP32   b\n"
            "holds\n"
            "it\n"
            "yes    12345\n");
}

TEST(Painted, IsOnlyTextInAToneWhereColoursAreWanted) {
  EXPECT_EQ(painted("a", text::Tone::Bad, true), "\033[31ma\033[0m");
  EXPECT_EQ(painted("a", text::Tone::Bad, false), "a");
  EXPECT_EQ(painted("a", text::Tone::Plain, true), "a");
  EXPECT_EQ(painted("", text::Tone::Bad, true), "");
}

}  // namespace table_test
}  // namespace ampprof::views

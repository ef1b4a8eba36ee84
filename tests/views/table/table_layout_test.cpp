// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "analysis/ops/nearest.h"
#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "views/table/table.h"

namespace ampprof::views {
namespace table_layout_test {

struct Elided {
  const char* name;
  const char* text;
  int width;
  const char* expected;
};

void PrintTo(const Elided& elided, std::ostream* out) { *out << elided.name; }

class ElidedText : public testing::TestWithParam<Elided> {};

TEST_P(ElidedText, LosesItsMiddle) {
  const std::string text = text::elide_middle(GetParam().text, GetParam().width);
  EXPECT_EQ(text, GetParam().expected);
  EXPECT_LE(text::display_width(text), GetParam().width);
}

INSTANTIATE_TEST_SUITE_P(Elide, ElidedText,
                         testing::Values(Elided{"that_fits", "conv1/conv2d", 12, "conv1/conv2d"},
                                         Elided{"in_the_middle", "abcdefghij", 7, "abc…hij"},
                                         Elided{"but_not_the_op", "encoder.layers.3/addmm", 14, "enco…s.3/addmm"},
                                         Elided{"and_leaves_the_op_room", "features.conv1/convolution_backward", 28,
                                                "featur…/convolution_backward"},
                                         Elided{"and_keeps_a_front", "features.conv1/convolution_backward", 24,
                                                "featu…nvolution_backward"},
                                         Elided{"to_two_cells", "abc", 2, "…c"},
                                         Elided{"the_op_too_if_it_must", "a/convolution_backward", 9, "a/…ckward"},
                                         Elided{"of_wide_letters", "ääääääää", 5, "ää…ää"},
                                         Elided{"to_one_cell", "abc", 1, "…"}, Elided{"to_nothing", "abc", 0, ""}),
                         [](const auto& info) { return info.param.name; });

TEST(Printable, LetsNoControlCharacterThrough) {
  EXPECT_EQ(text::printable("a\033[31mb\n\x7f"), "a?[31mb??");
  EXPECT_EQ(text::printable("\xC2\x9B"
                            "31m"),
            "?31m")
      << "the C1 form of an escape sequence";
  EXPECT_EQ(text::printable("µ…"), "µ…");
  EXPECT_EQ(text::printable("a b"), "a b");
  EXPECT_EQ(text::printable("a\xC2\xA0"
                            "b"),
            "a\xC2\xA0"
            "b")
      << "a blank that does not break";
  EXPECT_EQ(text::printable("\xC2"), "\xC2") << "cut off";
}

TEST(Wrap, BreaksAtBlanksAndIndentsWhatFollows) {
  EXPECT_EQ(text::wrap("one two three", 7, 2), (std::vector<std::string>{"one two", "  three"}));
  EXPECT_EQ(text::wrap("", 7), (std::vector<std::string>{}));
  EXPECT_EQ(text::wrap("unbreakable", 4), (std::vector<std::string>{"unbreakable"}));
  EXPECT_EQ(text::wrap("one two", 6), (std::vector<std::string>{"one", "two"}));
}

Table ops_table() {
  return {.columns = {{.title = "call site", .flexible = true},
                      {.title = "calls", .align = Align::Right},
                      {.title = "amax", .align = Align::Right, .spare = 1},
                      {.title = "inputs", .flexible = true, .spare = 2}},
          .rows = {{{"encoder.layers.3.attention/addmm"}, {"12"}, {"4"}, {"f32[64,128]"}},
                   {{"fc/linear"}, {"1.26k"}, {"0.5"}, {"f32[]"}}}};
}

TEST(TableLayout, AlignsNumbersToTheRight) {
  EXPECT_EQ(render(ops_table(), {.width = 80}),
            "call site                         calls  amax  inputs\n"
            "encoder.layers.3.attention/addmm     12     4  f32[64,128]\n"
            "fc/linear                         1.26k   0.5  f32[]\n");
}

TEST(TableLayout, NarrowsFlexibleColumnsBeforeItLeavesAnyOut) {
  EXPECT_EQ(hidden_columns(ops_table(), 56), std::vector<std::string>{});
  EXPECT_EQ(hidden_columns(ops_table(), 46), std::vector<std::string>{"inputs"});
  EXPECT_EQ(hidden_columns(ops_table(), 36), (std::vector<std::string>{"amax", "inputs"}));
}

class TableWidth : public testing::TestWithParam<int> {};

TEST_P(TableWidth, IsNeverExceeded) {
  std::istringstream lines(render(ops_table(), {.width = GetParam()}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(text::display_width(line), GetParam()) << line;
}

INSTANTIATE_TEST_SUITE_P(TableLayout, TableWidth, testing::Range(20, 90, 3));

TEST(TableLayout, WrapsSentencesWhereTheTableSaysSo) {
  const Table table{.columns = {{.title = "count", .align = Align::Right}, {.title = "cause", .flexible = true}},
                    .rows = {{{"3"}, {"The program ended before it was asked to."}}, {{"1"}, {"Unknown."}}},
                    .wraps = true};
  EXPECT_EQ(render(table, {.width = 30}),
            "count  cause\n"
            "    3  The program ended\n"
            "       before it was asked to.\n"
            "    1  Unknown.\n");
}

TEST(TableLayout, ColoursOnlyWhereAsked) {
  const Table table{.columns = {{"op"}}, .rows = {{{"bad", text::Tone::Bad}}}};
  EXPECT_EQ(render(table, {.width = 80}), "op\nbad\n");
  EXPECT_EQ(render(table, {.width = 80, .colours = true}), "\033[1mop\033[0m\n\033[31mbad\033[0m\n");
}

TEST(TableLayout, MarkdownEscapesItsOwnSeparator) {
  const Table table{.columns = {{"op"}, {.title = "n", .align = Align::Right}}, .rows = {{{"a|b"}, {"1"}}}};
  EXPECT_EQ(render_markdown(table), "| op | n |\n| --- | ---: |\n| a\\|b | 1 |\n");
  const Table backslash{.columns = {{"op"}}, .rows = {{{R"(a\|b\)"}}}};
  EXPECT_EQ(render_markdown(backslash),
            "| op |\n| --- |\n| a"
            R"(\\\|b\\)"
            " |\n")
      << "or the bar parts two cells";
}

TEST(ShortSource, LeavesTheWayToTheFileOut) {
  EXPECT_EQ(text::short_source("/home/me/train.py:31"), "train.py:31");
  EXPECT_EQ(text::short_source("train.py:31"), "train.py:31");
}

TEST(Listed, JoinsNamesAsASentenceDoes) {
  EXPECT_EQ(text::listed({}), "");
  EXPECT_EQ(text::listed({"a"}), "a");
  EXPECT_EQ(text::listed({"a", "b"}), "a and b");
  EXPECT_EQ(text::listed({"a", "b", "c"}, "or"), "a, b or c");
}

TEST(Nearest, FindsWhatWasMeantAndNothingElse) {
  const std::vector<std::string> names{"mlp", "mnist_cnn", "dcgan", "resnet18"};
  EXPECT_EQ(analysis::nearest("mnist-cnn", names), "mnist_cnn");
  EXPECT_EQ(analysis::nearest("resnet", names), "resnet18");
  EXPECT_EQ(analysis::nearest("transformer", names), "");
  EXPECT_EQ(text::listed(names), "mlp, mnist_cnn, dcgan and resnet18");
}

}  // namespace table_layout_test
}  // namespace ampprof::views

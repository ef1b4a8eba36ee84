// SPDX-License-Identifier: Apache-2.0
// Reads exports with parsers of the standard formats. Each text must come back as clean_text() returned it.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "cli/export/formats.h"
#include "cli/export/html.h"
#include "reports/store/clean_text.h"
#include "tests/cli/export/hostile_report.h"
#include "tests/cli/export/read_back.h"
#include "tests/views/all_runs.h"
#include "views/all_views.h"
#include "views/table/format.h"

namespace ampprof::cli {
namespace escaping_test {

// Returns random bytes, with many of the characters that formats treat specially.
std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> kPieces{"\"",
                                                "\"\"",
                                                ",",
                                                "\n",
                                                "\r\n",
                                                "\\",
                                                "\\u0000",
                                                "'",
                                                "</script>",
                                                "&amp;",
                                                "\t",
                                                "\x1b[31m",
                                                "\xC3\xA9",
                                                "\xF0\x9F\x94\xA5",
                                                "\xED\xA0\x80",
                                                "\xC0\x80",
                                                "\xE2\x80\xA8",
                                                "=1+1",
                                                "-->",
                                                "]]>",
                                                std::string(1, '\0'),
                                                "\x7f",
                                                "\xC2\x85",
                                                "\xFF",
                                                "{\"a\":1}",
                                                " "};
  std::string text;
  for (auto left = random() % 12; left > 0; --left) {
    text += random() % 3 == 0 ? std::string(1, static_cast<char>(random())) : kPieces[random() % kPieces.size()];
  }
  return text;
}

TEST(Escaping, CsvComesBackWhateverTheBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> row;
    for (auto fields = 2 + random() % 4; fields > 0; --fields) row.push_back(store::clean_text(random_text(random)));
    EXPECT_EQ(parse_csv(views::csv_line({row.begin(), row.end()})), Rows{row});
  }
}

TEST(Escaping, CsvHoldsListsAsJson) {
  const views::Json list{"a,b", "c\"d"};
  EXPECT_EQ(views::Json::parse(parse_csv(views::csv_line({list, views::Json(), views::Json(1.5)})).at(0).at(0)), list);
}

TEST(Escaping, JsonComesBackWhateverTheBytes) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    const std::string text = random_text(random);
    EXPECT_EQ(views::Json::parse(views::to_text({{"key", store::clean_text(text)}})).at("key"),
              store::clean_text(text));
    EXPECT_NO_THROW(views::Json::parse(views::to_text({{"key", text}}))) << "bytes that were not cleaned are repaired";
  }
}

TEST(Escaping, HtmlNeverLeavesItsText) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const std::string html = escaped(store::clean_text(random_text(random)));
    EXPECT_EQ(html.find_first_of("<>\"'"), std::string::npos) << html;
  }
  EXPECT_EQ(escaped("<b a='1'>\"&\x1b"), "&lt;b a=&#39;1&#39;&gt;&quot;&amp;?");
}

TEST(Escaping, WholeExportsComeBack) {
  const testing_reports::TemporaryFolder folder;
  std::mt19937 random(4);
  for (int round = 0; round < 30; ++round) {
    const std::string text = "x" + random_text(random);
    write_report_with(text, folder / "r");
    views::AllRuns opened(folder / "r");
    views::ViewSource& source = opened.source();
    std::ostringstream out;
    write_json({source, text}, out);
    const views::Json json = views::Json::parse(out.str());
    EXPECT_EQ(json.at("runs").at(0).at("program"), store::clean_text(text));
    EXPECT_EQ(json.at("ops").at(0).at("module"), store::clean_text(text));
    const bool has_remedy = std::ranges::any_of(json.at("missing"), [&](const views::Json& missing) {
      return missing.at("remedy") == store::clean_text(text);
    });
    EXPECT_TRUE(has_remedy) << json.at("missing").dump();
    for (const views::NamedView& named : views::all_views()) {
      const views::View view = named.make(source);
      const Rows rows = parse_csv(views::formatted(view, views::Format::Csv, {}));
      ASSERT_EQ(rows.size(), view.records.size() + 1) << named.name;
      for (const auto& row : rows) EXPECT_EQ(row.size(), view.keys.size());
    }
  }
}

}  // namespace escaping_test
}  // namespace ampprof::cli

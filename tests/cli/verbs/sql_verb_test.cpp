// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "tests/cli/program.h"
#include "tests/cli/synthetic_report.h"
#include "tests/golden.h"

namespace ampprof::cli {
namespace sql_verb_test {

class SqlVerb : public BuiltProgram {
 protected:
  SqlVerb() { write_synthetic_report(work("r.ampprof")); }
  Outcome sql(const std::string& rest) const { return ampprof("sql r.ampprof " + rest); }
};

constexpr const char* kQuery =
    "\"SELECT s.phase, s.module, s.op, sum(c.calls) AS calls, max(c.max_ulp) AS max_ulp, sum(c.nonfinite) AS nonfinite "
    "FROM op_total c JOIN call_site s ON s.run = c.run AND s.id = c.call_site WHERE c.run = 2 GROUP BY s.id\"";

TEST_F(SqlVerb, PrintsATable) {
  const Outcome outcome = sql(kQuery);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  test_support::expect_golden("sql_table.txt", outcome.out);
}

TEST_F(SqlVerb, PrintsEveryFormat) {
  test_support::expect_golden("sql.json", sql(std::string(kQuery) + " --format json").out);
  test_support::expect_golden("sql.csv", sql(std::string(kQuery) + " --format csv").out);
  test_support::expect_golden("sql.md", sql(std::string(kQuery) + " --format md").out);
}

TEST_F(SqlVerb, KeepsEveryTypeOfValue) {
  const std::string query =
      "\"SELECT NULL AS n, 1 AS i, 0.1 AS r, 9e999 AS inf, 'a\\\"b,c' AS t, x'00ff' AS b, 2 AS i\"";
  EXPECT_EQ(sql(query + " --format json").out,
            "[\n  {\"n\":null,\"i\":1,\"r\":0.1,\"inf\":\"inf\",\"t\":\"a\\\"b,c\",\"b\":\"00ff\",\"i_2\":2}\n]\n");
  EXPECT_EQ(sql(query + " --format csv").out, "n,i,r,inf,t,b,i_2\n,1,0.1,inf,\"a\"\"b,c\",00ff,2\n");
}

TEST_F(SqlVerb, LeavesLettersOfOtherLanguagesAsTheyAre) {
  EXPECT_EQ(sql("\"SELECT 'ø→é' AS t\" --format json").out, "[\n  {\"t\":\"ø→é\"}\n]\n");
}

TEST_F(SqlVerb, AnswersWithoutRows) {
  EXPECT_EQ(sql("'SELECT 1 WHERE 0'").out, "No row matches.\n");
  EXPECT_EQ(sql("'SELECT 1 AS a WHERE 0' --format json").out, "[]\n");
  EXPECT_EQ(sql("'SELECT 1 AS a WHERE 0' --format csv").out, "a\n");
}

TEST_F(SqlVerb, ListsTablesWithoutAQuery) {
  const Outcome outcome = sql("--format csv");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\nloss,\"run, segment, loss_id, value, shadow_value, is_shadow_decided\"\n"), std::string::npos)
      << outcome.out;
}

TEST_F(SqlVerb, SaysThatThereAreMoreRows) {
  const Outcome outcome = sql("'SELECT calls FROM op_total' --limit 3");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 4);
  EXPECT_NE(outcome.err.find("there are more rows"), std::string::npos) << outcome.err;
  EXPECT_EQ(sql("'SELECT id FROM run' --limit 3").err, "");
}

TEST_F(SqlVerb, ReportsThatAnEndlessNameDoesNotExist) {
  const Outcome outcome = ampprof("sql r.ampprof 'SELECT " + std::string(60000, 'a') + "'");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err.substr(0, 1000);
  EXPECT_TRUE(outcome.err.starts_with("ampprof: no such column: aaa")) << outcome.err.substr(0, 1000);
}

struct WrongQuery {
  const char* name;
  const char* arguments;
  int exit_code;
  const char* says;
};

void PrintTo(const WrongQuery& wrong, std::ostream* out) { *out << wrong.arguments; }

class WrongSql : public SqlVerb, public testing::WithParamInterface<WrongQuery> {};

TEST_P(WrongSql, GetsASentence) {
  const Outcome outcome = ampprof(GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, GetParam().exit_code);
  EXPECT_NE(outcome.err.find(GetParam().says), std::string::npos) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(
    SqlVerb, WrongSql,
    testing::Values(WrongQuery{"column", "sql r.ampprof 'SELECT modul FROM call_site'", 2,
                               "ampprof: no such column: modul. Did you mean 'module'?\n"
                               "  SELECT modul FROM call_site\n         ^\n"},
                    WrongQuery{"column_of_another_table", "sql r.ampprof 'SELECT s.dtype_in FROM call_site s'", 2,
                               "no such column: s.dtype_in. It is a column of op_variant.\n"},
                    WrongQuery{"column_of_other_tables", "sql r.ampprof 'SELECT scale_before FROM call_site'", 2,
                               "It is a column of scale_update, nonfinite_event.\n"},
                    WrongQuery{"second_line", "sql r.ampprof 'SELECT op\nFROM cal_site'", 2,
                               "Did you mean 'call_site'?"},
                    WrongQuery{"column_on_second_line", "sql r.ampprof 'SELECT op,\n  modul FROM call_site'", 2,
                               "?\n    modul FROM call_site\n    ^\n"},
                    WrongQuery{"syntax", "sql r.ampprof 'SELEC 1'", 2, "syntax error"},
                    WrongQuery{"write", "sql r.ampprof 'DELETE FROM run'", 2, "can only read the report"},
                    WrongQuery{"time",
                               "sql r.ampprof --timeout 0.01 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                               "FROM n) SELECT count(*) FROM n'",
                               2, "--timeout TIME allows more"},
                    WrongQuery{"report", "sql none.ampprof 'SELECT 1'", 4, "cannot open the report none.ampprof"},
                    WrongQuery{"format", "sql r.ampprof 'SELECT 1' --format xml", 2, "unknown format 'xml'"},
                    WrongQuery{"no_report", "sql", 2, "REPORT"}),
    [](const auto& info) { return info.param.name; });

}  // namespace sql_verb_test
}  // namespace ampprof::cli

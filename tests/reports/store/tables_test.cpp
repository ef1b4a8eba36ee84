// SPDX-License-Identifier: Apache-2.0
#include "reports/store/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "reports/store/described_tables.h"
#include "reports/store/report_error.h"
#include "reports/store/schema.h"
#include "tests/temporary_folder.h"

namespace ampprof::store {

void PrintTo(const ColumnType& column, std::ostream* out) {
  *out << column.name << ' ' << column.type << (column.is_nullable ? "" : " NOT NULL");
}

namespace {

using Columns = std::vector<ColumnType>;

std::map<std::string, Columns> all_tables() {
  std::map<std::string, Columns> declared;
  for (const DescribedTable& table : described_tables()) {
    declared[std::string(table.name)] = Columns(table.columns.begin(), table.columns.end());
  }
  return declared;
}

Columns columns_in(store::Database& database, const std::string& table) {
  store::Statement rows(database, "SELECT name, type, \"notnull\" FROM pragma_table_info(?) ORDER BY cid");
  rows.put(table);
  Columns columns;
  while (rows.next()) {
    ColumnType& column = columns.emplace_back(ColumnType{rows.text(), rows.text()});
    column.is_nullable = !rows.flag();
  }
  return columns;
}

class Tables : public testing::Test {
 protected:
  Tables() { store::create_tables(database_); }

  test_support::TemporaryFolder folder_;
  store::Database database_{folder_ / "r", store::OpenMode::Create};
};

TEST_F(Tables, AreCreatedAsTheyAreDeclared) {
  for (const auto& [name, columns] : all_tables()) {
    EXPECT_THAT(columns_in(database_, name), testing::UnorderedElementsAreArray(columns)) << name;
  }
}

TEST_F(Tables, AreAllDeclared) {
  const std::map<std::string, Columns> declared = all_tables();
  store::Statement rows(database_, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  while (rows.next()) {
    const std::string name = rows.text();
    EXPECT_TRUE(declared.contains(name)) << name;
  }
}

TEST(DescribedTables, SayWhatEachColumnHolds) {
  for (const DescribedTable& table : described_tables()) {
    EXPECT_FALSE(table.row.empty()) << table.name;
    for (const DeclaredColumn& column : table.columns) {
      EXPECT_TRUE(column.about.ends_with('.')) << table.name << '.' << column.name << ": " << column.about;
    }
  }
}

template <class Enum>
void expect_numbers_up_to(Enum last) {
  const auto end = static_cast<std::int64_t>(last);
  for (std::int64_t number = 0; number <= end; ++number) {
    EXPECT_EQ(static_cast<std::int64_t>(enum_from_number<Enum>(number)), number);
  }
  for (const std::int64_t unknown : {end + 1, std::int64_t{-1}}) {
    EXPECT_THROW((void)enum_from_number<Enum>(unknown), ReportError) << unknown;
  }
}

TEST(EnumFromNumber, RefusesNumbersOfNothing) {
  expect_numbers_up_to(Phase::Recompute);
  expect_numbers_up_to(ImpactSource::Decision);
  expect_numbers_up_to(ImpactGap::NoMaster);
  EXPECT_EQ(enum_from_number<DType>(3), DType::Half);
  EXPECT_EQ(enum_from_number<DType>(99), DType::Unknown);
  EXPECT_EQ(enum_from_number<GpuActivityKind>(2), GpuActivityKind::Memset);
}

TEST_F(Tables, AreOfAVersionThatThisProgramKnows) {
  const auto failure = [&](std::int64_t version) -> std::string {
    database_.run(("PRAGMA user_version = " + std::to_string(version)).c_str());
    try {
      migrate(database_);
    } catch (const ReportError& error) {
      return error.what();
    }
    return "none";
  };
  const std::string file = (folder_ / "r").string();
  EXPECT_EQ(failure(kSchemaVersion), "none");
  EXPECT_EQ(failure(0), "the report " + file + " is damaged: it has no schema version");
  EXPECT_NE(failure(kSchemaVersion + 1).find("newer ampprof"), std::string::npos);
}

TEST_F(Tables, GiveBackWhatWasPut) {
  OpTotal total;
  total.calls = 3;
  total.scale = 0.5;
  total.local = ErrorStats{.count = 2, .max_ulp = 0.25, .sum_product = 7};
  total.inherited = ErrorStats{.excluded = 1, .sum_ulp = 9};
  total.exponents = ExponentHistogram{};
  total.exponents->counts[7] = 4;
  Insert<kOpTotal> insert(database_);
  database_.run(
      "INSERT INTO run (level, program, started_at, reference, target_gpu, repeat, what_if) VALUES "
      "('', '', '', '', '', 0, '')");
  insert(total, 1, 2, 0);
  store::Statement rows(database_, select_from(kOpTotal, "call_site") + "WHERE run = 1");
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.integer(), 2);
  const OpTotal read = take(rows, kOpTotal);
  EXPECT_EQ(read.calls, total.calls);
  EXPECT_EQ(read.scale, total.scale);
  EXPECT_EQ(read.local, total.local);
  EXPECT_EQ(read.ranges, std::nullopt);
  EXPECT_EQ(read.exponents, total.exponents);
  EXPECT_EQ(read.inherited, total.inherited);
  EXPECT_EQ(read.inherited_exponents, std::nullopt);
  EXPECT_FALSE(rows.next());
}

}  // namespace
}  // namespace ampprof::store

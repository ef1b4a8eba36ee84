// SPDX-License-Identifier: Apache-2.0
#include "reports/merge/anonymize.h"

#include <gtest/gtest.h>

#include "reports/merge/tables.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/records/batch.h"
#include "reports/records/loss_impact.h"
#include "reports/records/run.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace anonymize_test {

using namespace testing_reports;

TEST(Anonymous, KnowsEveryTextOfTheSchema) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  store::Database database(folder / "r", store::OpenMode::Read);
  for (const merge::TableShape& table : merge::tables_of(database)) {
    for (const merge::ColumnShape& column : table.columns) {
      EXPECT_TRUE(!column.is_text || merge::is_known_to_anonymous(table.name, column.name))
          << "say in anonymize.cpp what becomes of " << table.name << "." << column.name;
    }
  }
  EXPECT_EQ(merge::anonymous(false)("run", "unheard_of", "secret"), "");
}

TEST(Anonymous, LeavesPlacesOutOfSentences) {
  EXPECT_EQ(merge::without_paths("cannot open '/home/ann/data.bin', see ../log.txt"),
            "cannot open 'data.bin', see log.txt");
  EXPECT_EQ(merge::without_paths("{\"cache\":\"/srv/ann/cache\",\"threads\":2}"),
            "{\"cache\":\"cache\",\"threads\":2}");
  EXPECT_EQ(merge::without_paths("error:/srv/ann/x"), "error:x");
  EXPECT_EQ(merge::without_paths("the store tcp://ann.lan:29500 is gone"), "the store ... is gone");
  EXPECT_EQ(merge::without_paths("C:\\Users\\ann\\x.pt and ~/y"), "x.pt and y");
  EXPECT_EQ(merge::without_paths("C:/Users/ann/x.pt"), "x.pt");
  EXPECT_EQ(merge::without_paths("\\\\server\\ann\\x.pt"), "x.pt");
  EXPECT_EQ(merge::without_paths("/home/ann/"), "ann/") << "a folder";
  EXPECT_EQ(merge::without_paths("a"), "a");
  EXPECT_EQ(merge::without_paths("a, b;"), "a, b;");
  EXPECT_EQ(merge::without_paths("NaN/inf of conv1/conv2d / all"), "NaN/inf of conv1/conv2d / all");
}

TEST(Anonymous, LeavesArgumentsOutOfCommands) {
  EXPECT_EQ(merge::without_arguments("./train --key s3cret"), "train ...");
  EXPECT_EQ(merge::without_arguments("'/home/ann lee/train' -v"), "train ...");
  EXPECT_EQ(merge::without_arguments("'/home/ann lee/train'"), "train");
  EXPECT_EQ(merge::without_arguments("\"/home/ann lee/train\" -v"), "train ...");
  EXPECT_EQ(merge::without_arguments("train"), "train");
  EXPECT_EQ(merge::without_arguments("sample:mlp"), "sample:mlp");
  EXPECT_EQ(merge::without_arguments("'unclosed /x/y"), "y");
  EXPECT_EQ(merge::without_arguments(""), "");
}

TEST(Anonymous, ReplacesNamesTheSameEverywhere) {
  const merge::TextFilter filter = merge::anonymous(true);
  EXPECT_EQ(filter("call_site", "module", "encoder.layers.0.fc"), "n1.n2.0.n3");
  EXPECT_EQ(filter("weight_update", "parameter", "encoder.layers.0.fc.weight"), "n1.n2.0.n3.weight");
  EXPECT_EQ(filter("weight_update", "parameter", "encoder.bias"), "n1.bias");
  EXPECT_EQ(filter("call_site", "module", ""), "");
  EXPECT_EQ(filter("call_site", "module", "x"), "n4");
  EXPECT_EQ(filter("missing", "what", "error of encoder.layers.0.fc/linear."), "error of n1.n2.0.n3/linear.");
  EXPECT_EQ(merge::anonymous(false)("call_site", "module", "encoder.fc"), "encoder.fc");
}

TEST(Anonymous, ReportTellsNoSecret) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  {
    store::ReportWriter writer(folder / "r");
    RunStart start = start_of("O1");
    start.program = "/SECRET/train --key SECRET";
    const std::int64_t run = writer.begin_run(start);
    RunAttach attach{"cpu", "2.11.0", R"({"cache": "/SECRET/cache"})", "O1"};
    attach.rank = 3;
    attach.host = "SECRET.example.org";
    writer.attach(run, attach);
    Batch batch = two_steps();
    batch.collectives = {{.segment = 1, .call_site = 1, .group = "SECRET_group", .reduction = "sum"}};
    batch.call_sites[0].source = "/SECRET/model.py:7";
    batch.call_sites[0].module = "SECRET.fc";
    batch.events[0].parameters[0].name = "SECRET.fc.weight";
    batch.impacts = {{.segment = 1, .source = ImpactSource::Parameter, .name = "SECRET.w", .impact = 1.0}};
    batch.stale_casts = {{.segment = 1, .call_site = 1, .parameter = "SECRET.w"}};
    batch.updates = {{.segment = 1, .call_site = 1, .parameter = "SECRET.w", .lost = std::nullopt}};
    batch.missing = {{"op calls of SECRET.fc", 1, "no /SECRET/a.so", "see file:///SECRET"},
                     {"op calls of SECRET.fc", 2, "no /SECRET/b/a.so", "see file:///SECRET"}};
    writer.append(run, batch);
    writer.fold();
  }
  merge::merge_reports({folder / "r"}, folder / "anonymous", false, merge::anonymous(true));
  EXPECT_NE(bytes_of(folder / "r").find("SECRET"), std::string::npos);
  EXPECT_EQ(bytes_of(folder / "anonymous").find("SECRET"), std::string::npos);
  const queries::Report report(folder / "anonymous");
  EXPECT_EQ(queries::runs(report).at(0).program, "train ...");
  EXPECT_EQ(queries::runs(report).at(0).host, "");
  EXPECT_EQ(queries::runs(report).at(0).rank, 3);
  EXPECT_EQ(queries::ops(report).at(0).source, "model.py:7");
  ASSERT_EQ(queries::missing(report).size(), 1u) << "two paths, one file name";
  EXPECT_EQ(queries::missing(report).at(0).missing.count, 3);
}

TEST(Anonymous, WhatIsNotKnownStaysSo) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  store::ReportWriter(folder / "r").begin_run(start_of("O1"));
  merge::merge_reports({folder / "r"}, folder / "anonymous", false, merge::anonymous(true));
  EXPECT_FALSE(store::ReportWriter(folder / "anonymous").attached(1)) << "no recorder, hence no device";
}

}  // namespace anonymize_test
}  // namespace ampprof

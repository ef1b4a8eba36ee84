// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reports/queries/drifts.h"
#include "tests/reports/queries/one_run.h"
#include "views/losses/views.h"

namespace ampprof::views {
namespace drift_test {

using namespace testing_reports;

class DriftView : public OneRun {
 protected:
  View view_of(std::vector<Drift> drifts) {
    Batch batch;
    batch.call_sites = {site(1, Phase::Optimizer, "fc", "add_.Tensor")};
    batch.drifts = std::move(drifts);
    return drift_view(queries::drifts(written(batch)));
  }
};

/// Returns the text of the cell in the column `title`.
std::string cell(const View& view, std::size_t row, std::string_view title) {
  for (std::size_t column = 0; column < view.columns.size(); ++column) {
    if (view.columns[column].title == title) return view.records.at(row).cells.at(column).text;
  }
  return "no column " + std::string(title);
}

TEST_F(DriftView, WhatMattersMostComesFirst) {
  const View view = view_of({{.parameter = "fine", .verdict = DriftClass::Fine},
                             {.parameter = "lost", .verdict = DriftClass::Lost, .drift = 0.1},
                             {.parameter = "more", .verdict = DriftClass::Lost, .drift = 0.9},
                             {.parameter = "broken", .verdict = DriftClass::Broken},
                             {.parameter = "biased", .verdict = DriftClass::Biased}});
  std::vector<std::string> order;
  for (const auto& record : view.records) order.push_back(record.json.at("parameter"));
  EXPECT_EQ(order, (std::vector<std::string>{"broken", "more", "lost", "biased", "fine"}));
}

TEST_F(DriftView, NamesTensorsByTheirParameter) {
  const View view = view_of({{.call_site = 1, .role = DriftRole::Parameter, .parameter = "w", .drift = 0.5},
                             {.role = DriftRole::Gradient, .parameter = "w", .drift = 0.4},
                             {.role = DriftRole::State, .parameter = "w", .drift = 0.3},
                             {.drift = 0.2}});
  EXPECT_EQ(cell(view, 0, "tensor"), "w");
  EXPECT_EQ(cell(view, 0, "by"), "opt fc/add_.Tensor");
  EXPECT_EQ(cell(view, 1, "tensor"), "w.grad");
  EXPECT_EQ(cell(view, 2, "tensor"), "state of w");
  EXPECT_EQ(cell(view, 3, "tensor"), "-");
  EXPECT_TRUE(view.records.at(3).json.at("parameter").is_null());
}

TEST_F(DriftView, AWayNearZeroHasNoShares) {
  const View view = view_of({{.verdict = DriftClass::Lost, .drift = 0.25, .bias = -0.25, .growth = 1.0},
                             {.verdict = DriftClass::Residue, .drift = 1e13, .bias = -1e13}});
  EXPECT_EQ(cell(view, 0, "drift"), "25%");
  EXPECT_EQ(cell(view, 0, "bias"), "-25%");
  EXPECT_EQ(cell(view, 1, "drift"), "-");
  EXPECT_EQ(cell(view, 1, "bias"), "-");
  EXPECT_EQ(view.records.at(0).json.at("class"), "lost");
  EXPECT_EQ(view.records.at(0).json.at("growth"), 1.0);
  EXPECT_TRUE(view.records.at(1).json.at("growth").is_null());
  EXPECT_EQ(view.records.at(1).json.at("drift"), 1e13);
}

}  // namespace drift_test
}  // namespace ampprof::views

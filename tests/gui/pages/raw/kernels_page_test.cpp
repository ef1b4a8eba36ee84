// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "analysis/ops/group.h"
#include "gui/pages/raw/record_details.h"
#include "gui/pages/raw/table_page.h"
#include "tests/cli/gpu_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"
#include "tests/views/all_runs.h"
#include "views/all_views.h"
#include "views/table/format.h"
#include "views/table/site_filter.h"

namespace ampprof::gui {
namespace kernels_page_test {

constexpr int kTimeout = 20'000;  // in ms

class KernelsPage : public testing::Test {
 protected:
  KernelsPage() {
    cli::write_gpu_report(path_);
    page_ = std::make_unique<TablePage>(std::make_shared<const ReportFile>(path_), "kernels");
    page_->setVisible(true);
    after([&] { page_->open(); });
  }

  /// Acts, and waits for the resulting rows.
  template <class Act>
  void after(Act act) {
    QSignalSpy shown(page_.get(), &TablePage::shown);
    act();
    EXPECT_TRUE(shown.wait(kTimeout));
  }
  std::string csvOfCommandLine(const analysis::SiteFilter& filter,
                               const std::optional<analysis::Grouping>& grouping = {}) const {
    views::AllRuns opened(path_);
    opened.source().filter = filter;
    opened.source().grouping = grouping;
    const auto kernels = std::ranges::find(views::all_views(), std::string_view("kernels"), &views::NamedView::name);
    return views::formatted(kernels->make(opened.source()), views::Format::Csv, {});
  }

  test_support::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "gpu.ampprof";
  std::unique_ptr<TablePage> page_;
};

TEST_F(KernelsPage, ShowsWhatTheCommandLinePrints) {
  EXPECT_EQ(page_->csv(), csvOfCommandLine(analysis::SiteFilter{}));
  EXPECT_EQ(page_->command().toStdString(), "ampprof show " + path_.string() + " kernels");
}

TEST_F(KernelsPage, FiltersCallSitesBeforeTheyArePutTogether) {
  after([&] { named<QLineEdit>(*page_, "Filter by op")->setText("mm"); });
  EXPECT_EQ(page_->csv(), csvOfCommandLine(views::filter_of({.op = "mm"})));
  EXPECT_EQ(page_->command().toStdString(), "ampprof show " + path_.string() + " kernels --op mm");
  after([&] { named<QComboBox>(*page_, "Group by")->setCurrentIndex(1); });
  const analysis::SiteFilter filter = views::filter_of({.op = "mm"});
  EXPECT_EQ(page_->csv(), csvOfCommandLine(filter, analysis::Grouping{analysis::GroupBy::Module, filter}));
  EXPECT_TRUE(page_->command().endsWith(" kernels --group-by module --op mm")) << page_->command().toStdString();
  after([&] { named<QLineEdit>(*page_, "Filter by op")->setText("no such op"); });
  EXPECT_TRUE(std::ranges::any_of(page_->findChildren<QLabel*>(), [](const QLabel* label) {
    return label->isVisible() && label->text() == "No row matches the filters for op and module.";
  }));
}

TEST_F(KernelsPage, LeadsToTheCallSiteAndItsDetails) {
  QSignalSpy selected(page_.get(), &Page::selected);
  auto* table = page_->findChild<QTableView*>();
  table->setCurrentIndex(table->model()->index(0, 0));
  ASSERT_EQ(selected.size(), 1);
  EXPECT_FALSE(selected[0][0].toString().isEmpty());
  const auto* details = page_->findChild<RecordDetails*>();
  EXPECT_TRUE(details->isVisible());
  EXPECT_FALSE(details->findItems("evidence", Qt::MatchExactly).isEmpty());
}

}  // namespace kernels_page_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/diagnosis_page.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <limits>

#include "gui/data/diagnosis.h"
#include "gui/data/report_file.h"
#include "gui/pages/diagnosis/finding_card.h"
#include "gui/pages/diagnosis/loss_strip.h"
#include "gui/pages/diagnosis/values_strip.h"
#include "gui/pages/shared/command_dialog.h"
#include "tests/gui/stale_cast_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace diagnosis_page_test {

constexpr int kTimeout = 20'000;  // in ms

struct DiagnosisPages : testing::Test {
  DiagnosisPages() : file_(written()), page_(file_) {
    page_.resize(1000, 700);
    page_.show();
    QSignalSpy shown(&page_, &DiagnosisPage::shown);
    page_.open();
    EXPECT_TRUE(shown.wait(kTimeout));
  }

  std::shared_ptr<const ReportFile> written() {
    writeStaleCast(folder_ / "digits.ampprof");
    return std::make_shared<const ReportFile>(folder_ / "digits.ampprof");
  }

  test_support::TemporaryFolder folder_;
  std::shared_ptr<const ReportFile> file_;
  DiagnosisPage page_;
};

DiagnosedFinding diagnosed() {
  return {
      .finding = {.kind = "overflow_held_by_fp32",
                  .runs = {1},
                  .culprit = {"gram/bmm", "train.py:34", "bmm", "gram"},
                  .chain = {"gram/bmm", "skipped"},
                  .mechanism = "It overflows.",
                  .consequence = "6 steps are skipped.",
                  .cost = 0.5,
                  .remedies = {{.text = "Run bmm in FP32.", .code = "bmm fp32 in gram", .policy = "bmm fp32 in gram"},
                               {.text = "Use BF16."}}},
      .title = "A result is too large for its type.",
      .values = ExponentHistogram()};
}

QStringList texts(const QWidget& parent) {
  QStringList texts;
  for (const QLabel* label : parent.findChildren<QLabel*>()) texts << label->text();
  return texts;
}

TEST(FindingCards, SayWhatIsWrongWhereAndWhatToDo) {
  const FindingCard card(diagnosed());
  const QStringList said = texts(card);
  for (const char* part : {"A result is too large for its type.", "spoils 50% of the run, likely", "gram/bmm",
                           "skipped", "It overflows.", "6 steps are skipped.", "Run bmm in FP32.", "Use BF16."}) {
    EXPECT_TRUE(said.contains(part)) << part;
  }
  EXPECT_NE(card.findChild<ValuesStrip*>(), nullptr);
}

TEST(FindingCards, NameTheirRunsAndSayWhatTheCostIsAShareOf) {
  DiagnosedFinding finding = diagnosed();
  finding.runs = "O1";
  EXPECT_TRUE(texts(FindingCard(finding)).contains("O1: spoils 50% of the run, likely"));
  finding.finding.runs = {2, 3};
  finding.runs = "O1 and O2";
  const FindingCard card(finding);
  EXPECT_TRUE(texts(card).contains("O1 and O2: spoils up to 50% of a run, likely"));
  const auto explains = [](const QLabel* label) { return label->toolTip().startsWith("Share of the run"); };
  EXPECT_TRUE(std::ranges::any_of(card.findChildren<QLabel*>(), explains));
}

TEST(FindingCards, ShowTheLossWhereThereIsOne) {
  EXPECT_EQ(FindingCard(diagnosed()).findChild<LossStrip*>(), nullptr);
  DiagnosedFinding finding = diagnosed();
  finding.losses = {{1, 2.0}, {2, 1.0}};
  const FindingCard card(finding);
  EXPECT_NE(card.findChild<LossStrip*>(), nullptr);
}

TEST(LossStrips, MarkStepsWhoseLossIsNotFinite) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto drawn = [](std::vector<queries::StepValue> losses) {
    LossStrip strip(std::move(losses));
    strip.resize(strip.sizeHint());
    return strip.grab().toImage();
  };
  const QImage finite = drawn({{1, 2.0}, {2, 1.0}, {3, 0.5}});
  const QImage broken = drawn({{1, 2.0}, {2, kNan}, {3, 0.5}});
  const QImage without = drawn({{1, 2.0}, {3, 0.5}});
  EXPECT_NE(finite, broken);
  EXPECT_NE(broken, without) << "a step without a loss is not a step with NaN";
  EXPECT_NE(drawn({{1, kNan}, {2, kNan}}), broken);
}

TEST(FindingCards, OfferARunIfItCanApplyTheRemedy) {
  FindingCard card(diagnosed());
  QSignalSpy wanted(&card, &FindingCard::confirmWanted);
  auto* confirm = named<QPushButton>(card, "Confirm bmm fp32 in gram");
  ASSERT_NE(confirm, nullptr);
  QTest::mouseClick(confirm, Qt::LeftButton);
  ASSERT_EQ(wanted.count(), 1);
  EXPECT_EQ(wanted[0][0].toString(), "bmm fp32 in gram");
  QTest::mouseClick(named<QPushButton>(card, "Copy bmm fp32 in gram"), Qt::LeftButton);
  EXPECT_EQ(QApplication::clipboard()->text(), "bmm fp32 in gram");
}

TEST(FindingCards, SayWhatARunShowed) {
  DiagnosedFinding finding = diagnosed();
  finding.finding.remedies[0].helped = true;
  finding.finding.remedies[0].outcome = "The finding is gone.";
  const FindingCard card(finding);
  EXPECT_TRUE(texts(card).contains("✔ Confirmed. The finding is gone."));
  EXPECT_EQ(named<QPushButton>(card, "Confirm bmm fp32 in gram"), nullptr);
}

TEST_F(DiagnosisPages, HaveACardForEachFinding) {
  const auto findings = file_->diagnosis();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(page_.findChildren<FindingCard*>().size(), static_cast<int>(findings.size()));
  EXPECT_EQ(findings.front().runs, "O1") << "one of three levels";
  EXPECT_TRUE(page_.csv()->starts_with("kind,"));
  EXPECT_TRUE(page_.command().endsWith(" findings"));
}

TEST(DiagnosisPagesWithoutAFinding, SayWhatTheReportSays) {
  const test_support::TemporaryFolder folder;
  cli::write_synthetic_report(folder / "r.ampprof");
  DiagnosisPage page(std::make_shared<const ReportFile>(folder / "r.ampprof"));
  QSignalSpy shown(&page, &DiagnosisPage::shown);
  page.open();
  ASSERT_TRUE(shown.wait(kTimeout));
  EXPECT_TRUE(page.findChildren<FindingCard*>().isEmpty());
  EXPECT_FALSE(texts(page).isEmpty());
  EXPECT_FALSE(texts(page).contains("Reading …"));
}

TEST_F(DiagnosisPages, LeadToTheEvidence) {
  QSignalSpy view(&page_, &Page::viewWanted);
  QSignalSpy site(&page_, &Page::selected);
  QTest::mouseClick(button<QPushButton>(*page_.findChild<FindingCard*>(), "→ Ops"), Qt::LeftButton);
  ASSERT_EQ(view.count(), 1);
  EXPECT_EQ(view[0][0].toString(), "ops");
  ASSERT_EQ(site.count(), 1);
  EXPECT_EQ(site[0][0].toString().toStdString(), file_->diagnosis().front().finding.culprit.call_site);
}

TEST_F(DiagnosisPages, ShowTheCommandBeforeItRuns) {
  emit page_.findChild<FindingCard*>()->confirmWanted("no_cast_cache");
  auto* dialog = page_.findChild<CommandDialog*>();
  ASSERT_NE(dialog, nullptr);
  const QString command = named<QPlainTextEdit>(*dialog, "Command")->toPlainText();
  EXPECT_TRUE(command.endsWith("digits.ampprof --confirm --only no_cast_cache")) << command.toStdString();
}

}  // namespace diagnosis_page_test
}  // namespace ampprof::gui

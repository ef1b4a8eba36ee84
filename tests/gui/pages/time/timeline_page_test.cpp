// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/time/timeline_page.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "gui/models/timeline_text.h"
#include "reports/store/writer.h"
#include "tests/cli/layered_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace timeline_page_test {

constexpr int kTimeout = 20'000;  // in ms; a wait usually takes about 1 % of this

void writeWithoutCalls(const std::filesystem::path& path) {
  store::create_report(path, true);
  store::ReportWriter(path).begin_run({.level = "O1",
                                       .program = "./train",
                                       .started_at = "2026-01-01T00:00:00Z",
                                       .reference = "off",
                                       .target_gpu = "sm_90",
                                       .seed = std::nullopt});
}

class TimelinePages : public testing::Test {
 protected:
  explicit TimelinePages(void (*write)(const std::filesystem::path&) = cli::write_synthetic_report) {
    write(path());
    page_ = std::make_unique<TimelinePage>(std::make_shared<const ReportFile>(path()));
    page_->resize(1366, 768);
    page_->show();
    page_->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(page_.get()));
    page_->open();
    EXPECT_TRUE(QTest::qWaitFor([&] { return page_->isFilled(); }, kTimeout));
  }

  std::filesystem::path path() const { return folder_.path() / "r.ampprof"; }
  TimelineCanvas& canvas() { return page_->canvas(); }
  const TimelineScene& scene() { return canvas().scene(); }
  QLabel* label(const QString& name) const {
    for (QLabel* each : page_->findChildren<QLabel*>()) {
      if (each->accessibleName() == name) return each;
    }
    return nullptr;
  }
  QString line() const { return label("Measured")->text(); }
  void press(int key) {
    QTest::keyClick(&canvas(), static_cast<Qt::Key>(key));
    EXPECT_TRUE(QTest::qWaitFor([&] { return page_->isFilled(); }, kTimeout));
  }
  double length() { return static_cast<double>(scene().view.visible().to_ns - scene().view.visible().from_ns); }
  /// Returns the point at the time `ns` on the first track of ops.
  QPoint placeOf(std::int64_t ns) {
    return QPointF(canvas().gutter() + scene().view.xOf(ns), canvas().middleOf(0)).toPoint();
  }
  QString nameOf(const TimelineItem& call) { return callSiteOf(call.place, *canvas().run()); }
  const TimelineItem& callNamed(const QString& name) {
    return *std::ranges::find_if(*scene().items(0), [&](const TimelineItem& call) { return nameOf(call) == name; });
  }

  test_support::TemporaryFolder folder_;
  std::unique_ptr<TimelinePage> page_;
};

TEST_F(TimelinePages, TakeTheKeysAtOnce) {
  ASSERT_EQ(QApplication::focusWidget(), &canvas());
  const double whole = length();
  press(Qt::Key_W);
  press(Qt::Key_W);
  EXPECT_LT(length(), whole / 2);
  const TimeSpan before = scene().view.visible();
  press(Qt::Key_D);
  EXPECT_GT(scene().view.visible().from_ns, before.from_ns);
  press(Qt::Key_A);
  EXPECT_NEAR(static_cast<double>(scene().view.visible().from_ns), static_cast<double>(before.from_ns), 2);
  press(Qt::Key_S);
  EXPECT_GT(length(), whole / 2);
  press(Qt::Key_Home);
  EXPECT_EQ(length(), whole);
}

TEST_F(TimelinePages, ZoomAndPanWithTheWheel) {
  const QPoint place = placeOf(canvas().run()->whole.to_ns / 3);
  const std::int64_t there = scene().view.timeAt(place.x() - canvas().gutter());
  const auto wheel = [&](QPoint angle, Qt::KeyboardModifiers modifiers) {
    QWheelEvent event(place, canvas().mapToGlobal(place), {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas(), &event);
  };
  wheel({0, 480}, Qt::NoModifier);
  EXPECT_NEAR(scene().view.xOf(there), place.x() - canvas().gutter(), 0.01);
  const TimeSpan before = scene().view.visible();
  wheel({0, -120}, Qt::ShiftModifier);
  EXPECT_GT(scene().view.visible().from_ns, before.from_ns);
  wheel({120, 0}, Qt::NoModifier);
  EXPECT_NEAR(static_cast<double>(scene().view.visible().from_ns), static_cast<double>(before.from_ns), 2);
}

TEST_F(TimelinePages, ChooseTheCallThatIsClicked) {
  QSignalSpy chosen(page_.get(), &Page::selected);
  const TimelineItem call = callNamed("classifier.fc2/linear");
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, placeOf((call.start_ns + call.end_ns) / 2));
  ASSERT_EQ(chosen.size(), 1);
  EXPECT_EQ(chosen[0][0].toString(), "classifier.fc2/linear");
  EXPECT_TRUE(line().startsWith("classifier.fc2/linear · 500 µs, reduced · f32 → f16 · f32[64,128] f32[10,128]"))
      << line().toStdString();
  EXPECT_TRUE(line().endsWith("step 1"));
}

TEST_F(TimelinePages, OutlineAndFocusOnWhatIsSelectedElsewhere) {
  page_->select("backward features.conv1/convolution_backward");
  ASSERT_EQ(scene().selected.size(), 1u);
  press(Qt::Key_F);
  ASSERT_TRUE(QTest::qWaitFor([&] { return scene().current.has_value() && page_->isFilled(); }, kTimeout));
  const TimelineItem first = *scene().current;
  EXPECT_EQ(nameOf(first), "backward features.conv1/convolution_backward");
  EXPECT_GT(static_cast<double>(first.end_ns - first.start_ns), length() / 2);
  press(Qt::Key_F);
  ASSERT_TRUE(QTest::qWaitFor([&] { return scene().current->start_ns > first.start_ns; }, kTimeout)) << "the next";
  page_->select("");
  EXPECT_TRUE(scene().selected.empty());
  EXPECT_FALSE(scene().current);
  press(Qt::Key_F);
  EXPECT_EQ(scene().view.visible(), canvas().run()->whole);
}

TEST_F(TimelinePages, GoFromCallToCallByKeys) {
  QSignalSpy chosen(page_.get(), &Page::selected);
  for (int i = 0; i < 3; ++i) press(Qt::Key_Right);
  press(Qt::Key_Left);
  QStringList names;
  for (const auto& arguments : chosen) names << arguments[0].toString();
  EXPECT_EQ(names, (QStringList{"features.conv1/conv2d", "classifier.fc2/linear", "backward classifier.fc2/mm",
                                "classifier.fc2/linear"}));
}

TEST_F(TimelinePages, MeasureWhatIsDragged) {
  const std::vector<TimelineItem>& calls = *scene().items(0);
  const TimeSpan span{calls[5].start_ns, calls[13].end_ns};  // steps 2 and 3
  QTest::mousePress(&canvas(), Qt::LeftButton, {}, placeOf(span.from_ns) - QPoint(3, 0));
  QTest::mouseMove(&canvas(), placeOf(span.to_ns));
  QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, placeOf(span.to_ns) + QPoint(3, 0));
  ASSERT_TRUE(QTest::qWaitFor([&] { return line().contains("op calls"); }, kTimeout));
  EXPECT_TRUE(line().contains("· 9 op calls · FP32 500 µs · reduced 3.50 ms · NaN or inf 500 µs · most in "))
      << line().toStdString() << ": the third step is skipped, so its update is not there";
  press(Qt::Key_F);
  EXPECT_LT(length(), 3 * static_cast<double>(span.to_ns - span.from_ns));
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, QPoint(canvas().width() - 2, canvas().height() - 2));
  EXPECT_FALSE(scene().measured);
}

TEST_F(TimelinePages, OfferTheStepsThatAreMeasured) {
  auto* offer = page_->findChild<QPushButton*>();
  EXPECT_FALSE(offer->isVisible());
  const std::vector<TimelineItem>& calls = *scene().items(0);
  QTest::mousePress(&canvas(), Qt::LeftButton, {}, placeOf(calls[5].start_ns));
  QTest::mouseMove(&canvas(), placeOf(calls[13].end_ns));
  QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, placeOf(calls[13].end_ns));
  ASSERT_TRUE(offer->isVisible());
  EXPECT_EQ(offer->text(), "Filter other pages: steps 2–3");
  queries::StepSpan wanted;
  QObject::connect(page_.get(), &Page::stepsWanted, [&](const queries::StepSpan& steps) { wanted = steps; });
  QTest::mouseClick(offer, Qt::LeftButton);
  EXPECT_EQ(wanted, (queries::StepSpan{2, 3}));
  wanted = {};
  press(Qt::Key_Return);
  EXPECT_EQ(wanted, (queries::StepSpan{2, 3}));
  page_->showSteps({});
  EXPECT_FALSE(offer->isVisible());
  EXPECT_FALSE(scene().measured);
  EXPECT_TRUE(line().startsWith("W S zoom")) << line().toStdString();
  QTest::qWait(200);
  EXPECT_TRUE(line().startsWith("W S zoom")) << "what was being measured comes no more: " << line().toStdString();
  wanted = {};
  press(Qt::Key_Return);
  EXPECT_EQ(wanted, queries::StepSpan()) << "nothing is measured";
}

TEST_F(TimelinePages, MeasureWhatIsVisible) {
  press(Qt::Key_M);
  ASSERT_TRUE(QTest::qWaitFor([&] { return line().contains("59 op calls"); }, kTimeout)) << line().toStdString();
}

TEST_F(TimelinePages, ShowAnotherRun) {
  auto* run = page_->findChild<QComboBox*>();
  ASSERT_EQ(run->count(), 3);
  const std::int64_t before = canvas().run()->run;
  QSignalSpy command(page_.get(), &Page::commandChanged);
  run->setCurrentIndex(run->currentIndex() == 0 ? 1 : 0);
  EXPECT_TRUE(QTest::qWaitFor([&] { return canvas().run()->run != before && page_->isFilled(); }, kTimeout));
  EXPECT_FALSE(command.isEmpty());
  EXPECT_TRUE(page_->command().startsWith("ampprof export ")) << page_->command().toStdString();
  EXPECT_TRUE(page_->command().contains("--to perfetto --run " + QString::number(canvas().run()->run) + " -o r.json"));
}

TEST_F(TimelinePages, ShowTheWholeRunByButton) {
  press(Qt::Key_W);
  auto* whole = page_->findChild<QToolButton*>();
  EXPECT_EQ(whole->text(), "Whole run (Home)");
  whole->click();
  EXPECT_EQ(scene().view.visible(), canvas().run()->whole);
}

TEST(TimelineCanvas, OpensAtTheRecordedSteps) {
  constexpr std::int64_t kStep = 1'000'000;
  auto run = std::make_shared<TimelineRun>();
  run->whole = {0, 100 * kStep};
  run->segments = {{.id = 1, .step = 1, .start_ns = 20 * kStep, .end_ns = 30 * kStep},
                   {.id = 2, .step = 2, .start_ns = 30 * kStep, .end_ns = 40 * kStep}};
  TimelineCanvas canvas;
  canvas.resize(800, 300);
  canvas.showRun(run);
  const TimeSpan opened = canvas.scene().view.visible();
  EXPECT_LT(opened.from_ns, 20 * kStep);
  EXPECT_GT(opened.from_ns, 19 * kStep);
  EXPECT_GT(opened.to_ns, 40 * kStep);
  EXPECT_LT(opened.to_ns, 41 * kStep);
  QTest::keyClick(&canvas, Qt::Key_Home);
  EXPECT_EQ(canvas.scene().view.visible(), run->whole);
}

class TimelinePagesOfLayers : public TimelinePages {
 protected:
  TimelinePagesOfLayers() : TimelinePages(cli::write_layered_report) {}
};

TEST_F(TimelinePagesOfLayers, ShowCallsThatLieOnEachOther) {
  EXPECT_TRUE(scene().picture->isExact());
  EXPECT_FALSE(page_->grab().isNull());
}

class TimelinePagesWithoutCalls : public TimelinePages {
 protected:
  TimelinePagesWithoutCalls() : TimelinePages(writeWithoutCalls) {}
};

TEST_F(TimelinePagesWithoutCalls, SayWhatToDo) {
  const auto labels = page_->findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](QLabel* label) {
    return label->isVisible() && label->text().startsWith("No op call was recorded in this run.");
  }));
  for (const Qt::Key key : {Qt::Key_W, Qt::Key_F, Qt::Key_Right, Qt::Key_Down, Qt::Key_M}) press(key);
}

}  // namespace timeline_page_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/page_progress.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTest>
#include <atomic>
#include <latch>
#include <thread>

#include "gui/pages/shared/page.h"
#include "tests/gui/widgets.h"

namespace ampprof::gui {
namespace page_progress_test {

constexpr int kTimeout = 20'000;  // ms

/// A page that reads for as long as the test wants.
class SlowPage : public Page {
 public:
  SlowPage() : Page(nullptr), label_(new QLabel(kReading, this)) {}
  ~SlowPage() override { finish(); }

  void open() override { reread(); }
  QString command() const override { return {}; }
  void reread() override {
    wait_ = std::make_shared<std::latch>(1);
    readInBackground(
        [wait = wait_] {
          wait->wait();
          return store::CancelScope::is_cancelled();
        },
        [this](bool was_cancelled) {
          label_->setText("read");
          EXPECT_FALSE(was_cancelled);
        },
        [](const QString&) {});
  }
  void finish() {
    if (wait_) std::exchange(wait_, nullptr)->count_down();
  }
  QString said() const { return label_->text(); }

 private:
  std::shared_ptr<std::latch> wait_;
  QLabel* label_;
};

struct PageProgresses : testing::Test {
  bool becomesVisible() {
    return QTest::qWaitFor([&] { return !progress_.isHidden(); }, kTimeout);
  }
  bool isRead() {
    return QTest::qWaitFor([&] { return page_.said() == "read"; }, kTimeout);
  }

  SlowPage page_;
  PageProgress progress_;
};

TEST_F(PageProgresses, AppearWhereAPageTakesLong) {
  progress_.follow(&page_);
  EXPECT_TRUE(progress_.isHidden());
  page_.open();
  EXPECT_TRUE(progress_.isHidden()) << "most pages are there at once";
  ASSERT_TRUE(becomesVisible());
  EXPECT_FALSE(named<QProgressBar>(progress_, "The page is being read")->isHidden());
  page_.finish();
  ASSERT_TRUE(isRead());
  EXPECT_TRUE(progress_.isHidden());
}

TEST_F(PageProgresses, CancelAndBeginAgain) {
  page_.open();
  progress_.follow(&page_);
  ASSERT_TRUE(becomesVisible());
  named<QPushButton>(progress_, "Cancel reading the page")->click();
  EXPECT_FALSE(page_.isReading());
  EXPECT_EQ(page_.said(), "Reading was cancelled.");
  page_.finish();
  QTest::qWait(50);
  EXPECT_EQ(page_.said(), "Reading was cancelled.") << "what was read is dropped";
  auto* again = named<QPushButton>(progress_, "Read the page again");
  ASSERT_NE(again, nullptr);
  EXPECT_FALSE(progress_.isHidden());
  again->click();
  EXPECT_EQ(page_.said(), "Reading …");
  page_.finish();
  ASSERT_TRUE(isRead());
  EXPECT_TRUE(progress_.isHidden());
}

TEST_F(PageProgresses, AreOfThePageInFront) {
  SlowPage other;
  page_.open();
  progress_.follow(&page_);
  ASSERT_TRUE(becomesVisible());
  progress_.follow(&other);
  EXPECT_TRUE(progress_.isHidden());
  page_.finish();
  ASSERT_TRUE(isRead());
  EXPECT_TRUE(progress_.isHidden());
  progress_.follow(nullptr);
  EXPECT_TRUE(progress_.isHidden());
}

TEST(PagesThatClose, EndWhatTheyRead) {
  const auto begun = std::make_shared<std::latch>(1);
  const auto was_stopped = std::make_shared<std::atomic<bool>>(false);
  struct Closing : SlowPage {
    using Page::readInBackground;
  };
  auto page = std::make_unique<Closing>();
  page->readInBackground(
      [begun, was_stopped] {
        begun->count_down();
        while (!store::CancelScope::is_cancelled()) std::this_thread::yield();
        *was_stopped = true;
        return 0;
      },
      [](int) { FAIL() << "nobody is there"; }, [](const QString&) {});
  begun->wait();
  page.reset();
  EXPECT_TRUE(QTest::qWaitFor([&] { return was_stopped->load(); }, kTimeout));
}

}  // namespace page_progress_test
}  // namespace ampprof::gui

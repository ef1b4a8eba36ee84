// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/wrapping_delegate.h"

#include <gtest/gtest.h>

#include <QHeaderView>
#include <QTest>
#include <QTreeWidget>

namespace ampprof::gui {
namespace wrapping_delegate_test {

constexpr int kTimeout = 5'000;  // in ms

TEST(WrappingDelegates, GiveARowTheHeightThatItsTextNeeds) {
  QTreeWidget tree;
  tree.setHeaderLabels({"key", "value"});
  tree.addTopLevelItem(new QTreeWidgetItem({"short", "mm"}));
  tree.addTopLevelItem(new QTreeWidgetItem({"long", "backward encoder.layers.2.attention.output/scaled_dot_product"}));
  wrapColumn(&tree, 1);
  tree.resize(260, 300);
  tree.show();
  const auto height = [&](int row) { return tree.visualItemRect(tree.topLevelItem(row)).height(); };
  EXPECT_TRUE(QTest::qWaitFor([&] { return height(1) > 2 * height(0); }, kTimeout));
  tree.resize(1200, 300);
  EXPECT_TRUE(QTest::qWaitFor([&] { return height(1) == height(0); }, kTimeout)) << "it fits into one line";
}

TEST(WrappingDelegates, BreakNamesButNotNumbers) {
  WrappingDelegate delegate;
  const auto parts = [&](const char* text) {
    return delegate.displayText(QString(text), QLocale::c()).split(QChar(0x200B));
  };
  EXPECT_EQ(parts("encoder.fc/add_.Tensor"), (QStringList{"encoder.", "fc/", "add_", ".", "Tensor"}));
  EXPECT_EQ(parts("largest finite 0.25"), (QStringList{"largest finite 0.25"}));
}

}  // namespace wrapping_delegate_test
}  // namespace ampprof::gui

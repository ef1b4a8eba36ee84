// SPDX-License-Identifier: GPL-3.0-or-later
// Walks each page's tree of Qt's accessible objects, with role, name and value, as the screen reader Orca does.
// AMPPROF_PRINT_TREE=1 prints the tree.
#include <gtest/gtest.h>

#include <QAbstractSlider>
#include <QAccessible>
#include <QMetaEnum>
#include <QTest>
#include <QThreadPool>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include "gui/window/main_window.h"
#include "gui/window/report_tab.h"
#include "tests/cli/gpu_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/ranks_report.h"
#include "tests/gui/recipes_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace screen_reader_test {

constexpr int kTimeout = 20'000;  // ms

struct Spoken {
  QAccessible::Role role;
  QString name;
  QString value;
  QStringList context;  ///< names of the parents, beginning with the window
  bool is_focusable;
  QString class_name;
};

void PrintTo(const Spoken& spoken, std::ostream* out) {
  *out << QMetaEnum::fromType<QAccessible::Role>().valueToKey(spoken.role) << " \"" << spoken.name.toStdString() << '"';
  if (!spoken.value.isEmpty()) *out << " = " << spoken.value.simplified().left(60).toStdString();
  *out << (spoken.is_focusable ? " [focus] " : " ") << spoken.class_name.toStdString() << " in "
       << spoken.context.join(" > ").toStdString();
}

/// Returns whether Qt makes and names the object, or only the mouse uses it.
bool isOfQt(const QObject* object) {
  if (object == nullptr) return false;
  const QString name = object->metaObject()->className();
  return name == "QTableCornerButton" || name == "CloseButton" || name.startsWith("QComboBoxPrivate") ||
         name == "QScrollBar" || name == "QHeaderView" || name == "QLineEditIconButton" || name == "QSplitterHandle" ||
         object->objectName().startsWith("qt_");
}

bool isTable(const QAccessibleInterface& spoken) {
  switch (spoken.role()) {
    case QAccessible::Table:
    case QAccessible::Tree:
    case QAccessible::List:
      return true;
    default:
      return false;
  }
}

/// Returns the spoken name. On Linux, the name of a combo box is its selected item, so for a combo box the name of its
/// label is returned.
QString nameOf(QAccessibleInterface* spoken) {
  if (spoken->role() != QAccessible::ComboBox) return spoken->text(QAccessible::Name);
  const auto labels = spoken->relations(QAccessible::Label);
  return labels.isEmpty() ? QString() : labels.front().first->text(QAccessible::Name);
}

/// Appends the accessible objects below `spoken`, without the rows of tables, whose text comes from the report.
void walk(QAccessibleInterface* spoken, QStringList context, std::vector<Spoken>& found) {
  if (spoken == nullptr || !spoken->isValid() || isOfQt(spoken->object())) return;
  const QObject* object = spoken->object();
  const QString name = nameOf(spoken);
  found.push_back({.role = spoken->role(),
                   .name = name,
                   .value = spoken->text(QAccessible::Value),
                   .context = context,
                   .is_focusable = spoken->state().focusable && !spoken->state().invisible,
                   .class_name = object ? object->metaObject()->className() : ""});
  if (isTable(*spoken) || qobject_cast<const QAbstractSlider*>(object) != nullptr) return;
  if (spoken->role() == QAccessible::ComboBox || spoken->role() == QAccessible::SpinBox) return;
  if (!name.isEmpty()) context << name;
  for (int child = 0; child < spoken->childCount(); ++child) walk(spoken->child(child), context, found);
}

bool isControl(const Spoken& spoken) {
  switch (spoken.role) {
    case QAccessible::Button:
    case QAccessible::ButtonMenu:
    case QAccessible::CheckBox:
    case QAccessible::ComboBox:
    case QAccessible::EditableText:
    case QAccessible::Link:
    case QAccessible::List:
    case QAccessible::PageTab:
    case QAccessible::PageTabList:
    case QAccessible::RadioButton:
    case QAccessible::Slider:
    case QAccessible::SpinBox:
    case QAccessible::Table:
    case QAccessible::Tree:
      return true;
    case QAccessible::StaticText:
      return false;  // focusable only because its text can be selected
    default:
      return spoken.is_focusable;
  }
}

/// Shows controls that are still hidden, so that their names are checked, too.
void showHidden(const QWidget& page) {
  for (QWidget* part : page.findChildren<QWidget*>()) {
    const bool is_window = part->isWindow() || part->windowType() == Qt::Popup;
    if (part->isHidden() && !is_window && !isOfQt(part) && !part->objectName().startsWith("qt_")) part->show();
  }
}

void expectSpoken(const std::vector<Spoken>& all) {
  std::map<QStringList, Spoken> heard;
  for (const Spoken& spoken : all) {
    if (std::getenv("AMPPROF_PRINT_TREE") != nullptr) {
      std::printf("%s%s\n", std::string(2 * static_cast<std::size_t>(spoken.context.size()), ' ').c_str(),
                  testing::PrintToString(spoken).c_str());
    }
    if (!isControl(spoken)) continue;
    EXPECT_FALSE(spoken.name.trimmed().isEmpty()) << "no name: " << testing::PrintToString(spoken);
    const QString plain = QString(spoken.class_name).section("::", -1);
    EXPECT_NE(spoken.name, plain) << "a class for a name: " << testing::PrintToString(spoken);
    EXPECT_NE("Q" + spoken.name, plain) << "a class for a name: " << testing::PrintToString(spoken);
    const QStringList key = spoken.context + QStringList{spoken.name};
    const auto [before, is_new] = heard.emplace(key, spoken);
    EXPECT_TRUE(is_new) << "the same name twice: " << testing::PrintToString(spoken) << "\nand "
                        << testing::PrintToString(before->second);
  }
}

class ScreenReader : public testing::Test {
 protected:
  ScreenReader() {
    QAccessible::setActive(true);
    window_.resize(1366, 768);
    window_.show();
  }

  static void settle() {
    for (int round = 0; round < 4; ++round) {
      QThreadPool::globalInstance()->waitForDone();
      QTest::qWait(1);
    }
  }

  void hear(const std::function<void(const std::filesystem::path&)>& write) {
    write(folder_ / "r.ampprof");
    window_.openReport(QString::fromStdString((folder_ / "r.ampprof").string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_.tab() != nullptr; }, kTimeout));
    settle();
    for (std::size_t place = 0; place < window_.tab()->pages().size(); ++place) {
      window_.tab()->showPage(static_cast<int>(place));
      settle();
      SCOPED_TRACE(window_.tab()->viewInFront().toStdString());
      showHidden(*window_.tab()->page());
      std::vector<Spoken> spoken;
      walk(QAccessible::queryAccessibleInterface(window_.tab()->page()), {}, spoken);
      EXPECT_GT(spoken.size(), 1u);
      expectSpoken(spoken);
    }
  }

  test_support::TemporaryFolder folder_;
  MainWindow window_;
};

TEST_F(ScreenReader, HearsEachControlOfTheFrame) {
  cli::write_synthetic_report(folder_ / "r.ampprof");
  window_.openReport(QString::fromStdString((folder_ / "r.ampprof").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return window_.tab() != nullptr; }, kTimeout));
  window_.tab()->showView("sql");
  settle();
  std::vector<Spoken> spoken;
  walk(QAccessible::queryAccessibleInterface(&window_), {}, spoken);
  expectSpoken(spoken);
}

TEST_F(ScreenReader, HearsEachControlOfLevels) { hear(cli::write_synthetic_report); }
TEST_F(ScreenReader, HearsEachControlOfARunOnAGpu) { hear(cli::write_gpu_report); }
TEST_F(ScreenReader, HearsEachControlOfRanks) { hear(writeThreeRanks); }
TEST_F(ScreenReader, HearsEachControlOfRecipes) {
  hear([](const std::filesystem::path& path) { writeTwoRecipes(path); });
}

}  // namespace screen_reader_test
}  // namespace ampprof::gui

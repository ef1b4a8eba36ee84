// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/source_link.h"

#include <gtest/gtest.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QTest>
#include <fstream>

#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace source_link_test {

class LinkToSource : public testing::Test {
 protected:
  LinkToSource() { std::ofstream(folder_.path() / "train.py") << "import torch\n"; }

  std::string line() const { return (folder_.path() / "train.py").string() + ":7"; }
  QString file() const { return QString::fromStdString((folder_.path() / "train.py").string()); }

  test_support::TemporaryFolder folder_;
};

TEST_F(LinkToSource, OpensInEditorsThatHaveAWindow) {
  EXPECT_EQ(editorCommand("code --wait", line()), (QStringList{"code", "-g", file() + ":7"}));
  EXPECT_EQ(editorCommand("/opt/bin/gvim", line()), (QStringList{"/opt/bin/gvim", "+7", file()}));
  EXPECT_EQ(editorCommand("kate", line()), (QStringList{"kate", "-l", "7", file()}));
}

TEST_F(LinkToSource, OpensNothingInATerminalsEditor) {
  EXPECT_TRUE(editorCommand("vim", line()).isEmpty());
  EXPECT_TRUE(editorCommand("", line()).isEmpty());
}

TEST_F(LinkToSource, OpensExistingFilesOnly) {
  EXPECT_TRUE(editorCommand("code", "/nowhere/train.py:7").isEmpty());
  EXPECT_TRUE(editorCommand("code", "--wait:7").isEmpty());
  EXPECT_TRUE(editorCommand("gvim", file().toStdString() + ":!touch owned").isEmpty()) << "a command of the editor's";
  EXPECT_TRUE(editorCommand("gvim", file().toStdString() + ":").isEmpty());
  EXPECT_TRUE(editorCommand("code", "main").isEmpty()) << "a function, where there was no debug information";
}

TEST_F(LinkToSource, CopiesWhereNoEditorOpensIt) {
  qunsetenv("VISUAL");
  qunsetenv("EDITOR");
  SourceLink link;
  link.showSource(line());
  EXPECT_TRUE(link.isVisible());
  EXPECT_EQ(link.text(), "train.py:7");
  EXPECT_EQ(link.toolTip().toStdString(), line() + "\nClick to copy it.");
  QTest::mouseClick(&link, Qt::LeftButton);
  EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(), line());
  EXPECT_EQ(link.text(), "copied");
  EXPECT_TRUE(QTest::qWaitFor([&] { return link.text() == "train.py:7"; }, 10'000));
}

TEST_F(LinkToSource, IsHiddenWhereTheLineIsUnknown) {
  SourceLink link;
  link.showSource(line());
  link.showSource("");
  EXPECT_FALSE(link.isVisible());
}

}  // namespace source_link_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/source_link.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QProcess>
#include <vector>

#include "gui/pages/shared/text.h"
#include "reports/text/elide.h"

namespace ampprof::gui {
namespace {

constexpr int kSaysCopied = 1500;  // ms for which "copied" is shown

/// An editor that can open a file at a line. In `arguments`, %1 is the file and %2 the line.
struct Editor {
  const char* name;
  QStringList arguments;
};

const std::vector<Editor>& editors() {
  static const std::vector<Editor> kEditors{{"code", {"-g", "%1:%2"}},  {"codium", {"-g", "%1:%2"}},
                                            {"cursor", {"-g", "%1:%2"}}, {"subl", {"%1:%2"}},
                                            {"zed", {"%1:%2"}},          {"gvim", {"+%2", "%1"}},
                                            {"emacs", {"+%2", "%1"}},    {"emacsclient", {"-n", "+%2", "%1"}},
                                            {"gedit", {"+%2", "%1"}},    {"kate", {"-l", "%2", "%1"}}};
  return kEditors;
}

QString usersEditor() {
  const QString visual = qEnvironmentVariable("VISUAL");
  return visual.isEmpty() ? qEnvironmentVariable("EDITOR") : visual;
}

}  // namespace

QStringList editorCommand(const QString& editor, const std::string& source) {
  const QStringList words = QProcess::splitCommand(editor);
  const QString place = text(source);
  const QString file = place.section(':', 0, -2);
  bool is_number = false;
  place.section(':', -1).toUInt(&is_number);
  // A report is untrusted: pass only the path of an existing file and a number to the editor.
  if (words.isEmpty() || !is_number || !file.startsWith('/') || !QFileInfo(file).isFile()) return {};
  const QString name = QFileInfo(words.first()).fileName();
  for (const Editor& known : editors()) {
    if (name != known.name) continue;
    QStringList command{words.first()};
    for (const QString& argument : known.arguments) {
      command << QString(argument).replace("%2", place.section(':', -1)).replace("%1", file);
    }
    return command;
  }
  return {};
}

SourceLink::SourceLink(QWidget* parent) : QToolButton(parent) {
  setAutoRaise(true);
  setAccessibleName("Line of code");
  copied_.setSingleShot(true);
  connect(&copied_, &QTimer::timeout, this, &SourceLink::showText);
  connect(this, &QToolButton::clicked, this, &SourceLink::follow);
  hide();
}

void SourceLink::showSource(const std::string& source) {
  source_ = source;
  setVisible(!source.empty());
  const bool opens = !editorCommand(usersEditor(), source).isEmpty();
  setToolTip(gui::text(text::printable(source)) + (opens ? "\nClick to open it in your editor." : "\nClick to copy it."));
  showText();
}

void SourceLink::showText() { setText(gui::text(text::printable(text::short_source(source_)))); }

void SourceLink::follow() {
  const QStringList command = editorCommand(usersEditor(), source_);
  if (!command.isEmpty() && QProcess::startDetached(command.first(), command.mid(1))) return;
  QGuiApplication::clipboard()->setText(gui::text(source_));
  setText("copied");
  copied_.start(kSaysCopied);
}

}  // namespace ampprof::gui

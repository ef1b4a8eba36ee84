// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QTimer>
#include <QToolButton>
#include <string>

namespace ampprof::gui {

/// Returns the command that opens `source` ("file:line") in `editor`, the value of $VISUAL or $EDITOR. Empty if the
/// editor is unknown (which includes all editors that run in a terminal), or if the file does not exist on this
/// machine.
QStringList editorCommand(const QString& editor, const std::string& source);

/// A link to a source line. A click opens the file in the user's editor at that line, or copies "file:line" if there is
/// no suitable editor.
class SourceLink : public QToolButton {
  Q_OBJECT

 public:
  explicit SourceLink(QWidget* parent = nullptr);

  /// Shows a link to `source` ("file:line"); hides the link if `source` is "".
  void showSource(const std::string& source);

 private:
  void follow();
  void showText();

  std::string source_;
  QTimer copied_;  ///< runs while "copied" is shown
};

}  // namespace ampprof::gui

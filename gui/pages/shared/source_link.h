// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QTimer>
#include <QToolButton>
#include <string>

namespace ampprof::gui {

/// Returns the command that opens `source`, "file:line", in the editor that $VISUAL or $EDITOR names. Empty where that is
/// none with a window of its own, or where the file is not on this machine.
QStringList editorCommand(const QString& editor, const std::string& source);

/// A line of code: a click opens it in the user's editor, or else copies it.
class SourceLink : public QToolButton {
  Q_OBJECT

 public:
  explicit SourceLink(QWidget* parent = nullptr);

  /// Hides where `source` is "".
  void showSource(const std::string& source);

 private:
  void follow();
  void showText();

  std::string source_;
  QTimer copied_;  ///< says for a moment that it was copied
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProcess>
#include <QString>
#include <string>

namespace ampprof::advice {
struct Evidence;
}

namespace ampprof::queries {
struct RunRow;
}

namespace ampprof::gui {

/// The level at which a policy is confirmed: that of the run if policies count there, else O1; "" for a run in reduced
/// types that the program brought itself.
std::string confirmingLevel(const queries::RunRow& run);

/// Returns the command line of the same installation, where there is one; else that of PATH.
std::string ampprofProgram();

/// The command that runs a report's program again with a policy. The program is as the report has it: a text that
/// somebody else may have written, so nothing runs it before the user has seen it.
QString confirmingCommand(const queries::RunRow& run, const advice::Evidence& evidence, const QString& policy,
                          const QString& report);

/// Returns a name beside `report` that no file has: "digits-again.ampprof", "digits-again-2.ampprof" for "again".
QString reportBeside(const QString& report, const QString& what);
QString confirmedReport(const QString& report);

/// Returns the command that records a report's program as before, with further flags of `ampprof run`. Flags of before
/// that these exclude are left out.
QString recordingCommand(const queries::RunRow& run, const QString& flags, const QString& report);

/// Runs such a command in a shell. Ends the program when it goes out of scope.
class ConfirmingRun : public QObject {
  Q_OBJECT

 public:
  explicit ConfirmingRun(QObject* parent = nullptr);
  ~ConfirmingRun() override;

  void start(const QString& command, const QString& folder);
  void cancel();
  bool isRunning() const { return process_.state() != QProcess::NotRunning; }

 signals:
  /// A line that the program or ampprof printed.
  void said(const QString& line);
  /// Exit code 0.
  void succeeded();
  /// Anything else; a sentence.
  void failed(const QString& sentence);

 private:
  void readLines();
  void ended(int exit_code, QProcess::ExitStatus status);

  QProcess process_;
  bool is_cancelled_ = false;
};

}  // namespace ampprof::gui

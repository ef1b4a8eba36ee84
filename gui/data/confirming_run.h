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

/// Returns the level at which the program runs again to confirm a policy: the level of `run` if policies apply there,
/// else O1; "" if the program itself uses reduced types.
std::string confirmingLevel(const queries::RunRow& run);

/// Returns the path of `ampprof` in the folder of this program if it is there, else "ampprof", which is looked up in
/// PATH.
std::string ampprofProgram();

/// Returns the command that runs a report's program again with a policy. The program's command line is untrusted text
/// from the report, so show the command to the user before running it.
QString confirmingCommand(const queries::RunRow& run, const advice::Evidence& evidence, const QString& policy,
                          const QString& report);

/// Returns the path of a file that does not exist yet, in the folder of `report`. For `what` = "again":
/// "digits-again.ampprof" or "digits-again-2.ampprof".
QString reportBeside(const QString& report, const QString& what);
QString confirmedReport(const QString& report);

/// Returns the command that records a report's program again, with its old flags and the additional flags `flags` of
/// `ampprof run`. Drops old flags that the additional ones exclude.
QString recordingCommand(const queries::RunRow& run, const QString& flags, const QString& report);

/// Runs a command in a shell. The destructor terminates the program.
class ConfirmingRun : public QObject {
  Q_OBJECT

 public:
  explicit ConfirmingRun(QObject* parent = nullptr);
  ~ConfirmingRun() override;

  void start(const QString& command, const QString& folder);
  void cancel();
  bool isRunning() const { return process_.state() != QProcess::NotRunning; }

 signals:
  /// Emitted for each line that the program or ampprof prints.
  void said(const QString& line);
  /// Emitted when the command ended with exit code 0.
  void succeeded();
  /// Emitted when the command ended in any other way, with a sentence on how.
  void failed(const QString& sentence);

 private:
  void readLines();
  void ended(int exit_code, QProcess::ExitStatus status);

  QProcess process_;
  bool is_cancelled_ = false;
};

}  // namespace ampprof::gui

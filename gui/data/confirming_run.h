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

/// Returns the level at which a policy is confirmed: the level of the run if policies apply there, else O1; "" if the
/// program itself uses reduced types.
std::string confirmingLevel(const queries::RunRow& run);

/// Returns the `ampprof` beside this program if there is one, else "ampprof", which is looked up in PATH.
std::string ampprofProgram();

/// Returns the command that runs a report's program again with a policy. The program's command line is untrusted text
/// from the report, so show the command to the user before running it.
QString confirmingCommand(const queries::RunRow& run, const advice::Evidence& evidence, const QString& policy,
                          const QString& report);

/// Returns an unused file name beside `report`: for "again", "digits-again.ampprof" or "digits-again-2.ampprof".
QString reportBeside(const QString& report, const QString& what);
QString confirmedReport(const QString& report);

/// Returns the command that records a report's program again with its old flags and additional flags of `ampprof run`.
/// Drops old flags that the new ones exclude.
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
  /// Emitted for exit code 0.
  void succeeded();
  /// Emitted for any other exit, with a sentence.
  void failed(const QString& sentence);

 private:
  void readLines();
  void ended(int exit_code, QProcess::ExitStatus status);

  QProcess process_;
  bool is_cancelled_ = false;
};

}  // namespace ampprof::gui

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

/// Returns the level at which the program runs again to confirm a policy: the level of `run` if policies apply at that
/// level, else O1; "" if the program uses reduced types by itself.
std::string confirmingLevel(const queries::RunRow& run);

/// Returns the path of `ampprof` in the folder of this program. If that folder has no `ampprof`, returns "ampprof",
/// which the shell looks up in PATH.
std::string ampprofProgram();

/// Returns the command that runs a report's program again with a policy. The program's command line is untrusted text
/// from the report, so show the command to the user before running it.
QString confirmingCommand(const queries::RunRow& run, const advice::Evidence& evidence, const QString& policy,
                          const QString& report);

/// Returns an unused path for a new report in the folder of `report`. For "digits.ampprof" and `what` = "again":
/// "digits-again.ampprof", or "digits-again-2.ampprof" if that exists.
QString reportBeside(const QString& report, const QString& what);
QString confirmedReport(const QString& report);

/// Returns the command that records the program of `run` again. `flags`: additional flags of `ampprof run`. Keeps the
/// flags of `run`, except those that `flags` replaces or excludes.
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
  /// Emitted when the command could not start, failed or was cancelled. `sentence` says which.
  void failed(const QString& sentence);

 private:
  void readLines();
  void ended(int exit_code, QProcess::ExitStatus status);

  QProcess process_;
  bool is_cancelled_ = false;
};

}  // namespace ampprof::gui

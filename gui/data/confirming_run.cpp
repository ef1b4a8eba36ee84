// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/confirming_run.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "amp_core/levels/level.h"
#include "analysis/diagnosis/advised_run.h"
#include "precision/advice/evidence.h"
#include "reports/queries/runs.h"
#include "reports/text/shell_text.h"

namespace ampprof::gui {
namespace {

constexpr int kTimeout = 5'000;  // ms to wait after SIGTERM for the program to end

// Groups of flags that exclude each other: kReduce makes a run compute in reduced precision, kAsk makes a run predict
// the effect of reduced precision.
constexpr std::string_view kReduce[] = {"--levels", "--type", "--recipe", "--policy", "--inherited"};
constexpr std::string_view kAsk[] = {"--what-if", "--screen", "--assume-scale"};

/// Tells whether `flag` rules out `other`, or is the same flag.
bool excludes(std::string_view flag, std::string_view other) {
  const auto has = [](const auto& flags, std::string_view name) {
    return std::ranges::find(flags, name) != std::end(flags);
  };
  return flag == other || (has(kReduce, flag) && has(kAsk, other)) || (has(kAsk, flag) && has(kReduce, other));
}

}  // namespace

std::string ampprofProgram() {
  const QFileInfo beside(QDir(QCoreApplication::applicationDirPath()).filePath("ampprof"));
  return beside.isExecutable() ? beside.filePath().toStdString() : "ampprof";
}

std::string confirmingLevel(const queries::RunRow& run) {
  if (analysis::has_own_reduced_type(run)) return "";
  const bool follows_policies = run.what_if.empty() && amp::patches_functions(run.level);
  return follows_policies ? run.level : std::string(amp::level_that_patches());
}

QString confirmingCommand(const queries::RunRow& run, const advice::Evidence& evidence, const QString& policy,
                          const QString& report) {
  const std::string level = confirmingLevel(run);
  std::vector<std::string> words{ampprofProgram(), "run"};
  if (!level.empty()) {
    const bool has_plain = !evidence.plain.empty();
    const std::string fp32 = has_plain ? amp::level_names(&amp::Level::is_fp32).front() + "," : "";
    words.insert(words.end(), {"--levels", fp32 + level});
  }
  words.insert(words.end(), {"--policy", policy.toStdString()});
  if (!evidence.impacts.empty()) words.push_back("--impact");
  words.insert(words.end(), {"-o", report.toStdString(), "--"});
  return QString::fromStdString(text::shell_text(words) + " " + run.program);
}

QString recordingCommand(const queries::RunRow& run, const QString& flags, const QString& report) {
  const std::vector<std::string> added = text::words_of(flags.toStdString()).value_or(std::vector<std::string>());
  std::vector<std::string> words{ampprofProgram(), "run"};
  for (const std::string& word : text::words_of(run.flags).value_or(std::vector<std::string>())) {
    const std::string name = word.substr(0, word.find('='));
    const bool is_replaced = std::ranges::any_of(added, [&](const std::string& flag) { return excludes(flag, name); });
    if (!is_replaced && name != "--output" && name != "--force") words.push_back(word);
  }
  words.insert(words.end(), added.begin(), added.end());
  words.insert(words.end(), {"-o", report.toStdString(), "--"});
  return QString::fromStdString(text::shell_text(words) + " " + run.program);
}

QString confirmedReport(const QString& report) { return reportBeside(report, "confirmed"); }

QString reportBeside(const QString& report, const QString& what) {
  const QFileInfo file(report);
  const QString front = file.dir().filePath(file.completeBaseName() + "-" + what);
  QString name = front + ".ampprof";
  for (int number = 2; QFileInfo::exists(name); ++number) name = QString("%1-%2.ampprof").arg(front).arg(number);
  return name;
}

ConfirmingRun::ConfirmingRun(QObject* parent) : QObject(parent) {
  process_.setProcessChannelMode(QProcess::MergedChannels);
  process_.setStandardInputFile(QProcess::nullDevice());
  connect(&process_, &QProcess::readyReadStandardOutput, this, &ConfirmingRun::readLines);
  connect(&process_, &QProcess::finished, this, &ConfirmingRun::ended);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      emit failed("The program could not be started: " + process_.errorString() + ".");
  });
}

ConfirmingRun::~ConfirmingRun() {
  process_.disconnect(this);
  process_.terminate();
  if (!process_.waitForFinished(kTimeout)) process_.kill();
  process_.waitForFinished(kTimeout);
}

void ConfirmingRun::start(const QString& command, const QString& folder) {
  is_cancelled_ = false;
  process_.setWorkingDirectory(folder);
  process_.start("/bin/sh", {"-c", "exec " + command});
}

void ConfirmingRun::cancel() {
  is_cancelled_ = true;
  process_.terminate();
}

void ConfirmingRun::readLines() {
  while (process_.canReadLine()) emit said(QString::fromUtf8(process_.readLine()).trimmed());
}

void ConfirmingRun::ended(int exit_code, QProcess::ExitStatus status) {
  readLines();
  if (const QByteArray rest = process_.readAll(); !rest.isEmpty()) emit said(QString::fromUtf8(rest).trimmed());
  if (is_cancelled_) return emit failed("The run was cancelled. Its report holds what was recorded before.");
  if (status == QProcess::CrashExit)
    return emit failed("The run was killed by a signal. The last lines of its output may say why.");
  if (exit_code != 0)
    return emit failed(
        QString("The run ended with exit code %1. The last lines of its output say why.").arg(exit_code));
  emit succeeded();
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCommandLineParser>
#include <cstdio>

#include "gui/window/main_window.h"
#include "gui/window/theme.h"
#include "reports/version/version.h"

int main(int count, char** arguments) {
  QApplication application(count, arguments);
  QApplication::setApplicationName("ampprof-gui");
  QApplication::setOrganizationName("ampprof");
  QApplication::setApplicationVersion(ampprof::version::number());

  QCommandLineParser parser;
  parser.setApplicationDescription("Shows what each op of a LibTorch program loses in reduced precision.");
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument("REPORT", "files that `ampprof run` wrote", "[REPORT...]");
  if (!parser.parse(QCoreApplication::arguments())) {
    std::fprintf(stderr, "ampprof-gui: %s See: ampprof-gui --help\n", qUtf8Printable(parser.errorText()));
    return 2;  // exit code for usage errors, as in the command line
  }
  parser.process(application);

  ampprof::gui::applyChosenTheme();
  ampprof::gui::MainWindow window;
  for (const QString& path : parser.positionalArguments()) window.openReport(path);
  window.show();
  return QApplication::exec();
}

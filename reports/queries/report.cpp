// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/report.h"

#include <utility>

#include "reports/queries/open.h"

namespace ampprof::queries {

struct Report::State {
  std::unique_ptr<TemporaryCopy> copy;
  std::unique_ptr<store::Database> database;
};

Report::Report() = default;
Report::Report(const std::filesystem::path& path, const OpenProgress& progress) {
  OpenReport opened(path, Reads::Views, can_write_in, progress);
  state_ = std::make_unique<State>(State{std::move(opened.copy), std::move(opened.database)});
}
Report::~Report() = default;
Report::Report(Report&&) noexcept = default;

std::unique_ptr<Report> Report::another() const {
  std::unique_ptr<store::Database> database = state_->database->another();
  if (!database) return nullptr;
  std::unique_ptr<Report> report(new Report);
  report->state_ = std::make_unique<State>(State{nullptr, std::move(database)});
  return report;
}

Report::operator store::Database&() const { return *state_->database; }

}  // namespace ampprof::queries

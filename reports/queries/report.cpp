// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/report.h"

#include "reports/queries/open.h"

namespace ampprof::queries {

struct Report::State : OpenReport {
  using OpenReport::OpenReport;
};

Report::Report(const std::filesystem::path& path, const OpenProgress& progress)
    : state_(std::make_unique<State>(path, Reads::Views, can_write_in, progress)) {}
Report::~Report() = default;
Report::Report(Report&&) noexcept = default;

Report::operator store::Database&() const { return *state_->database; }

}  // namespace ampprof::queries

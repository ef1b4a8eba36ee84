// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace ampprof::analysis {
struct ReportRows;
}

namespace ampprof::views {
struct ViewSource;
}

/// The sections of the exported page, as HTML; "" if a section has nothing to show.
namespace ampprof::cli {

/// The input of all sections.
struct PageSource {
  PageSource(views::ViewSource& views, std::string report);

  views::ViewSource& views;
  std::shared_ptr<const analysis::ReportRows> rows;
  std::string report;  ///< name of the report in commands that the page shows

  /// Returns "12 more: ampprof show digits.ampprof ops" in a paragraph; "" if all rows are shown.
  std::string rest(std::size_t all, std::size_t shown, const std::string& view) const;
};

/// Describes the report in one line: program, device, LibTorch, number of runs.
std::string about(const PageSource& page);

std::string missing_section(const PageSource& page);
std::string answer_section(const PageSource& page);
std::string runs_section(const PageSource& page);
std::string curves_section(const PageSource& page);
std::string call_sites_section(const PageSource& page);
std::string events_section(const PageSource& page);
std::string tensor_cores_section(const PageSource& page);
std::string gpu_section(const PageSource& page);
std::string exponents_section(const PageSource& page);

}  // namespace ampprof::cli

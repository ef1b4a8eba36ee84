// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <cstdint>

namespace ampprof::gui {

/// Groups of pages in the sidebar, by the question that they answer.
enum class PageGroup : std::uint8_t { Wrong, Decide, Time, Distributed, Raw };

/// Titles of the groups, indexed by PageGroup.
inline constexpr std::array kGroupTitles{"What is wrong", "Decide", "Where the time goes", "Distributed", "Raw"};

/// Describes a page. Its index in kPageTitles is its position in the sidebar.
struct PageTitle {
  PageGroup group;
  const char* view;   ///< name of the view in `ampprof show`, or another name for a page without a view
  const char* title;  ///< text in the sidebar
  /// Tables of a report, separated by spaces. The page has data if any of the tables has a row, or if `tables` is "".
  /// Pages of the group Distributed also need several ranks.
  const char* tables = "";
  const char* flags = "";  ///< flags of `ampprof run` that record the rows; "" if there are none
  /// Command that helps to record the rows, if no flag records them; "" if there is no such command.
  const char* command = "";
};

/// Command that records a program.
inline constexpr const char* kRecordAny = "ampprof run -- PROGRAM";
/// Command that tells whether this machine can record GPU activity.
inline constexpr const char* kCheckMachine = "ampprof doctor";

/// All pages, in the order of the sidebar. The pages of a group must be consecutive.
inline constexpr auto kPageTitles =
    std::to_array<PageTitle>({{PageGroup::Wrong, "findings", "Diagnosis"},
                              {PageGroup::Wrong, "runs", "Overview"},
                              {PageGroup::Wrong, "events", "Overflow", "nonfinite_event scale_update"},
                              {PageGroup::Wrong, "loss-scale", "Loss scale", "scale_update", "--levels O1"},
                              {PageGroup::Wrong, "losses", "Losses", "loss", "", kRecordAny},
                              {PageGroup::Wrong, "drift", "Drift", "drift", "--inherited"},
                              {PageGroup::Decide, "decide", "Decide", "op_total"},
                              {PageGroup::Decide, "modules", "Modules", "op_total"},
                              {PageGroup::Decide, "impact", "Loss impact", "loss_impact", "--impact"},
                              {PageGroup::Decide, "recipes", "Recipes", "recipe_matmul", "--what-if mxfp8"},
                              {PageGroup::Decide, "ranges", "Ranges", "op_total"},
                              {PageGroup::Decide, "decisions", "Decisions", "decision", "--inherited"},
                              {PageGroup::Time, "timeline", "Timeline", "call_chunk"},
                              {PageGroup::Time, "tensor-cores", "Tensor Cores", "op_total"},
                              {PageGroup::Time, "kernels", "Kernels", "gpu_activity_total", "", kCheckMachine},
                              {PageGroup::Time, "idle", "GPU idle", "gpu_activity_total", "", kCheckMachine},
                              {PageGroup::Time, "casts", "Casts", "cast_total", "--levels O1"},
                              {PageGroup::Time, "stale-casts", "Stale casts", "stale_cast"},
                              {PageGroup::Distributed, "ranks", "Ranks", "", "--ranks 2"},
                              {PageGroup::Distributed, "collectives", "Collectives", "collective", "--ranks 2"},
                              {PageGroup::Raw, "ops", "Ops", "op_total"},
                              {PageGroup::Raw, "gradients", "Gradients", "gradient_error", "--impact"},
                              {PageGroup::Raw, "optimizer", "Optimizer", "weight_update", "", kRecordAny},
                              {PageGroup::Raw, "missing", "Missing"},
                              {PageGroup::Raw, "diff", "Compare"},
                              {PageGroup::Raw, "sql", "SQL"}});

/// Returns the title of the page for a view; if there is no page, the name of the view.
inline QString pageTitle(const QString& view) {
  for (const PageTitle& page : kPageTitles) {
    if (view == page.view) return page.title;
  }
  return view;
}

}  // namespace ampprof::gui

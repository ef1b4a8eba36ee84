// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>

namespace ampprof::gui {

struct PageTitle {
  const char* view;   ///< of `ampprof show`; of pages that have none, what they do
  const char* title;  ///< of the tab
};

/// In the order of the tabs.
inline constexpr auto kPageTitles = std::to_array<PageTitle>({{"findings", "Diagnosis"},
                                                              {"runs", "Overview"},
                                                              {"decide", "Decide"},
                                                              {"timeline", "Timeline"},
                                                              {"events", "Overflow"},
                                                              {"ranks", "Ranks"},
                                                              {"collectives", "Collectives"},
                                                              {"ops", "Ops"},
                                                              {"losses", "Losses"},
                                                              {"loss-scale", "Loss scale"},
                                                              {"ranges", "Ranges"},
                                                              {"impact", "Loss impact"},
                                                              {"gradients", "Gradients"},
                                                              {"recipes", "Recipes"},
                                                              {"tensor-cores", "Tensor Cores"},
                                                              {"kernels", "Kernels"},
                                                              {"idle", "GPU idle"},
                                                              {"casts", "Casts"},
                                                              {"stale-casts", "Stale casts"},
                                                              {"optimizer", "Optimizer"},
                                                              {"drift", "Drift"},
                                                              {"decisions", "Decisions"},
                                                              {"missing", "Missing"},
                                                              {"diff", "Compare"}});

/// The view's own name where no page shows it.
inline QString pageTitle(const QString& view) {
  for (const PageTitle& page : kPageTitles) {
    if (view == page.view) return page.title;
  }
  return view;
}

}  // namespace ampprof::gui

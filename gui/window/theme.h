// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ampprof::gui {

/// Whose colours the program has: the desktop's, or its own.
enum class Theme { System, Light, Dark };

/// The theme that was chosen last, on this or an earlier day.
Theme chosenTheme();

/// Gives the whole program a theme, and remembers it.
void choose(Theme theme);

/// Gives the whole program the theme that was chosen last. To be called before the first window is made.
void applyChosenTheme();

}  // namespace ampprof::gui

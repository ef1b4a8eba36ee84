// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ampprof::gui {

/// Colours of the program: those of the desktop, or ampprof's own light or dark palette.
enum class Theme { System, Light, Dark };

/// Returns the theme from the user's settings.
Theme chosenTheme();

/// Applies a theme to the whole program and saves it in the user's settings.
void choose(Theme theme);

/// Applies the theme from the user's settings. Call it before the first window is created.
void applyChosenTheme();

}  // namespace ampprof::gui

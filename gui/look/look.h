// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <array>

/// Font sizes, spacing and colours of the whole window. Text has a contrast of at least 4.5 to its background (WCAG 2,
/// level AA), lines of plots at least 3.
namespace ampprof::gui {

/// A colour in two versions, for light and for dark palettes.
struct Shade {
  const char* on_light;
  const char* on_dark;
};

inline constexpr Shade kGood{"#00735c", "#4fc3a1"};
inline constexpr Shade kBad{"#b34700", "#ff8a4c"};
inline constexpr Shade kAttention{"#8a5a00", "#f0c14b"};

/// Colours for lines and bars, from Okabe and Ito: darker on light palettes, lighter on dark ones.
inline constexpr auto kCategories = std::to_array<Shade>({{"#0072b2", "#56b4e9"},
                                                          {"#d55e00", "#ff8a4c"},
                                                          {"#009e73", "#4fc3a1"},
                                                          {"#c46a9c", "#e6a0c8"},
                                                          {"#8a6d00", "#f0e442"},
                                                          {"#2f8fce", "#9ad4f5"},
                                                          {"#b08000", "#e69f00"},
                                                          {"#8c8c8c", "#8c8c8c"}});

/// Distances between widgets, and the maximum width of text that is still comfortable to read, in pixels.
struct Space {
  static constexpr int kTight = 2;
  static constexpr int kGap = 6;
  static constexpr int kSection = 12;
  static constexpr int kWidestText = 960;
};

bool isDark(const QPalette& palette);
QColor colourOn(const QPalette& palette, const Shade& shade);

/// Returns the contrast ratio of two colours by WCAG 2, from 1 to 21.
double contrast(const QColor& a, const QColor& b);

/// Returns the palette of the light or dark theme.
QPalette ownPalette(bool is_dark);

enum class TextSize { Body, Heading, Title };

/// Returns `font` in the size and weight of `size`.
QFont scaled(QFont font, TextSize size);

}  // namespace ampprof::gui

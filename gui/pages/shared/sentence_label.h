// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLabel;
class QWidget;

namespace ampprof::views {
struct Sentence;
}

namespace ampprof::gui {

/// Creates a label with a sentence about a report, in the tone of the sentence. The text can be selected and copied.
QLabel* makeSentence(const views::Sentence& sentence, QWidget* parent);

}  // namespace ampprof::gui

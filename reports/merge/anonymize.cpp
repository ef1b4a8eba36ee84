// SPDX-License-Identifier: Apache-2.0
#include "reports/merge/anonymize.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string_view>

namespace ampprof::merge {
namespace {

constexpr std::string_view kElided = "...";

enum class Kind { Kept, LeftOut, Command, Source, Name, Sentence };

struct KnownColumn {
  std::string_view table;
  std::string_view column;
  Kind kind;
};

constexpr KnownColumn kColumns[]{
    {"run", "level", Kind::Kept},
    {"run", "program", Kind::Command},
    {"run", "started_at", Kind::Kept},
    {"run", "reference", Kind::Kept},
    {"run", "target_gpu", Kind::Kept},
    {"run", "what_if", Kind::Kept},
    {"run", "device", Kind::Kept},
    {"run", "torch_version", Kind::Kept},
    {"run", "settings_json", Kind::Sentence},
    {"run", "cuda_version", Kind::Kept},
    {"run", "ampprof_version", Kind::Kept},
    {"run", "ampprof_commit", Kind::Kept},
    {"run", "host", Kind::LeftOut},
    {"run", "flags", Kind::Sentence},
    {"run", "folder", Kind::LeftOut},
    {"signature", "text", Kind::Kept},
    {"gpu_activity_name", "text", Kind::Kept},
    {"nvtx_range_name", "text", Kind::Name},
    {"call_site", "module", Kind::Name},
    {"call_site", "op", Kind::Kept},
    {"call_site", "source", Kind::Source},
    {"loss_impact", "name", Kind::Name},
    {"gradient_error", "parameter", Kind::Name},
    {"recipe_matmul", "recipe", Kind::Kept},
    {"recipe_matmul", "reason", Kind::Sentence},
    {"drift", "parameter", Kind::Name},
    {"stale_cast", "parameter", Kind::Name},
    {"weight_update", "parameter", Kind::Name},
    {"optimizer", "parameter", Kind::Name},
    {"parameter_checksum", "parameter", Kind::Name},
    {"collective", "group_name", Kind::Name},
    {"collective", "reduction", Kind::Kept},
    {"nonfinite_event", "reached", Kind::Name},
    {"nonfinite_parameter", "name", Kind::Name},
    {"probe_time", "op", Kind::Kept},
    {"probe_time", "signature", Kind::Kept},
    {"probe_time", "sizes", Kind::Kept},
    {"probe_time", "device", Kind::Kept},
    {"probe_algorithm", "op", Kind::Kept},
    {"probe_algorithm", "signature", Kind::Kept},
    {"probe_algorithm", "tile", Kind::Kept},
    {"probe_algorithm", "failure", Kind::Sentence},
    {"probe_algorithm", "device", Kind::Kept},
    {"trial", "policy", Kind::Sentence},
    {"trial", "metric", Kind::Sentence},
    {"confirmation", "kind", Kind::Kept},
    {"confirmation", "remedy", Kind::Sentence},
    {"confirmation", "outcome", Kind::Sentence},
    {"confirmation", "explains", Kind::Kept},
    {"missing", "what", Kind::Sentence},
    {"missing", "cause", Kind::Sentence},
    {"missing", "remedy", Kind::Sentence},
};

const KnownColumn* known(const std::string& table, const std::string& column) {
  const auto* found = std::ranges::find_if(
      kColumns, [&](const KnownColumn& entry) { return entry.table == table && entry.column == column; });
  return found == std::end(kColumns) ? nullptr : found;
}

// Converts each stretch of text between separators, and keeps the separators. An empty text stays empty.
template <class Convert>
std::string each_word(const std::string& text, std::string_view separators, Convert convert) {
  std::string result;
  for (std::size_t begin = 0, end = 0; end < text.size(); begin = end + 1) {
    end = std::min(text.find_first_of(separators, begin), text.size());
    result += convert(text.substr(begin, end - begin));
    if (end < text.size()) result += text[end];
  }
  return result;
}

std::string last_part(const std::string& path) {
  const std::size_t end = path.find_last_not_of("/\\");
  if (end == std::string::npos) return path;
  return path.substr(path.find_last_of("/\\", end) + 1);
}

bool is_path(const std::string& word) {
  static constexpr std::array<std::string_view, 5> kBeginnings{"/", "./", "../", "~", "\\\\"};
  const bool has_drive = word.find(":\\") == 1 || word.find(":/") == 1;
  return has_drive || std::ranges::any_of(kBeginnings, [&](std::string_view start) { return word.starts_with(start); });
}

std::string without_place(const std::string& word) {
  if (word.find("://") != std::string::npos) return std::string(kElided);
  if (is_path(word)) return last_part(word);
  const std::size_t colon = word.find(":/");
  return colon == std::string::npos ? word : word.substr(0, colon + 1) + last_part(word.substr(colon + 1));
}

/// Replaces the parts of names by n1, n2, ...
class Names {
 public:
  std::string replaced(const std::string& name) {
    const std::string other = each_word(name, "./", [&](const std::string& part) { return stand_in(part); });
    whole_.emplace(name, other);
    return other;
  }

  /// Replaces those names in a sentence that were passed to replaced() before.
  std::string replaced_in(const std::string& sentence) const {
    return each_word(sentence, " \t\n/,;:'\"()[]{}", [&](const std::string& word) {
      const auto found = whole_.find(word);
      return found == whole_.end() ? word : found->second;
    });
  }

 private:
  std::string stand_in(const std::string& part) {
    const bool is_number = part.find_first_not_of("0123456789") == std::string::npos;
    if (is_number || part == "weight" || part == "bias") return part;
    return parts_.emplace(part, "n" + std::to_string(parts_.size() + 1)).first->second;
  }

  std::map<std::string, std::string> parts_;
  std::map<std::string, std::string> whole_;
};

std::string converted(Kind kind, const std::string& text, Names* names) {
  switch (kind) {
    case Kind::Kept:
      return text;
    case Kind::LeftOut:
      return "";
    case Kind::Command:
      return without_arguments(text);
    case Kind::Source:
      return last_part(text);
    case Kind::Name:
      return names != nullptr ? names->replaced(text) : text;
    case Kind::Sentence:
      return without_paths(names != nullptr ? names->replaced_in(text) : text);
  }
  return "";
}

}  // namespace

std::string without_paths(const std::string& text) { return each_word(text, " \t\n,;='\"()[]{}<>", without_place); }

std::string without_arguments(const std::string& command) {
  const bool is_quoted = command.starts_with('\'') || command.starts_with('"');
  const std::size_t end = is_quoted ? command.find(command[0], 1) : command.find(' ');
  const std::size_t quote = is_quoted ? 1 : 0;
  const std::string program = command.substr(quote, end - quote);
  const bool has_arguments = command.find(' ', end) != std::string::npos;
  return last_part(program) + (has_arguments ? " " + std::string(kElided) : "");
}

bool is_known_to_anonymous(const std::string& table, const std::string& column) {
  return known(table, column) != nullptr;
}

TextFilter anonymous(bool names) {
  const auto stand_ins = names ? std::make_shared<Names>() : nullptr;
  return [stand_ins](const std::string& table, const std::string& column, const std::string& text) {
    const KnownColumn* entry = known(table, column);
    return entry == nullptr ? std::string() : converted(entry->kind, text, stand_ins.get());
  };
}

}  // namespace ampprof::merge

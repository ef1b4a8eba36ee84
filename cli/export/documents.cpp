// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <ostream>

#include "cli/export/formats.h"
#include "cli/export/output_file.h"
#include "views/all_views.h"
#include "views/table/format.h"
#include "views/view_source.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

std::string key_of(const views::NamedView& view) {
  std::string key = view.name;
  std::ranges::replace(key, '-', '_');
  return key;
}

std::string line_of(const views::Json& json) {
  return json.dump(-1, ' ', false, views::Json::error_handler_t::replace);
}

// Writes one record per line, so that a report with 5,000 call sites stays readable and greppable.
void write_array(const std::string& key, const std::vector<views::Json>& values, std::ostream& out) {
  out << ",\n  " << line_of(key) << ": [";
  for (std::size_t i = 0; i < values.size(); ++i) out << (i > 0 ? ",\n    " : "\n    ") << line_of(values[i]);
  out << (values.empty() ? "]" : "\n  ]");
}

}  // namespace

void write_json(const Exported& report, std::ostream& out) {
  views::ViewSource& source = report.views;
  out << "{\n  \"report\": " << line_of(report.name);
  std::vector<views::Json> sentences;
  for (const views::Sentence& sentence : views::answer_of(source)) sentences.push_back(sentence.text);
  write_array("answer", sentences, out);
  for (const views::NamedView& named : views::all_views()) {
    views::View view = named.make(source);
    std::vector<views::Json> records;
    for (views::Record& record : view.records) records.push_back(std::move(record.json));
    write_array(key_of(named), records, out);
  }
  out << "\n}\n";
}

void write_csv_folder(const Exported& report, const fs::path& folder, bool replace) {
  make_folder(folder, "CSV files");
  std::vector<std::unique_ptr<OutputFile>> files;
  for (const views::NamedView& named : views::all_views()) {
    files.push_back(std::make_unique<OutputFile>(folder / (std::string(named.name) + ".csv"), replace));
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    files[i]->stream() << views::formatted(views::all_views()[i].make(report.views), views::Format::Csv, {});
  }
  for (const auto& file : files) file->put_in_place();
}

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "reports/store/sqlite.h"

/// Tables as data: a declaration names columns and the record fields that they hold. SQL, binding and reading follow
/// from it, in one order. `tables.h` holds the declarations.
namespace ampprof::store {

/// A column, as SQLite's table_info describes it.
struct ColumnType {
  std::string name;
  std::string type;  ///< SQLite's type: INTEGER, REAL, TEXT or BLOB
  bool is_nullable = false;

  bool operator==(const ColumnType&) const = default;
};

/// A column with its description.
struct DeclaredColumn : ColumnType {
  std::string about;  ///< description, a sentence
};

/// Stores values of a type in a column. Specialize it for types that are neither a number nor a text.
template <class T>
struct Stored;

template <std::integral T>
struct Stored<T> {
  static constexpr const char* kType = "INTEGER";
  static constexpr bool kIsNullable = false;
  static void put(Statement& row, T value) { row.put(value); }
  static T take(ResultRow& row) { return static_cast<T>(row.integer()); }
};

template <>
struct Stored<double> {
  static constexpr const char* kType = "REAL";
  static constexpr bool kIsNullable = false;
  static void put(Statement& row, double value) { row.put(value); }
  static double take(ResultRow& row) { return row.real(); }
};

template <>
struct Stored<std::string> {
  static constexpr const char* kType = "TEXT";
  static constexpr bool kIsNullable = false;
  static void put(Statement& row, const std::string& value) { row.put(value); }
  static std::string take(ResultRow& row) { return row.text(); }
};

/// The last enumerator of a stored enum, and a phrase for the error about a larger number.
template <class Enum>
struct LastEnumerator {
  Enum last{};
  const char* unknown = nullptr;
};

/// Specialize it for each stored enum.
template <class Enum>
inline constexpr LastEnumerator<Enum> kLast{};

[[noreturn]] void throw_unknown(const char* what, std::int64_t number);

/// Returns the enumerator with this number, which was read from a file. Throws ReportError for an invalid number.
template <class Enum>
Enum enum_from_number(std::int64_t number) {
  static_assert(kLast<Enum>.unknown != nullptr);
  if (number < 0 || number > static_cast<std::int64_t>(kLast<Enum>.last)) throw_unknown(kLast<Enum>.unknown, number);
  return static_cast<Enum>(number);
}

/// Stores the number of an enumerator.
template <class T>
requires std::is_enum_v<T>
struct Stored<T> {
  static constexpr const char* kType = "INTEGER";
  static constexpr bool kIsNullable = false;
  static void put(Statement& row, T value) { row.put(static_cast<std::int64_t>(value)); }
  static T take(ResultRow& row) { return enum_from_number<T>(row.integer()); }
};

template <class T>
struct Stored<std::optional<T>> {
  static constexpr const char* kType = Stored<T>::kType;
  static constexpr bool kIsNullable = true;
  static void put(Statement& row, const std::optional<T>& value) {
    value ? Stored<T>::put(row, *value) : static_cast<void>(row.put_null());
  }
  static std::optional<T> take(ResultRow& row) {
    if (!row.at_null()) return Stored<T>::take(row);
    row.skip(1);
    return std::nullopt;
  }
};

/// One column and its field. `Access` is a pointer to a member, or a function from a record to its field.
template <class Access, class As>
struct Column {
  std::string_view name;
  Access access;
  std::string_view about;

  static constexpr int kCount = 1;
  static constexpr bool kIsRead = true;
  template <class Visit>
  void each(std::string_view prefix, const Visit& visit) const {
    visit(DeclaredColumn{{std::string(prefix) + std::string(name), As::kType, As::kIsNullable}, std::string(about)});
  }
  template <class Record>
  void put(Statement& row, const Record& record) const {
    As::put(row, std::invoke(access, record));
  }
  template <class Record>
  void take(ResultRow& row, Record& record) const {
    std::invoke(access, record) = As::take(row);
  }
};

template <class Record, class Value>
constexpr auto column(std::string_view name, Value Record::*field, std::string_view about = "") {
  return Column<Value Record::*, Stored<Value>>{name, field, about};
}

/// A column that stores its values as `As` defines.
template <class As, class Access>
constexpr auto column_as(std::string_view name, Access access, std::string_view about = "") {
  return Column<Access, As>{name, access, about};
}

/// A column that is computed from a record and written for SQL queries, but never read into a record.
template <class Compute>
struct Computed {
  std::string_view name;
  Compute compute;
  std::string_view about;

  static constexpr int kCount = 1;
  static constexpr bool kIsRead = false;
  template <class Visit>
  void each(std::string_view prefix, const Visit& visit) const {
    visit(DeclaredColumn{{std::string(prefix) + std::string(name), "INTEGER", false}, std::string(about)});
  }
  template <class Record>
  void put(Statement& row, const Record& record) const {
    row.put(std::int64_t{compute(record)});
  }
  template <class Record>
  void take(ResultRow&, Record&) const {}
};

template <class Compute>
constexpr auto computed(std::string_view name, Compute compute, std::string_view about) {
  return Computed<Compute>{name, compute, about};
}

/// The columns of a part of a record.
template <class Access, class... Columns>
struct Part {
  Access access;
  std::tuple<Columns...> columns;

  static constexpr int kCount = (Columns::kCount + ...);
  static constexpr bool kIsRead = true;
  template <class Visit>
  void each(std::string_view prefix, const Visit& visit) const {
    std::apply([&](const auto&... one) { (one.each(prefix, visit), ...); }, columns);
  }
  template <class Record>
  void put(Statement& row, const Record& record) const {
    const auto& part = std::invoke(access, record);
    std::apply([&](const auto&... one) { (one.put(row, part), ...); }, columns);
  }
  template <class Record>
  void take(ResultRow& row, Record& record) const {
    auto& part = std::invoke(access, record);
    std::apply([&](const auto&... one) { (one.take(row, part), ...); }, columns);
  }
};

template <class Access, class... Columns>
constexpr auto part(Access access, std::tuple<Columns...> columns) {
  return Part<Access, Columns...>{access, columns};
}

/// The columns of a part that a record may lack. If the part is absent, all its columns are NULL; otherwise, the first
/// is not NULL.
template <class Whole, class Value, class... Columns>
struct OptionalPart {
  std::string_view prefix;  ///< prefix of the part's column names
  std::optional<Value> Whole::*access;
  std::tuple<Columns...> columns;

  static constexpr int kCount = (Columns::kCount + ...);
  static constexpr bool kIsRead = true;
  template <class Visit>
  void each(std::string_view before, const Visit& visit) const {
    const auto nullable = [&](DeclaredColumn shape) {
      shape.is_nullable = true;
      visit(std::move(shape));
    };
    const std::string all = std::string(before) + std::string(prefix);
    std::apply([&](const auto&... one) { (one.each(all, nullable), ...); }, columns);
  }
  template <class Record>
  void put(Statement& row, const Record& record) const {
    const std::optional<Value>& part = record.*access;
    if (!part) {
      row.put_null(kCount);
      return;
    }
    std::apply([&](const auto&... one) { (one.put(row, *part), ...); }, columns);
  }
  template <class Record>
  void take(ResultRow& row, Record& record) const {
    std::optional<Value>& part = record.*access;
    if (row.at_null()) {
      part.reset();
      row.skip(kCount);
      return;
    }
    Value& value = part.emplace();
    std::apply([&](const auto&... one) { (one.take(row, value), ...); }, columns);
  }
};

template <class Whole, class Value, class... Columns>
constexpr auto optional_part(std::string_view prefix, std::optional<Value> Whole::*access,
                             std::tuple<Columns...> columns) {
  return OptionalPart<Whole, Value, Columns...>{prefix, access, columns};
}

/// A table, or those columns of a table that are written together. `keys` are integer columns outside of the record,
/// such as the run.
template <class Record, std::size_t kKeys, class... Columns>
struct Table {
  using RecordType = Record;

  std::string_view name;
  std::array<std::string_view, kKeys> keys;
  std::tuple<Columns...> columns;

  /// Calls `visit` with the shape of each column of a record, in order. `for_reading` leaves out computed columns.
  template <class Visit>
  void each_column(const Visit& visit, bool for_reading = false) const {
    std::apply(
        [&](const auto&... one) {
          ((for_reading && !std::remove_cvref_t<decltype(one)>::kIsRead ? void() : one.each("", visit)), ...);
        },
        columns);
  }
  void put(Statement& row, const Record& record) const {
    std::apply([&](const auto&... one) { (one.put(row, record), ...); }, columns);
  }
  void take(ResultRow& row, Record& record) const {
    std::apply([&](const auto&... one) { (one.take(row, record), ...); }, columns);
  }
};

template <class Record, std::size_t kKeys, class... Columns>
constexpr auto table(std::string_view name, std::array<std::string_view, kKeys> keys, std::tuple<Columns...> columns) {
  return Table<Record, kKeys, Columns...>{name, keys, columns};
}

template <class... Names>
constexpr std::array<std::string_view, sizeof...(Names)> keys(Names... names) {
  return {std::string_view(names)...};
}

/// Returns the columns of a declaration for a SELECT: "l.segment, l.loss_id", with `alias` "l.".
template <class Declared>
std::string columns_of(const Declared& declared, std::string_view alias = "") {
  std::string list;
  declared.each_column(
      [&](const ColumnType& column) { (list += list.empty() ? "" : ", ").append(alias).append(column.name); }, true);
  return list;
}

/// Returns the SELECT of a table's columns after those of `first`, up to FROM: "SELECT id, text FROM signature ".
template <class Declared>
std::string select_from(const Declared& declared, std::string_view first = "") {
  std::string sql = "SELECT " + std::string(first) + (first.empty() ? "" : ", ") + columns_of(declared) + " FROM ";
  return sql.append(declared.name).append(" ");
}

/// Returns `verb` (INSERT, or kInsertOrReplace) with all keys and columns of a table and their parameters.
template <class Declared>
std::string insert_into(const Declared& declared, std::string_view verb = "INSERT") {
  std::string names;
  std::string parameters;
  const auto add = [&](std::string_view name) {
    (names += names.empty() ? "" : ", ").append(name);
    parameters += parameters.empty() ? "?" : ",?";
  };
  for (const std::string_view key : declared.keys) add(key);
  declared.each_column([&](const ColumnType& column) { add(column.name); });
  std::string sql = std::string(verb) + " INTO ";
  return sql.append(declared.name) + " (" + names + ") VALUES (" + parameters + ")";
}

/// Returns an UPDATE of the columns of a declaration, with `id` as its last parameter.
template <class Declared>
std::string update_of(const Declared& declared) {
  std::string settings;
  declared.each_column(
      [&](const ColumnType& column) { (settings += settings.empty() ? "" : ", ").append(column.name).append(" = ?"); });
  std::string sql = "UPDATE ";
  return sql.append(declared.name) + " SET " + settings + " WHERE id = ?";
}

inline constexpr std::string_view kInsertOrReplace = "INSERT OR REPLACE";

/// A prepared INSERT of one table.
template <const auto& kDeclared>
class Insert {
  using Declared = std::remove_cvref_t<decltype(kDeclared)>;

 public:
  explicit Insert(Database& database, std::string_view verb = "INSERT", std::string_view rest = "")
      : statement_(database, insert_into(kDeclared, verb).append(rest)) {}

  /// Binds the keys and a record, which must live until the statement is executed.
  template <class... Keys>
  Statement& put(const typename Declared::RecordType& record, Keys... keys) {
    static_assert(sizeof...(Keys) == std::tuple_size_v<decltype(Declared::keys)>);
    (statement_.put(keys), ...);
    kDeclared.put(statement_, record);
    return statement_;
  }
  template <class... Keys>
  void operator()(const typename Declared::RecordType& record, Keys... keys) {
    put(record, keys...).execute();
  }

 private:
  Statement statement_;
};

/// Updates the columns of a declaration in the row with this id.
template <class Declared>
void update(Database& database, const Declared& declared, const typename Declared::RecordType& record,
            std::int64_t id) {
  Statement row(database, update_of(declared));
  declared.put(row, record);
  row.put(id).execute();
}

/// Reads the columns of a declaration, which must be the next ones of the row.
template <class Declared>
typename Declared::RecordType take(ResultRow& row, const Declared& declared) {
  typename Declared::RecordType record{};
  declared.take(row, record);
  return record;
}

/// Returns the records of a run in a table. `order` begins with ORDER BY.
template <class Declared>
auto records_of(Database& database, const Declared& declared, std::int64_t run, std::string_view order = "") {
  return rows_of(
      database, (select_from(declared) + "WHERE run = ? ").append(order),
      [&](Statement& row) { return take(row, declared); }, run);
}

}  // namespace ampprof::store

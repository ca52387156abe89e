/// Why a listings file is not valid.
package enum ListingsError: Error, Equatable {
  case notText
  case columns(found: String)
  /// A line is not valid; lines are counted from 1, with the heading.
  case line(Int, ListingsLineFault)
  case empty
}

/// What is wrong with one line of a listings file.
package enum ListingsLineFault: Error, Equatable {
  case fieldCount(Int)
  /// The line has a quotation mark; quoted fields are not supported.
  case quotation
  /// A field has a value that its column does not allow.
  case field(column: String, text: String, wanted: String)
}

extension ListingsError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notText:
      "The listings file is not UTF-8 text."
    case .columns(let found):
      "The listings file begins with '\(found)'; the columns must be '\(ListingsFile.columns.joined(separator: ","))'."
    case .line(let number, .fieldCount(let count)):
      "Line \(number) of the listings file has \(count) fields instead of \(ListingsFile.columns.count)."
    case .line(let number, .quotation):
      "Line \(number) of the listings file has a quotation mark; its fields must be plain."
    case .line(let number, .field(let column, let text, let wanted)):
      "Line \(number) of the listings file has '\(text.prefix(40))' as \(column); wanted: \(wanted)."
    case .empty:
      "The listings file has no homes."
    }
  }
}

/// Why a listings file was refused.
public enum ListingsError: Error, Equatable {
  /// The file cannot be read; the text is the system's own.
  case unreadable(path: String, reason: String)
  /// The bytes are no UTF-8 text.
  case notText
  /// The first line names other columns.
  case columns(found: String)
  /// A line breaks the rules; counted from 1, the heading included.
  case line(Int, ListingsLineFault)
  /// There is a heading and nothing below it.
  case empty
}

/// What is wrong with one line of a listings file.
public enum ListingsLineFault: Error, Equatable {
  /// The line has too many or too few fields.
  case fieldCount(Int)
  /// The file has no quoted fields, so a quotation mark is a fault.
  case quotation
  /// A field's text is not what its column holds.
  case field(column: String, text: String, wanted: String)
}

extension ListingsError: CustomStringConvertible {
  /// One sentence that names the line, the column and what was wanted.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "The listings file \(path) cannot be read: \(reason)"
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

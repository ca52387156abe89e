/// The text of a request file, with its lines.
package struct SourceText: Sendable {
  /// The maximum size of a file.
  package static let maximumBytes = 4 << 20

  /// The name that reports show.
  package let name: String
  let scalars: [Unicode.Scalar]
  private let lineStarts: [Int]

  /// Creates a text of the bytes of a file; a byte order mark is ignored.
  ///
  /// - Throws: ``FileFault`` if it is longer than ``maximumBytes``, is not UTF-8 or has a zero byte.
  package init(name: String, bytes: [UInt8]) throws(FileFault) {
    guard bytes.count <= Self.maximumBytes else {
      throw FileFault("The file has more than \(Self.maximumBytes >> 20) MiB; divide it.", at: .start)
    }
    // The valid beginning is still decoded, so that the report shows the line.
    let fault = Self.firstFault(in: bytes)
    let readable = bytes.prefix(fault ?? bytes.count)
    var text = String(decoding: readable, as: UTF8.self).unicodeScalars[...]
    if text.first == "\u{FEFF}" { text = text.dropFirst() }
    self.init(name: name, scalars: Array(text))
    guard fault == nil else {
      let line = lineStarts.count
      throw FileFault(
        "Line \(line) is not text in UTF-8, or has a zero byte; send binary content with file,NAME;.",
        at: Span(start: scalars.count, end: scalars.count))
    }
  }

  /// Creates a text of a string.
  package init(name: String, text: String) {
    self.init(name: name, scalars: Array(text.unicodeScalars))
  }

  private init(name: String, scalars: [Unicode.Scalar]) {
    (self.name, self.scalars) = (name, scalars)
    lineStarts = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
  }

  /// Returns the index of the first byte that is not text.
  private static func firstFault(in bytes: [UInt8]) -> Int? {
    let zero = bytes.firstIndex(of: 0)
    guard String(validating: bytes, as: UTF8.self) == nil else { return zero }
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var index = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): index += UTF8.width(scalar)
      case .emptyInput: return zero
      case .error: return min(zero ?? index, index)
      }
    }
  }

  /// Returns the line and the column of a place, counted from 1.
  package func position(of span: Span) -> (line: Int, column: Int) {
    // The last line that starts at or before the place.
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= span.start { low = middle } else { high = middle }
    }
    return (low + 1, span.start - lineStarts[low] + 1)
  }

  /// Returns the lines that report a fault: place and message, the line of the file, and a caret under it.
  package func report(_ fault: FileFault) -> [String] {
    let (line, column) = position(of: fault.span)
    let start = lineStarts[line - 1]
    let end = scalars[start...].firstIndex { $0 == "\n" || $0 == "\r" } ?? scalars.count
    // A long line is cut around the place.
    let first = max(start, fault.span.start - 60)
    let last = min(end, first + 100)
    guard first <= last else { return ["\(name):\(line):\(column): \(fault.message)"] }
    let shown = scalars[first..<last].map { $0 == "\t" ? " " : $0 }
    let number = "\(line)"
    let caretColumn = fault.span.start - first
    let width = max(1, min(fault.span.end, last) - fault.span.start)
    let margin = String(repeating: " ", count: number.count)
    return [
      "\(name):\(line):\(column): \(fault.message)",
      " \(number) | \(String(String.UnicodeScalarView(shown)))",
      " \(margin) | \(String(repeating: " ", count: caretColumn))\(String(repeating: "^", count: width))",
    ]
  }
}

/// A part of a ``SourceText``, by the indices of its scalars.
package struct Span: Sendable, Hashable {
  package let start: Int
  package let end: Int

  /// The beginning of a file.
  static let start = Span(start: 0, end: 0)
}

/// What is wrong with a request file or with the response to a request, and where in the file.
package struct FileFault: Error, Sendable, Hashable {
  /// What has failed.
  package enum Kind: Sendable, Hashable {
    /// The file is malformed, or lacks a variable.
    case file
    /// The response is not as expected, or a capture finds nothing.
    case assertion
  }

  package let kind: Kind
  /// A sentence that names the culprit and, for a file, the remedy.
  package var message: String
  package let span: Span

  package init(_ message: String, at span: Span, kind: Kind = .file) {
    (self.kind, self.message, self.span) = (kind, message, span)
  }
}

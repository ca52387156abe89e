public import HTTPTypes

/// A header field of the command line: `Name: value`, or `Name;` for an empty value, as with curl.
public struct HeaderArgument: Sendable, Hashable {
  /// The field.
  public let field: HTTPField

  /// Parses a field.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/usage``; its text has the name, but never the value.
  public init(_ text: String) throws(ToolFailure) {
    // swift-http-types would replace a line break in a value by a space.
    guard !text.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
      throw Self.fault("contains a line break or a zero byte; remove it, or pass each field with its own -H")
    }
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      guard text.utf8.last == UInt8(ascii: ";"), let name = HTTPField.Name(String(text.dropLast())) else {
        throw Self.fault("has no colon; write it as 'Name: value', or as 'Name;' for an empty value")
      }
      field = HTTPField(name: name, value: "")
      return
    }
    let nameText = String(text[..<colon])
    guard let name = HTTPField.Name(nameText) else {
      throw Self.fault("has a name that is no field name: \"\(Printable.text(nameText))\"")
    }
    let value = Self.trimmed(text[text.utf8.index(after: colon)...])
    guard !value.isEmpty else {
      throw Self.fault("\(name.rawName) has no value; write '\(name.rawName);' to send an empty one")
    }
    guard HTTPField.isValidValue(value) else {
      throw Self.fault("\(name.rawName) has a value with a control character; remove it")
    }
    field = HTTPField(name: name, value: value)
  }

  /// Parses the lines of a file of fields; empty lines, and those that start with `#`, are ignored.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/usage``, which names the line.
  public static func fields(inFile text: String) throws(ToolFailure) -> [HTTPField] {
    var fields: [HTTPField] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      guard !line.allSatisfy(\.isWhitespace), line.utf8.first != UInt8(ascii: "#") else { continue }
      do throws(ToolFailure) {
        fields.append(try HeaderArgument(String(line)).field)
      } catch {
        throw ToolFailure(error.status, "Line \(index + 1) of the file of header fields: \(error)")
      }
    }
    return fields
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let bytes = text.utf8.drop(while: isSpace)
    let end = bytes.lastIndex { !isSpace($0) }.map(bytes.index(after:)) ?? bytes.startIndex
    return String(text[bytes.startIndex..<end])
  }

  private static func fault(_ what: String) -> ToolFailure {
    ToolFailure(.usage, "A header field (-H) \(what).")
  }
}

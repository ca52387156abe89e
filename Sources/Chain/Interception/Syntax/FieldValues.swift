package import HTTPTypes

// A field's value is a sequence of bytes (RFC 9110, section 5.5). Nearly all are ASCII, and are parsed as
// strings; what is sent back, compared or shown is handled as bytes, because a string would replace those
// that are not UTF-8.

extension HTTPField {
  /// The value as text: decoded as UTF-8, or as ISO 8859-1 if it is not UTF-8 (RFC 9110, section 5.5).
  ///
  /// `value` replaces bytes that are not UTF-8 by U+FFFD; in this text `Jos\xE9.txt` is `José.txt`.
  package var text: String { withUnsafeBytesOfValue { FieldText.decoded($0) } }

  /// The bytes of the value.
  package var bytes: [UInt8] { withUnsafeBytesOfValue { Array($0) } }

  fileprivate var isEmpty: Bool { withUnsafeBytesOfValue { $0.isEmpty } }

  /// Whether the values have the same bytes.
  ///
  /// `==` also holds for strings that differ only in how their characters are composed.
  package func hasValue(of other: HTTPField) -> Bool {
    withUnsafeBytesOfValue { value in other.withUnsafeBytesOfValue { value.elementsEqual($0) } }
  }
}

/// A text of a field's value that is kept, compared and sent back as bytes, because it need not be UTF-8.
package struct FieldText: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The bytes, as received.
  package let bytes: [UInt8]

  /// Creates a text from its bytes.
  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Creates a text in UTF-8.
  package init(stringLiteral text: String) { bytes = Array(text.utf8) }

  /// The text for people: decoded as UTF-8, or as ISO 8859-1 if it is not UTF-8.
  package var description: String { Self.decoded(bytes) }

  /// Decodes bytes as UTF-8, or as ISO 8859-1 if they are not UTF-8.
  package static func decoded(_ bytes: some Collection<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
  }

  /// Decodes each byte as the character of ISO 8859-1 with its number, so that different bytes never have the
  /// same text.
  package static func latin1(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
    return text
  }
}

extension HTTPFields {
  /// Returns what the subscript does, without the cost of joining values if there is only one.
  package func value(of name: HTTPField.Name) -> String? {
    guard let index = firstIndex(where: { $0.name == name }) else { return nil }
    let isAlone = !self[(index + 1)...].contains { $0.name == name }
    return isAlone ? self[index].value : self[name]
  }

  /// Returns the bytes of the values with a name, joined as the subscript joins strings; nil without the
  /// field.
  package func bytes(of name: HTTPField.Name) -> [UInt8]? {
    guard let index = firstIndex(where: { $0.name == name }) else { return nil }
    let isAlone = !self[(index + 1)...].contains { $0.name == name }
    guard !isAlone else { return self[index].bytes }
    let separator = Array((name == .cookie ? "; " : ", ").utf8)
    return Array(self[fields: name].map(\.bytes).joined(separator: separator))
  }

  /// Whether other fields have the same names and bytes, in the same order for each name.
  ///
  /// `==` compares strings, in which all bytes that are not UTF-8 are the same character.
  package func haveValues(of other: HTTPFields) -> Bool {
    guard count == other.count else { return false }
    if zip(self, other).allSatisfy({ $0.name == $1.name && $0.hasValue(of: $1) }) { return true }
    return zip(sortedByName, other.sortedByName).allSatisfy { $0.name == $1.name && $0.hasValue(of: $1) }
  }

  /// The fields in the order of their names; those of one name keep their order.
  private var sortedByName: [HTTPField] {
    enumerated().sorted { left, right in
      (left.element.name.canonicalName, left.offset) < (right.element.name.canonicalName, right.offset)
    }.map(\.element)
  }
}

// MARK: Fields with one value

extension HTTPFields {
  /// Returns the field of a name that has at most one value, such as `Location`; nil without the field.
  ///
  /// Several fields with the same bytes count as one: intermediaries and frameworks repeat them (RFC 9110,
  /// section 5.3). An empty one beside another counts as nothing.
  ///
  /// - Throws: ``RepeatedFieldError`` if the values differ, because recipients read them differently.
  package func single(_ name: HTTPField.Name) throws(RepeatedFieldError) -> HTTPField? {
    var found: HTTPField?
    for field in self where field.name == name {
      guard let first = found, !first.isEmpty else {
        found = field
        continue
      }
      guard field.isEmpty || field.hasValue(of: first) else { throw RepeatedFieldError(self[fields: name]) }
    }
    return found
  }

  /// Returns the value of a name that has at most one; nil without the field, and if its values differ.
  ///
  /// Use it where a missing value is as safe as a wrong one is not, such as for a validator.
  package func singleValue(_ name: HTTPField.Name) -> String? { (try? single(name))?.value }

  /// The bytes of a value of a name that has at most one; nil without the field, and if its values differ.
  package subscript(text name: HTTPField.Name) -> FieldText? {
    get { (try? single(name)).map { FieldText($0.bytes) } }
    set { self[fields: name] = newValue.map { [HTTPField(name: name, value: $0.bytes)] } ?? [] }
  }

  /// The length of the content in bytes by `Content-Length`; nil without the field, and if it is malformed or
  /// states different lengths.
  ///
  /// A length that is repeated within one field counts as one, too (RFC 9110, section 8.6).
  package var contentLength: Int64? {
    let members = members(of: .contentLength)
    guard let first = members.first, members.allSatisfy({ $0 == first }),
      first.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(first)
  }

  /// The age of a response by `Age`; nil without the field, and if it is malformed.
  ///
  /// Of different ages the first one counts (RFC 9111, section 5.1).
  package var age: Duration? { members(of: .age).first.flatMap { DeltaSeconds.parse($0.utf8) } }
}

/// Reads a number of seconds, `delta-seconds` (RFC 9111, section 1.2.2).
package enum DeltaSeconds {
  /// The maximum number of seconds; a higher one is read as this one.
  @inlinable
  package static var maximum: Int64 { 1 << 31 }

  /// Parses a number of seconds; nil for anything but digits.
  @inlinable
  package static func parse(_ digits: some Sequence<UInt8>) -> Duration? {
    var number: Int64?
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = min((number ?? 0) * 10 + Int64(digit - 0x30), maximum)
    }
    return number.map { .seconds($0) }
  }
}

/// The error of a field that is repeated with different values, although a message has at most one.
package struct RepeatedFieldError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// The name of the field.
  package let name: HTTPField.Name
  /// The number of different values.
  package let count: Int
  private let shown: [String]

  /// Creates the error of fields with one name.
  init(_ fields: [HTTPField]) {
    var different: [HTTPField] = []
    for field in fields where !field.isEmpty && !different.contains(where: { $0.hasValue(of: field) }) {
      different.append(field)
    }
    name = fields.first?.name ?? .location
    count = different.count
    shown = Self.harmless.contains(name.canonicalName) ? different.prefix(3).map(Self.shown) : []
  }

  /// The field and its values without those that may be secret, and the remedy.
  package var description: String { "The response has \(clause); the server must send one." }

  /// The fault as a part of a sentence, such as `2 different values of Retry-After ("3", "5")`.
  package var clause: String {
    let values = shown.isEmpty ? "" : " (\(shown.map { "\"\($0)\"" }.joined(separator: ", ")))"
    return "\(count) different values of \(name.rawName)\(values)"
  }

  /// The fields whose values are no secrets: numbers and dates.
  private static let harmless: Set<String> = [
    "age", "content-length", "content-range", "date", "expires", "last-modified", "retry-after",
    "upload-complete", "upload-expires", "upload-length", "upload-offset",
  ]

  private static func shown(_ field: HTTPField) -> String {
    let text = field.text.unicodeScalars.prefix(40).map {
      (0x20...0x7E).contains($0.value) ? Character($0) : "?"
    }
    return String(text)
  }
}

// MARK: Lists

/// The members of a field whose value is a list separated by commas (RFC 9110, section 5.6.1).
package enum FieldList {
  /// Returns the members of one value, without surrounding white space.
  ///
  /// Empty members count as nothing, as every recipient must read them, and commas within quoted strings
  /// don't separate.
  package static func members(of value: some StringProtocol) -> [Substring] {
    let text = Substring(value)
    // Most values are one member, and need not be split.
    if text.utf8.withContiguousStorageIfAvailable(isOneMember) == true { return [text] }
    return parts(of: text.utf8, at: UInt8(ascii: ",")).parts.compactMap {
      $0.isEmpty ? nil : Substring($0)
    }
  }

  /// Whether a value has no comma, and no white space around it.
  private static func isOneMember(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = value.first, let last = value.last else { return false }
    return first > 0x20 && last > 0x20 && !value.contains(UInt8(ascii: ","))
  }

  /// Splits a value at a separator outside of quoted strings, and removes the white space around the parts.
  ///
  /// - Returns: The parts, also empty ones, and whether each quoted string has an end.
  package static func parts<Bytes: BidirectionalCollection<UInt8>>(
    of value: Bytes, at separator: UInt8
  ) -> (parts: [Bytes], isComplete: Bool) where Bytes.SubSequence == Bytes {
    var parts: [Bytes] = []
    var start = value.startIndex
    var (isQuoted, isEscaped) = (false, false)
    for index in value.indices {
      switch value[index] {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isQuoted: isEscaped = true
      case UInt8(ascii: "\""): isQuoted.toggle()
      case separator where !isQuoted:
        parts.append(value[start..<index].trimmingWhitespace())
        start = value.index(after: index)
      default: break
      }
    }
    parts.append(value[start...].trimmingWhitespace())
    return (parts, !isQuoted)
  }
}

extension HTTPFields {
  /// Returns the members of all fields of a name, in order; none without the field.
  package func members(of name: HTTPField.Name) -> [Substring] {
    var members: [Substring] = []
    for field in self where field.name == name { members += FieldList.members(of: field.value) }
    return members
  }

  /// The codings of the content in lower case, in the order in which they were applied (RFC 9110, section
  /// 8.4); empty if the content is not coded.
  ///
  /// Empty members count as nothing, and so do `identity` and `none`, which servers and object stores send
  /// for content without a coding.
  package var contentCodings: [String] {
    members(of: .contentEncoding).compactMap { member in
      switch member.lowercased() {
      case "identity", "none": nil
      // Equivalent names (section 8.4.1).
      case "x-gzip": "gzip"
      case "x-compress": "compress"
      case let name: name
      }
    }
  }

  /// The codings of the content as one, such as "br, gzip"; nil if the content is not coded.
  package var contentCoding: ContentCoding? {
    let codings = contentCodings
    return codings.isEmpty ? nil : ContentCoding(codings.joined(separator: ", "))
  }

  /// The media type of the content with its parameters, by the last valid value of `Content-Type`; nil
  /// without the field, and if it is empty.
  ///
  /// If the field is repeated, frameworks have added their default to the type that the app stated, and
  /// browsers use the last valid one (Fetch Standard, section 3.5). If none is valid, it is the last one, for
  /// an error to show.
  package var mediaType: String? {
    guard let index = firstIndex(where: { $0.name == .contentType }) else { return nil }
    let first = self[index].value
    let isAlone = !self[(index + 1)...].contains { $0.name == .contentType }
    if isAlone, !first.isEmpty, !first.utf8.contains(UInt8(ascii: ",")) { return first }
    let members = members(of: .contentType)
    let valid = members.last { MediaTypeSyntax.isValid(String($0)) && !$0.hasPrefix("*/*") }
    return (valid ?? members.last).map(String.init)
  }
}

import Cryptography
import HTTPTypes
import Interception

/// A buffer in which the text that a signature covers is written, without intermediate strings.
struct CanonicalText {
  private(set) var bytes: [UInt8] = []

  init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Appends a text in UTF-8.
  mutating func append(_ text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { bytes.append(contentsOf: $0) }
    if isDone == nil { bytes.append(contentsOf: text.utf8) }
  }

  mutating func append(_ text: [UInt8]) { bytes.append(contentsOf: text) }

  mutating func append(_ text: ArraySlice<UInt8>) { bytes.append(contentsOf: text) }

  mutating func append(_ text: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: text) }

  mutating func append(byte: UInt8) { bytes.append(byte) }

  /// Appends a line break.
  mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  /// Appends a hash as 64 lower-case hexadecimal digits.
  mutating func append(_ hash: HashValue) { hash.withBytes { append(hexadecimal: $0) } }

  /// Appends the value of a field without white space at its ends, and with each run of white space replaced
  /// by one space.
  mutating func append(valueOf field: HTTPField) {
    field.withUnsafeBytesOfValue { value in
      guard Self.hasSurplusSpace(value) else { return bytes.append(contentsOf: value) }
      var isPending = false
      let start = bytes.count
      for byte in value {
        if byte == 0x20 || byte == 0x09 {
          isPending = true
        } else {
          if isPending, bytes.count > start { bytes.append(0x20) }
          isPending = false
          bytes.append(byte)
        }
      }
    }
  }

  /// Appends the percent-encoding of an octet: unreserved characters (RFC 3986, section 2.3) stay as they
  /// are, every other octet is written as two upper-case hexadecimal digits.
  mutating func append(encoding byte: UInt8) {
    if PercentEncoding.isUnreserved(byte) {
      bytes.append(byte)
    } else {
      PercentEncoding.append(byte, to: &bytes)
    }
  }

  /// Appends the percent-encoding of a text.
  mutating func append(encoding text: some Sequence<UInt8>) {
    for byte in text { append(encoding: byte) }
  }

  /// Whether a value has white space at an end, two spaces in a row, or a tab; nearly none has.
  private static func hasSurplusSpace(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    var previous: UInt8 = 0x20
    for byte in value {
      if byte == 0x09 || (byte == 0x20 && previous == 0x20) { return true }
      previous = byte
    }
    return previous == 0x20
  }

  /// Appends the last lines of a canonical request: the sorted pairs of the query, the covered fields, their
  /// names and the hash of the content.
  mutating func append(_ pairs: CanonicalPairs, _ covered: CanonicalFields, contentHash: String) {
    var pairs = pairs
    pairs.sort()
    pairs.write(to: &self)
    endLine()
    covered.writeLines(to: &self)
    endLine()
    covered.writeNames(to: &self)
    endLine()
    append(contentHash)
  }

  private mutating func append(hexadecimal octets: UnsafeRawBufferPointer) {
    for octet in octets {
      bytes.append(Self.lowerDigit(octet >> 4))
      bytes.append(Self.lowerDigit(octet & 15))
    }
  }

  private static func lowerDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  /// The text.
  var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// The header fields that a signature covers, sorted by name.
struct CanonicalFields {
  private var fields: [HTTPField] = []

  init(reserving capacity: Int) { fields.reserveCapacity(capacity) }

  /// Adds a field; fields of the same name keep their order.
  mutating func insert(_ field: HTTPField) {
    // A request has few fields, and libraries add them almost sorted.
    var place = fields.count
    while place > 0, field.name.canonicalName < fields[place - 1].name.canonicalName { place -= 1 }
    fields.insert(field, at: place)
  }

  /// Writes a line for each name: the name in lower case, a colon, and the values, joined by commas.
  ///
  /// swift-http-types keeps a field for each cookie, but one is sent, joined by semicolons (RFC 6265, section
  /// 5.4).
  func writeLines(to text: inout CanonicalText) {
    for index in fields.indices {
      let name = fields[index].name.canonicalName
      if index > 0, fields[index - 1].name.canonicalName == name {
        text.append(fields[index].name == .cookie ? "; " : ",")
      } else {
        if index > 0 { text.endLine() }
        text.append(name)
        text.append(byte: UInt8(ascii: ":"))
      }
      text.append(valueOf: fields[index])
    }
    if !fields.isEmpty { text.endLine() }
  }

  /// Writes the names, joined by semicolons.
  func writeNames(to text: inout CanonicalText) {
    for index in fields.indices {
      let name = fields[index].name.canonicalName
      if index > 0 {
        if fields[index - 1].name.canonicalName == name { continue }
        text.append(byte: UInt8(ascii: ";"))
      }
      text.append(name)
    }
  }
}

/// A time in the forms that signatures use, in UTC and without fractions of a second.
struct SigningDate: Sendable, Hashable {
  /// Date and time in ISO 8601's extended format, such as `2015-08-30T12:36:00Z`.
  let extended: String

  /// Creates the form of a time in the years 0 to 9999.
  init(_ time: WallTime) {
    let date = CivilDate(secondsSince1970: time.seconds)
    extended = String(unsafeUninitializedCapacity: 20) { text in
      Self.write(date.year, count: 4, to: text, at: 0, then: UInt8(ascii: "-"))
      Self.write(date.month, count: 2, to: text, at: 5, then: UInt8(ascii: "-"))
      Self.write(date.day, count: 2, to: text, at: 8, then: UInt8(ascii: "T"))
      Self.write(date.hour, count: 2, to: text, at: 11, then: UInt8(ascii: ":"))
      Self.write(date.minute, count: 2, to: text, at: 14, then: UInt8(ascii: ":"))
      Self.write(date.second, count: 2, to: text, at: 17, then: UInt8(ascii: "Z"))
      return 20
    }
  }

  /// Date and time in ISO 8601's basic format, such as `20150830T123600Z`.
  var basic: String { String(extended.filter { $0 != "-" && $0 != ":" }) }

  /// The date in ISO 8601's basic format, such as `20150830`.
  var day: String { String(basic.prefix(8)) }

  private static func write(
    _ value: Int64, count: Int, to text: UnsafeMutableBufferPointer<UInt8>, at start: Int, then mark: UInt8
  ) {
    var rest = max(value, 0)
    for index in (start..<(start + count)).reversed() {
      text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    text[start + count] = mark
  }
}

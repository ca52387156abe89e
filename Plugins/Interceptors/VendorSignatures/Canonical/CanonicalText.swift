import Cryptography
import HTTPTypes

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
    if Self.isUnreserved(byte) {
      bytes.append(byte)
    } else {
      bytes.append(UInt8(ascii: "%"))
      bytes.append(Self.upperDigit(byte >> 4))
      bytes.append(Self.upperDigit(byte & 15))
    }
  }

  /// Appends the percent-encoding of a text.
  mutating func append(encoding text: some Sequence<UInt8>) {
    for byte in text { append(encoding: byte) }
  }

  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
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

  private mutating func append(hexadecimal octets: UnsafeRawBufferPointer) {
    for octet in octets {
      bytes.append(Self.lowerDigit(octet >> 4))
      bytes.append(Self.lowerDigit(octet & 15))
    }
  }

  private static func lowerDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  private static func upperDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
  }

  /// The text.
  var string: String { String(decoding: bytes, as: UTF8.self) }
}

import CCurlShims
import HTTPTypes
import Interception

/// A request's header lines as libcurl reads them: one after another, each ended by a zero byte.
struct HeaderBlock: Sendable, Equatable {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  /// Allocates the memory of further lines at once, for fields of usual length.
  mutating func reserve(lines: Int) {
    bytes.reserveCapacity(bytes.count + min(64 * lines, HeadLimit.bytes))
  }

  /// Appends `Name: value`, or `Name;` if the value is empty; the error names the field, never its value.
  mutating func append(_ field: HTTPField) throws(NetworkError) {
    let name = field.name.rawName
    // The type of a name guarantees a token, but for the colon before a pseudo-field of HTTP/2.
    guard let first = name.utf8.first, first != UInt8(ascii: ":") else {
      throw .invalidRequest("The field name \"\(name.printable)\" holds a forbidden byte; use a token.")
    }
    bytes.append(contentsOf: name.utf8)
    let isSafe = unsafe field.withUnsafeBytesOfValue { value in
      if value.isEmpty {
        bytes.append(UInt8(ascii: ";"))
      } else {
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
        unsafe bytes.append(contentsOf: value)
      }
      return unsafe Self.isSafe(value)
    }
    // swift-http-types has replaced these bytes by spaces; this is a check of what is sent.
    guard isSafe else {
      throw .invalidRequest("The value of the field \(name) holds a line break or a zero byte; remove it.")
    }
    endLine()
  }

  /// Appends all cookies in one field, because HTTP/1.1 permits one (RFC 6265, section 5.4).
  ///
  /// swift-http-types keeps a field for each cookie. The fields are joined for HTTP/2 too (RFC 9113, section
  /// 8.2.3), because a request is formatted before its protocol is known.
  mutating func append(cookies fields: [HTTPField]) throws(NetworkError) {
    guard let first = fields.first else { return }
    guard fields.count > 1 else { return try append(first) }
    let values = fields.map(\.bytes)
    // The fields have replaced the forbidden bytes, so the value is not changed.
    try append(HTTPField(name: first.name, lenientValue: Array(values.joined(separator: "; ".utf8))))
  }

  /// Appends a line that keeps libcurl from adding a field.
  mutating func suppress(_ name: String) { appendLine(name, ":") }

  /// Appends a line as it is; the caller knows that it holds no zero byte.
  mutating func appendLine(_ line: String, _ rest: String = "") {
    if bytes.isEmpty { bytes.reserveCapacity(256) }
    bytes.append(contentsOf: line.utf8)
    bytes.append(contentsOf: rest.utf8)
    endLine()
  }

  /// Whether there is neither a line break nor a zero byte; memchr compares many bytes at a time.
  private static func isSafe(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = value.baseAddress else { return true }
    return unsafe memchr(start, 0, value.count) == nil && memchr(start, 0x0A, value.count) == nil
      && memchr(start, 0x0D, value.count) == nil
  }

  private mutating func endLine() {
    bytes.append(0)
    count += 1
  }
}

/// Writes the head of a request that asks the server to switch protocols, as libcurl writes others.
enum UpgradeHead {
  /// Returns the request line, the lines of a block, and those of the upgrade (RFC 9110, section 7.8).
  ///
  /// The path and the lines were checked: they hold neither a line break nor, in the path, a space.
  static func bytes(path: String, _ headers: HeaderBlock, upgrade: String) -> [UInt8] {
    var bytes = Array("GET \(path) HTTP/1.1\r\n".utf8)
    for line in headers.bytes.split(separator: 0) { append(line, to: &bytes) }
    bytes += Array("Connection: Upgrade\r\nUpgrade: \(upgrade)\r\n\r\n".utf8)
    return bytes
  }

  /// Appends a line of a block, whose forms are libcurl's: `Name: value`, `Name;` without a value, and
  /// `Name:` for a field that is not sent.
  private static func append(_ line: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    let mark = line.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
    guard let mark else { return }
    let isAtEnd = mark == line.endIndex - 1
    if isAtEnd, line[mark] == UInt8(ascii: ":") { return }
    bytes += line[..<mark]
    bytes.append(UInt8(ascii: ":"))
    if !isAtEnd { bytes += line[(mark + 1)...] }
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }
}

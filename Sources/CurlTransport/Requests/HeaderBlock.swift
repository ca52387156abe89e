import HTTPTypes
import Interception

/// A request's header lines as libcurl reads them: one after another, each ended by a zero byte.
struct HeaderBlock: Sendable, Equatable {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  /// Appends `Name: value`, or `Name;` if the value is empty; the error names the field, never its value.
  mutating func append(_ field: HTTPField) throws(NetworkError) {
    let name = field.name.rawName
    guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") })
    else {
      throw .invalidRequest("The field name \"\(name.printable)\" holds a forbidden byte; use a token.")
    }
    bytes.append(contentsOf: name.utf8)
    let start = bytes.count
    unsafe field.withUnsafeBytesOfValue { value in
      if value.isEmpty {
        bytes.append(UInt8(ascii: ";"))
      } else {
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
        unsafe bytes.append(contentsOf: value)
      }
    }
    // swift-http-types has replaced these bytes by spaces; this is a check of what is sent.
    guard !bytes[start...].contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
      throw .invalidRequest("The value of the field \(name) holds a line break or a zero byte; remove it.")
    }
    endLine()
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

  private mutating func endLine() {
    bytes.append(0)
    count += 1
  }
}

import HTTPTypes
import Interception

extension RequestCheck {
  /// Returns the faults of the header fields: their number, size and characters.
  ///
  /// Names are tokens by their type. In values, swift-http-types has already replaced illegal bytes with
  /// spaces, except in values that were created leniently.
  func fields(_ fields: HTTPFields) -> [String] {
    var sentences: [String] = []
    var total = 0
    for field in fields {
      let bytes = field.name.rawName.utf8.count + field.value.utf8.count
      // HTTP/1.1 adds a colon, a space and a line break.
      total += bytes + 4
      if bytes > limits.fieldBytes {
        sentences.append(
          "Shorten the field \(Self.shown(field.name)); it has \(bytes) bytes, of at most \(limits.fieldBytes)."
        )
      }
      if !HTTPField.isValidValue(field.value) {
        sentences.append(
          "Remove control characters and outer white space from the field \(Self.shown(field.name)).")
      }
    }
    let count = fields.count
    if count > limits.fieldCount {
      sentences.append("Send fewer header fields; there are \(count), of at most \(limits.fieldCount).")
    }
    if total > limits.headerBytes {
      sentences.append(
        "Send shorter header fields; together they have \(total) bytes, of at most \(limits.headerBytes).")
    }
    return sentences
  }

  /// Returns the contradictions between the request and its fields about host and length.
  func framing(_ fields: HTTPFields, _ authority: String?, _ body: RequestBody) -> [String] {
    guard fields.contains(where: { Self.isAboutFraming($0.name) }) else { return [] }
    var sentences: [String] = []
    let hosts = fields.filter { $0.name.canonicalName == "host" }
    if let authority,
      hosts.contains(where: { $0.value.lowercased() != authority.lowercased() })
    {
      sentences.append(
        "Remove the field Host; it contradicts the request's authority, which is sent instead.")
    } else if hosts.count > 1 {
      sentences.append("Remove the field Host; it occurs more than once.")
    }
    if fields.contains(.transferEncoding) {
      sentences.append("Remove the field Transfer-Encoding; the dispatcher determines how a body is framed.")
    }
    let lengths = fields[values: .contentLength]
    guard let first = lengths.first else { return sentences }
    let isNumber = first.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard lengths.count == 1, isNumber, let announced = Int64(first) else {
      sentences.append(
        "Remove the field Content-Length; it must be a single number, which the dispatcher sets.")
      return sentences
    }
    if let length = body.length, length != announced {
      sentences.append(
        "Remove the field Content-Length; its value is \(announced), but the body has \(length) bytes.")
    }
    return sentences
  }

  /// Whether a field concerns host or length; dispatchers set these, so a request rarely contains one.
  private static func isAboutFraming(_ name: HTTPField.Name) -> Bool {
    switch name.canonicalName.utf8.first {
    case UInt8(ascii: "h"): name.canonicalName == "host"
    case UInt8(ascii: "t"): name == .transferEncoding
    case UInt8(ascii: "c"): name == .contentLength
    default: false
    }
  }

  /// Names come from code, but may be of any length.
  private static func shown(_ name: HTTPField.Name) -> String {
    name.rawName.utf8.count <= 64 ? name.rawName : "\(name.rawName.prefix(64))…"
  }
}

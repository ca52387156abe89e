import HTTPTypes
import Interception

extension RequestCheck {
  /// What is wrong with the header fields: their number, their size, their characters.
  ///
  /// Names are tokens by their type. Of values, swift-http-types has turned the illegal bytes into spaces,
  /// but for those that came in leniently.
  func fields(_ fields: HTTPFields) -> [String] {
    var sentences: [String] = []
    var total = 0
    for field in fields {
      let bytes = field.name.rawName.utf8.count + field.value.utf8.count
      // HTTP/1.1 writes a colon, a space and a line break besides.
      total += bytes + 4
      if bytes > limits.fieldBytes {
        sentences.append(
          "Shorten the field \(Self.shown(field.name)); it has \(bytes) bytes of the \(limits.fieldBytes) allowed."
        )
      }
      if !HTTPField.isValidValue(field.value) {
        sentences.append(
          "Remove control characters and outer white space from the field \(Self.shown(field.name)).")
      }
    }
    let count = fields.count
    if count > limits.fieldCount {
      sentences.append("Send fewer header fields; there are \(count) of the \(limits.fieldCount) allowed.")
    }
    if total > limits.headerBytes {
      sentences.append(
        "Send shorter header fields; together they have \(total) bytes of the \(limits.headerBytes) allowed.")
    }
    return sentences
  }

  /// What header fields say about host and length against what the request is.
  func framing(_ fields: HTTPFields, _ authority: String?, _ body: RequestBody) -> [String] {
    guard fields.contains(where: { Self.isAboutFraming($0.name) }) else { return [] }
    var sentences: [String] = []
    let hosts = fields.filter { $0.name.canonicalName == "host" }
    if let authority,
      hosts.contains(where: { $0.value.lowercased() != authority.lowercased() })
    {
      sentences.append(
        "Remove the field Host; it contradicts the request's authority, which takes its place.")
    } else if hosts.count > 1 {
      sentences.append("Remove the field Host; it is there more than once.")
    }
    if fields.contains(.transferEncoding) {
      sentences.append("Remove the field Transfer-Encoding; the dispatcher decides how a body is framed.")
    }
    let lengths = fields[values: .contentLength]
    guard let first = lengths.first else { return sentences }
    let isNumber = first.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard lengths.count == 1, isNumber, let announced = Int64(first) else {
      sentences.append(
        "Remove the field Content-Length; it must be one number, and the dispatcher writes it.")
      return sentences
    }
    if let length = body.length, length != announced {
      sentences.append(
        "Remove the field Content-Length; it says \(announced), but the body has \(length) bytes.")
    }
    return sentences
  }

  /// Whether a field says something about host or length; dispatchers write these, so a request rarely has
  /// one.
  private static func isAboutFraming(_ name: HTTPField.Name) -> Bool {
    switch name.canonicalName.utf8.first {
    case UInt8(ascii: "h"): name.canonicalName == "host"
    case UInt8(ascii: "t"): name == .transferEncoding
    case UInt8(ascii: "c"): name == .contentLength
    default: false
    }
  }

  /// A name comes from code, but nothing keeps it short.
  private static func shown(_ name: HTTPField.Name) -> String {
    name.rawName.utf8.count <= 64 ? name.rawName : "\(name.rawName.prefix(64))…"
  }
}

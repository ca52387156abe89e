import HTTPTypes
import Interception

/// Finds faults in a request that any server would refuse; a pure function of the request and the limits.
struct RequestCheck: Sendable {
  let limits: RequestLimits
  // There are only a few, so comparing is faster than hashing.
  private let schemes: [String]
  private let refusedMethods: [HTTPRequest.Method]

  init(limits: RequestLimits) {
    self.limits = limits
    schemes = limits.schemes.sorted(by: >)
    refusedMethods = Array(limits.refusedMethods)
  }

  /// Returns all faults, in the order of a request's parts.
  func faults(of request: Request) -> [RuleViolation] {
    let (head, body) = (request.head, request.body)
    let (method, scheme, authority, path) = (head.method, head.scheme, head.authority, head.path)
    var faults: [RuleViolation] = []
    func note(_ rule: String, _ sentence: String?) {
      if let sentence { faults.append(RuleViolation(rule: rule, sentence: sentence)) }
    }
    note("method", self.method(method))
    note("scheme", self.scheme(scheme))
    note("authority", Self.authority(authority))
    note("path", Self.path(path, method: method))
    note("url", length(scheme, authority, path))
    for sentence in fields(head.headerFields) { note("fields", sentence) }
    for sentence in framing(head.headerFields, authority, body) { note("framing", sentence) }
    note("body", self.body(body, method: method))
    return faults
  }

  private func method(_ method: HTTPRequest.Method) -> String? {
    // The type of a method guarantees that it is a token.
    guard !refusedMethods.contains(method) else {
      return "Use a method other than \(method.rawValue); the limits refuse it."
    }
    return nil
  }

  private func scheme(_ scheme: String?) -> String? {
    // The text for the sentence is created only if it is needed.
    if let scheme, !scheme.isEmpty, schemes.contains(scheme) { return nil }
    let allowed = limits.schemes.sorted().joined(separator: " or ")
    guard let scheme, !scheme.isEmpty else {
      return "Give the request a scheme, \(allowed); it has none."
    }
    guard limits.schemes.contains(scheme.lowercased()) else {
      return "Use the scheme \(allowed); \(Self.quoted(scheme)) is not allowed."
    }
    return nil
  }

  private func length(_ scheme: String?, _ authority: String?, _ path: String?) -> String? {
    let bytes = (scheme?.utf8.count ?? 0) + 3 + (authority?.utf8.count ?? 0) + (path?.utf8.count ?? 0)
    guard bytes > limits.urlBytes else { return nil }
    return
      "Shorten the URL, or send parameters in a body; it has \(bytes) bytes, of at most \(limits.urlBytes)."
  }

  private func body(_ body: RequestBody, method: HTTPRequest.Method) -> String? {
    if let fault = body.lengthFault { return fault }
    let length = body.length
    if length != 0, method == .get || method == .head, !limits.allowsBodyOfGet {
      return "Send the body with POST, PUT or PATCH, or remove it; \(method.rawValue) has none."
    }
    if let limit = limits.bodyBytes, let length, length > limit {
      return "Send a shorter body, or raise the limit; it has \(length) bytes, of at most \(limit)."
    }
    return nil
  }

  /// Returns a short text from outside in quotation marks, or a placeholder.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.count <= 20 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isPlain ? "\"\(text)\"" : "the given value"
  }
}

extension RequestCheck {
  /// Returns the faults of the header fields: their number, size and characters.
  ///
  /// Names are tokens by their type. In values, swift-http-types has already replaced illegal bytes with
  /// spaces, except in values that were created leniently.
  func fields(_ fields: HTTPFields) -> [String] {
    var sentences: [String] = []
    var total = 0
    for field in fields {
      let bytes = field.name.rawName.utf8.count + field.withUnsafeBytesOfValue(\.count)
      // HTTP/1.1 adds a colon, a space and a line break.
      total += bytes + 4
      if bytes > limits.fieldBytes {
        sentences.append(
          "Shorten the field \(Self.shown(field.name)); it has \(bytes) bytes, of at most \(limits.fieldBytes)."
        )
      }
      if !field.withUnsafeBytesOfValue({ HTTPField.isValidValue($0) }) {
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

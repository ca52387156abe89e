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

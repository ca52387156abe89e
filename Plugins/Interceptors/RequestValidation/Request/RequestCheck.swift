import HTTPTypes
import Interception

/// Finds the faults of a request that no server would take; a pure function of the request and the limits.
struct RequestCheck: Sendable {
  let limits: RequestLimits
  // Of the few there are, one is found sooner by comparing than by hashing.
  private let schemes: [String]
  private let refusedMethods: [HTTPRequest.Method]

  init(limits: RequestLimits) {
    self.limits = limits
    schemes = limits.schemes.sorted(by: >)
    refusedMethods = Array(limits.refusedMethods)
  }

  /// Everything that is wrong, in the order in which a request is written.
  func faults(of request: Request) -> [ValidationFault] {
    let (head, body) = (request.head, request.body)
    let (method, scheme, authority, path) = (head.method, head.scheme, head.authority, head.path)
    var faults: [ValidationFault] = []
    func note(_ rule: String, _ sentence: String?) {
      if let sentence { faults.append(ValidationFault(rule: rule, sentence: sentence)) }
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
    // That a method is a token, its type sees to.
    guard !refusedMethods.contains(method) else {
      return "Use another method than \(method.rawValue); the limits refuse it."
    }
    return nil
  }

  private func scheme(_ scheme: String?) -> String? {
    // What is put into a sentence is worked out where a sentence is told.
    if let scheme, !scheme.isEmpty, schemes.contains(scheme) { return nil }
    let allowed = limits.schemes.sorted().joined(separator: " or ")
    guard let scheme, !scheme.isEmpty else {
      return "Give the request a scheme, \(allowed); it has none."
    }
    guard limits.schemes.contains(scheme.lowercased()) else {
      return "Use the scheme \(allowed); \(Self.quoted(scheme)) is not allowed here."
    }
    return nil
  }

  private func length(_ scheme: String?, _ authority: String?, _ path: String?) -> String? {
    let bytes = (scheme?.utf8.count ?? 0) + 3 + (authority?.utf8.count ?? 0) + (path?.utf8.count ?? 0)
    guard bytes > limits.urlBytes else { return nil }
    return
      "Shorten the URL, or send parameters in a body; it has \(bytes) bytes of the \(limits.urlBytes) allowed."
  }

  private func body(_ body: RequestBody, method: HTTPRequest.Method) -> String? {
    if let fault = body.lengthFault { return fault }
    let length = body.length
    if length != 0, method == .get || method == .head, !limits.allowsBodyOfGet {
      return "Send the body with POST, PUT or PATCH, or drop it; \(method.rawValue) has none."
    }
    if let limit = limits.bodyBytes, let length, length > limit {
      return "Send a shorter body, or raise the limit; it has \(length) bytes of the \(limit) allowed."
    }
    return nil
  }

  /// A short text that came from outside, fit for a sentence.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.count <= 20 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isPlain ? "«\(text)»" : "what was given"
  }
}

import HTTPTypes
import Interception

/// Finds the faults of a request that no server would take; a pure function of the request and the limits.
struct RequestCheck: Sendable {
  let limits: RequestLimits

  /// Everything that is wrong, in the order in which a request is written.
  func faults(of request: Request) -> [ValidationFault] {
    var faults: [ValidationFault] = []
    func note(_ rule: String, _ sentence: String?) {
      if let sentence { faults.append(ValidationFault(rule: rule, sentence: sentence)) }
    }
    note("method", method(of: request.head))
    note("scheme", scheme(of: request.head))
    note("authority", Self.authority(request.head.authority))
    note("path", Self.path(request.head.path, method: request.head.method))
    note("url", length(of: request.head))
    for sentence in fields(of: request.head) { note("fields", sentence) }
    for sentence in framing(of: request) { note("framing", sentence) }
    note("body", body(of: request))
    return faults
  }

  private func method(of head: HTTPRequest) -> String? {
    // That a method is a token, its type sees to.
    guard !limits.refusedMethods.contains(head.method) else {
      return "Use another method than \(head.method.rawValue); the limits refuse it."
    }
    return nil
  }

  private func scheme(of head: HTTPRequest) -> String? {
    // What is put into a sentence is worked out where a sentence is told.
    if let scheme = head.scheme, !scheme.isEmpty, limits.schemes.contains(scheme) { return nil }
    let allowed = limits.schemes.sorted().joined(separator: " or ")
    guard let scheme = head.scheme, !scheme.isEmpty else {
      return "Give the request a scheme, \(allowed); it has none."
    }
    guard limits.schemes.contains(scheme.lowercased()) else {
      return "Use the scheme \(allowed); \(Self.quoted(scheme)) is not allowed here."
    }
    return nil
  }

  private func length(of head: HTTPRequest) -> String? {
    let bytes =
      (head.scheme?.utf8.count ?? 0) + 3 + (head.authority?.utf8.count ?? 0) + (head.path?.utf8.count ?? 0)
    guard bytes > limits.urlBytes else { return nil }
    return
      "Shorten the URL, or send parameters in a body; it has \(bytes) bytes of the \(limits.urlBytes) allowed."
  }

  private func body(of request: Request) -> String? {
    let method = request.head.method
    if method == .get || method == .head, !request.body.isEmpty, !limits.allowsBodyOfGet {
      return "Send the body with POST, PUT or PATCH, or drop it; \(method.rawValue) has none."
    }
    if let limit = limits.bodyBytes, let length = request.body.length, length > limit {
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

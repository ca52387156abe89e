import HTTPTypes

/// What errors and responses say of their request: the method, the URL without its query, the number of the
/// attempt, and why it was not sent again.
package enum RequestNote {
  /// Returns the note in brackets, after a space, such as " [GET https://api.example/homes, attempt 2; not
  /// sent again: it was the last attempt that the policy allows]"; an empty text if nothing is known.
  package static func text(
    of request: Request.Summary?, attempt: Int = 1, retryRefusal: Exchange.RetryRefusal? = nil
  ) -> String {
    var parts: [String] = []
    if let request { parts.append("\(request)") }
    if attempt > 1 { parts.append("attempt \(attempt)") }
    let sent = parts.joined(separator: ", ")
    let refusal = retryRefusal.map { "not sent again: \($0.clause)" }
    let text = [sent.isEmpty ? nil : sent, refusal].compactMap { $0 }.joined(separator: "; ")
    return text.isEmpty ? "" : " [\(text)]"
  }
}

extension Request.Summary: CustomStringConvertible {
  /// The method and the URL without its query, such as "GET https://api.example/homes".
  public var description: String { "\(method.rawValue) \(scheme)://\(authority)\(path)" }
}

extension Exchange.RetryRefusal {
  /// The reason as a clause, to follow "not sent again:".
  package var clause: String {
    switch reason {
    case .noAttemptsLeft: "it was the last attempt that the policy allows"
    case .notIdempotent:
      "the server may have processed it, and processing it twice is not safe for its method"
    case .bodyNotReplayable: "its body can be read only once"
    case .partlyTransferred: "a large part had been transferred, which would be repeated"
    case .retryAfterTooLong: "the server asks for a longer wait than the policy allows"
    case .noTimeLeft: "the wait would have exceeded the call's time limit"
    case .budgetSpent: "the origin has had as many retries as its budget allows for now"
    case .circuitOpen: "the circuit of its origin is open, because several requests in a row failed"
    }
  }
}

import HTTPTypes
public import Interception

/// The error underlying a request whose redirect was not followed: the rule that forbids it, and the hops.
public struct RedirectError: Error, LoggableError, Sendable, Hashable {
  /// A rule that forbids a redirect.
  public enum Rule: Sendable, Hashable {
    /// The request was already redirected this many times.
    case tooMany(limit: Int)
    /// The redirect leads from https to http.
    case downgrade
    /// The redirect leads to a URL of this scheme, such as `javascript`, which is neither http nor https.
    case scheme(String)
    /// The redirect leads from a public host to a private address.
    case privateAddress
    /// `Location` is not a URI reference, its authority is invalid, or there are different ones; the text
    /// says why.
    case invalidLocation(String)
    /// The redirect keeps the method and the body, but the body can be sent only once.
    case bodyNotReplayable
    /// The call permits no redirects; see `RedirectMode.refuse`.
    case refused
    /// The redirect leads to another origin, and the request has a body that may contain a password or a
    /// token, because its context's `sendsCredentials` is false.
    case secretBody
    /// The redirect leads to another origin, and the request's sender, such as a web view's page, may reach
    /// its own only.
    case otherOrigin
  }

  /// The rule.
  public let rule: Rule
  /// The requests, from the first one to the target that was refused, if that is an http URL.
  ///
  /// Each has the status that led to it, if any, its method, and its URL without query and fragment.
  package let hops: [String]
  /// The last of the `hops` from a request to the same one again, if the redirects lead in a circle until
  /// their limit; otherwise empty.
  var cycle: [String] = []

  /// Returns a hop without its query and fragment, and with at most 200 characters of the rest.
  static func shown(_ hop: String) -> String {
    let hop = Substring(hop.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    return hop.utf8.count > 200 ? "\(hop.prefix(200))…" : String(hop)
  }

  /// Returns the error that the chain throws.
  func networkError(attempt: Int) -> NetworkError {
    let kind: NetworkError.Kind =
      switch rule {
      case .bodyNotReplayable: .bodyNotReplayable
      case .invalidLocation: .protocolViolation
      case .tooMany, .downgrade, .scheme, .privateAddress, .refused, .secretBody, .otherOrigin: .rejected
      }
    // The redirect came in a response.
    return NetworkError(
      kind, description, requestMayHaveBeenProcessed: true, underlying: self, attempt: attempt)
  }
}

extension RedirectError: CustomStringConvertible {
  /// The rule, the remedy and the hops; of a cycle its hops alone.
  public var description: String {
    cycle.isEmpty
      ? "\(rule.description) Hops: \(hops.joined(separator: ", "))."
      : "\(rule.description) Cycle: \(cycle.joined(separator: ", "))."
  }
}

extension RedirectError.Rule: CustomStringConvertible {
  /// What the rule forbids, and what to do.
  public var description: String {
    switch self {
    case .tooMany(let limit):
      "The request was redirected more than \(limit) times; correct the server, or raise the limit."
    case .downgrade:
      "The redirect leads from https to http; correct the server, or set "
        + "RedirectInterceptor(allowsDowngrades:)."
    case .scheme(let scheme):
      "The redirect leads to a URL of the scheme \"\(scheme)\"; only http and https are followed. Read Location "
        + "yourself with the mode manual."
    case .privateAddress:
      "The redirect leads to a private address; correct the server, or set "
        + "RedirectInterceptor(allowsPrivateAddresses:)."
    case .invalidLocation(let fault):
      "The redirect's Location is invalid: \(fault); correct the server."
    case .bodyNotReplayable:
      "The redirect requires the body again, but it can be sent only once; make it .bytes, .file or "
        + ".sequence(length:makingEach:)."
    case .refused:
      "The server redirects, and the call permits no redirects; correct the URL, or use the mode follow."
    case .secretBody:
      "The redirect leads to another origin, and the request's body may contain a password or a token, because "
        + "sendsCredentials is false; correct the URL, or read Location yourself with the mode manual."
    case .otherOrigin:
      "The redirect leads to another origin, and the request may reach only its own; use the URL to which it "
        + "leads, or correct the server."
    }
  }
}

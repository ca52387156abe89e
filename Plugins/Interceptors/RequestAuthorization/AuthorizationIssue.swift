import HTTPTypes
public import Interception

/// All faults in the configuration of an ``AuthorizationInterceptor``.
public struct AuthorizationIssue: Error, LoggableError, Sendable, Hashable {
  /// One fault.
  package enum Fault: Sendable, Hashable {
    /// No origin is listed, so that the credentials would never be sent.
    case noOrigin
    /// A text is not an origin.
    case malformedOrigin(String)
  }

  /// The faults, in the order of the list.
  package let faults: [Fault]
}

extension AuthorizationIssue: CustomStringConvertible {
  /// One sentence per fault, with the remedy.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}

extension AuthorizationIssue.Fault: CustomStringConvertible {
  /// What is wrong, and what to do.
  package var description: String {
    switch self {
    case .noOrigin: "No origin receives the credentials; list the hosts of the API."
    case .malformedOrigin(let text):
      "\"\(text)\" is not an origin; write a host such as \"api.example.com\", with a port if it isn't 443, "
        + "and \"http://\" before it only if the credentials may be sent without encryption."
    }
  }
}

package import Mediation

/// Provokes a failure, to show how it is reported.
package struct FaultRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = """
    estate://fault/{kind:unknown-host|refused|wrong-name|untrusted|slow|unauthorized|broken|malformed|tampered|outdated|maintenance|moved|away|address-down|address-up}
    """

  package var kind: Fault

  package init(kind: Fault) { self.kind = kind }
}

/// The failures that can be provoked.
package enum Fault: String, Codable, CaseIterable, Sendable {
  /// A host name that does not resolve.
  case unknownHost = "unknown-host"
  /// A port on which no server listens.
  case refused
  /// A certificate for another name.
  case wrongName = "wrong-name"
  /// A certificate of an unknown authority.
  case untrusted
  /// A server that doesn't answer.
  case slow
  /// A request that needs a login, without one.
  case unauthorized
  /// A server that fails.
  case broken
  /// A response that is not JSON.
  case malformed
  /// A request that was changed after it was signed.
  case tampered
  /// A server that no longer serves this version of the app.
  case outdated
  /// A server that reports its maintenance in a response with status 200.
  case maintenance
  /// A listing whose address has changed, which the app follows.
  case moved
  /// A server that is away for two seconds, for which the app waits.
  case away
  /// A server that is no longer reached at its first address, which the app avoids.
  case addressDown = "address-down"
  /// The end of that: the server is reached at its first address again.
  case addressUp = "address-up"
}

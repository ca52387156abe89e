public import Mediation

/// What can go wrong, on purpose.
public enum Fault: String, RouteValue, CaseIterable, Hashable {
  /// A host that no DNS knows.
  case unknownHost = "unknown-host"
  /// A port on which nobody listens.
  case refused
  /// A certificate for another name.
  case wrongName = "wrong-name"
  /// A certificate that nobody vouches for.
  case untrusted
  /// A server that doesn't answer.
  case slow
  /// A request that needs a login, without one.
  case unauthorized
  /// A server that fails.
  case broken
  /// An answer that is no JSON.
  case malformed
  /// A request that was changed after it was signed.
  case tampered
}

import Cryptography
public import Interception
import Synchronization

/// The reason why a store can't tell whether a nonce was claimed before.
public struct NonceStoreError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with the store.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The store can't be reached or opened.
    case unreachable
    /// The store did not respond in time. It may have recorded the nonce.
    case timedOut
    /// The store has no space for another nonce.
    case full
    /// More claims wait for the store than it allows.
    case overloaded
    /// The store refuses the command, the credentials or the access.
    case refused
    /// The store is configured so that it may drop nonces before they expire.
    case unsuitable
    /// The store lost its nonces, or was created, after the request could have been accepted.
    ///
    /// It has recorded the nonce, and remembers all nonces again one window later.
    case forgotten
    /// The store's response is not one of its protocol.
    case malformed
  }

  /// What is wrong with the store.
  package let kind: Kind
  /// The fault, the store and the remedy, without any credential.
  public let description: String

  /// Whether the store lost its nonces, or was created, after the request could have been accepted.
  public var isForgotten: Bool { kind == .forgotten }

  /// Creates the error of a store that can't be used now; the description must not contain credentials.
  ///
  /// - Parameter isForgotten: Whether the store lost its nonces, or was created, after the request could have
  ///   been accepted. It must have recorded the nonce.
  public init(_ description: String, isForgotten: Bool = false) {
    self.init(isForgotten ? .forgotten : .unreachable, description)
  }

  /// Creates an error; the description must not contain credentials.
  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

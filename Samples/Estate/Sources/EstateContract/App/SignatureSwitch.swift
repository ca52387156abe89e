import Synchronization

/// The scheme with which requests are signed; it can be switched while the app runs.
package final class SignatureSwitch: Sendable {
  package enum Scheme: Sendable {
    /// That of `RequestSigning`, which also corrects a wrong clock.
    case package
    /// HTTP Message Signatures (RFC 9421), with signed responses.
    case messageSignatures
  }

  private let current = Mutex(Scheme.package)

  /// The scheme of the requests that start from now on.
  package var scheme: Scheme { current.withLock { $0 } }

  /// Uses a scheme for requests that start afterwards.
  package func use(_ scheme: Scheme) { current.withLock { $0 = scheme } }
}

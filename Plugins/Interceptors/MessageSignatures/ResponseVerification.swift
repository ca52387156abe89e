import HTTPTypes
import Interception
// Nonces and their stores are part of this module's interface, and shared with RequestSigning.
@_exported public import NonceStores

/// The keys and the policy with which ``MessageSigningInterceptor`` verifies responses.
public struct ResponseVerification: Sendable {
  let keys: any TrustedMessageKeySource
  let policy: SignaturePolicy
  let maximumBodySize: Int

  /// Creates a demand for signed responses; a response without a valid signature fails with a
  /// ``MessageSignatureError``, whatever its status.
  ///
  /// - Parameters:
  ///   - keys: The server's keys.
  ///   - policy: What a signature must have; by default it must cover the request's signature, so that the
  ///     response to another request is refused.
  ///   - maximumBodySize: The maximum length of a response in bytes, 8 MiB by default: it is collected in
  ///     memory, because nothing of it is authentic before its end.
  public init(
    keys: some TrustedMessageKeySource, policy: SignaturePolicy = .response, maximumBodySize: Int = 8 << 20
  ) {
    self.keys = keys
    self.policy = policy
    self.maximumBodySize = maximumBodySize
  }
}

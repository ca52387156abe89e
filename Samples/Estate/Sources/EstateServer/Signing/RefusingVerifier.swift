public import HTTPServing

/// Refuses every request; the verifier of a server that was given none.
public struct RefusingVerifier: RequestVerifying {
  /// Creates a verifier.
  public init() {}

  /// Throws `no_verifier`.
  public func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {
    throw SignatureRefusal(.noVerifier, "The server has no signature verifier, so it refuses every request.")
  }
}

/// Refuses every request: what a server has that was given no verifier.
public struct RefusingVerifier: RequestVerifying {
  /// A verifier that refuses.
  public init() {}

  /// Throws `no_verifier`, always.
  public func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {
    throw SignatureRefusal(.noVerifier, "The server has no signature verifier, so it refuses every request.")
  }
}

package import HTTPServing

/// Refuses every request; the verifier of a server that was given none.
package struct RefusingVerifier: RequestVerifying {
  package init() {}

  package func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {
    throw SignatureRefusal(.noVerifier, "The server has no signature verifier, so it refuses every request.")
  }
}

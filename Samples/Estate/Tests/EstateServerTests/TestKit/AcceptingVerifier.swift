import EstateServer
import HTTPServing

/// Accepts every request.
struct AcceptingVerifier: RequestVerifying {
  func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {}
}

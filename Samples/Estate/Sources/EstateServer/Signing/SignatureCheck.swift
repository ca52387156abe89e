import HTTPServing
import HTTPTypes

/// Admits requests that the verifier accepts.
///
/// It sees decoded bodies, because signatures cover the plain body.
struct SignatureCheck {
  let verifier: any RequestVerifying
  /// The paths that need no signature.
  ///
  /// They are compared byte by byte, so another spelling of a path that needs one is not a way around it.
  let unsignedPaths: Set<String>

  /// Returns if the request is admitted; throws its refusal as an error of the API.
  func admit(_ request: ReceivedRequest) async throws(APIError) {
    if unsignedPaths.contains(String(request.path)) { return }
    do {
      try await verifier.verify(request)
    } catch {
      throw APIError(refusal: error)
    }
  }
}

extension APIError {
  /// The error for a refused signature: 401, or 503 if the request is not at fault.
  fileprivate init(refusal: SignatureRefusal) {
    switch refusal.code {
    case .verifierBusy:
      self.init(.serviceUnavailable, refusal.code.rawValue, refusal.message)
    case .missingSignature, .badSignature, .staleTimestamp, .replayedNonce, .unknownKey, .noVerifier:
      self.init(
        .unauthorized, refusal.code.rawValue, refusal.message,
        fields: [.wwwAuthenticate: "Signature realm=\"estate\""])
    }
  }
}

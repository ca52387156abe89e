import HTTPServing
import HTTPTypes

/// Admits requests that the verifier accepts, or that are signed by the standard.
struct SignatureCheck {
  let verifier: any RequestVerifying
  /// Verifies the signatures of RFC 9421; nil leaves all requests to the verifier.
  let messageSignatures: MessageSignatureService?
  /// The paths that need no signature.
  ///
  /// They are compared byte by byte, so another spelling of a path that needs one is not a way around it.
  let unsignedPaths: Set<String>

  /// Returns if the request is admitted; throws its refusal as an error of the API.
  ///
  /// - Parameters:
  ///   - request: The request as it was sent, which signatures of RFC 9421 cover.
  ///   - plain: The same without the content coding of its body, which the app's own signatures cover.
  func admit(_ request: ReceivedRequest, decodedTo plain: ReceivedRequest) async throws(APIError) {
    if unsignedPaths.contains(String(request.path)) { return }
    do {
      if let messageSignatures, messageSignatures.handles(request) {
        try messageSignatures.verify(request)
      } else {
        try await verifier.verify(plain)
      }
    } catch {
      throw APIError(refusal: error)
    }
  }

  /// Returns the response, signed if the request is signed by the standard.
  func finished(_ response: ServerResponse, to request: ReceivedRequest) -> ServerResponse {
    guard let messageSignatures, messageSignatures.handles(request) else { return response }
    return messageSignatures.signed(response, to: request)
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

import HTTPTypes
import Hummingbird
import NIOCore

/// Lets through what the verifier accepts; stands below body decoding, since signatures cover the plain body.
struct SignatureMiddleware<Context: RequestContext>: RouterMiddleware {
  let verifier: any RequestVerifying
  /// Paths that anybody may read.
  ///
  /// All others need a signature, so a path spelt oddly is not a way round it.
  let unsignedPaths: Set<String>

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    if unsignedPaths.contains(request.uri.path) { return try await next(request, context) }
    let body = try await request.body.collect(upTo: BodyLimits.decoded)
    let received = ReceivedRequest(head: request.head, body: [UInt8](body.readableBytesView))
    do {
      try await verifier.verify(received)
    } catch {
      throw APIError(refusal: error)
    }
    return try await next(request, context)
  }
}

extension APIError {
  /// The answer to a refused signature: 401, or 503 when the request is not to blame.
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

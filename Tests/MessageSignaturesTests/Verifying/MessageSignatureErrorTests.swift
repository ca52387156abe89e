import HTTPTypes
import MessageSignatures
import NonceStores
import Testing

@Suite struct MessageSignatureErrorTests {
  @Test(
    "A server tells by the kind and the status what is wrong with a message's signature",
    arguments: [
      (.unsigned, .unsigned, .unauthorized), (.unknownKey, .unknownKey, .unauthorized),
      (.createdInFuture(by: .seconds(1)), .untimely, .unauthorized),
      (.tooOld(by: .seconds(1)), .untimely, .unauthorized),
      (.expired(by: .seconds(1)), .untimely, .unauthorized),
      (.replayedNonce, .replayed, .unauthorized),
      (.forgottenNonce, .unavailable, .serviceUnavailable),
      (.tooManyNonces(limit: 1), .unavailable, .serviceUnavailable),
      (.unavailableNonces(NonceStoreError(.full, "Full.")), .unavailable, .serviceUnavailable),
      (.cryptography(operation: "a digest"), .unavailable, .serviceUnavailable),
      (.mismatch, .invalid, .unauthorized), (.uncovered(.method), .invalid, .unauthorized),
      (.malformedParameter("created"), .invalid, .badRequest),
      (.digestMismatch(.sha256), .invalid, .badRequest),
    ] as [(MessageSignatureError.Reason, MessageSignatureError.Kind, HTTPResponse.Status)])
  func kinds(
    _ reason: MessageSignatureError.Reason, _ kind: MessageSignatureError.Kind, _ status: HTTPResponse.Status
  ) {
    let error = MessageSignatureError(reason)
    #expect(error.kind == kind && error.status == status)
  }
}

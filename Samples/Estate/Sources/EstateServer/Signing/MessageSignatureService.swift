import HTTPServing
import HTTPTypes
package import Interception
import MessageSignatures

/// Verifies requests that are signed with HTTP Message Signatures (RFC 9421), and signs their responses.
///
/// It stands beside the server's own scheme: the request's fields tell which of the two it uses.
package struct MessageSignatureService: Sendable {
  private let verifier: MessageVerifier
  private let signer: MessageSigner
  private let time: TimeSource

  /// Creates a service with one key for both directions.
  ///
  /// Requests signed before this moment are refused, as ``SharedKeyVerifier`` does.
  package init(key: DemoKey, time: TimeSource = .system) {
    // As in `SharedKeyVerifier`, by the clock skew that the policy allows.
    let start = WallTime(secondsSince1970: time.wallTime().seconds - 30)
    verifier = MessageVerifier(keys: MessageKeys(key.message), start: start, time: time)
    signer = MessageSigner(key: key.message, options: .response)
    self.time = time
  }

  /// Whether a request is signed by the standard.
  func handles(_ request: ReceivedRequest) -> Bool {
    request.head.headerFields.contains(MessageSignatureFields.signatureInput)
  }

  /// Returns if the signature is valid; throws the reason otherwise.
  ///
  /// - Parameter request: The request with its body as it was sent, in its content coding.
  func verify(_ request: ReceivedRequest) throws(SignatureRefusal) {
    do throws(MessageSignatureError) {
      _ = try verifier.verify(SignableMessage(request.head, content: request.body))
    } catch {
      throw SignatureRefusal(Self.code(for: error), "\(error)")
    }
  }

  /// Returns the response with a signature that is bound to the request's; unchanged if the request's
  /// signature can't be referred to.
  func signed(_ response: ServerResponse, to request: ReceivedRequest) -> ServerResponse {
    let head = HTTPResponse(status: response.status, headerFields: response.fields)
    guard
      let fields = try? signer.sign(
        SignableMessage(head, content: response.body),
        inResponseTo: SignableMessage(request.head, content: request.body), at: time.wallTime())
    else { return response }
    var response = response
    for field in fields { response.fields.append(field) }
    return response
  }

  private static func code(for error: MessageSignatureError) -> SignatureRefusal.Code {
    switch error.kind {
    case .unsigned: .missingSignature
    case .unknownKey: .unknownKey
    case .untimely: .staleTimestamp
    case .replayed: .replayedNonce
    case .unavailable: .verifierBusy
    case .invalid: .badSignature
    }
  }
}

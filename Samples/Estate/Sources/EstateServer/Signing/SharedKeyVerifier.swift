public import Interception
import RequestSigning

/// Accepts what the holder of the demo key signed, once each, for five minutes around its time.
public struct SharedKeyVerifier: RequestVerifying {
  private let verifier: SignatureVerifier

  /// A verifier of one key.
  ///
  /// What was signed before this moment is refused, since a server that ran before may have let it in
  /// already. Throws when the key has no form that signing takes, which a `DemoKey` always has.
  public init(key: DemoKey, time: TimeSource = .system) throws(DemoKeyFault) {
    let signingKey: SigningKey
    do {
      signingKey = try SigningKey(id: key.id, secret: key.secret)
    } catch {
      switch error {
      case .illegalID: throw .name
      case .shortSecret: throw .secret
      }
    }
    verifier = SignatureVerifier(keys: SigningKeys(signingKey), start: time.wallTime(), time: time)
  }

  /// Returns once for each signed request; throws the reason otherwise.
  public func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {
    do {
      try verifier.verify(SignedRequest(request.head, body: request.body))
    } catch {
      throw SignatureRefusal(Self.code(for: error), error.description)
    }
  }

  private static func code(for fault: SignatureError) -> SignatureRefusal.Code {
    switch fault {
    case .missing: .missingSignature
    case .malformed, .uncovered, .mismatch: .badSignature
    case .unknownKey: .unknownKey
    case .staleTimestamp: .staleTimestamp
    case .replayedNonce: .replayedNonce
    case .tooManyNonces, .cryptography: .verifierBusy
    }
  }
}

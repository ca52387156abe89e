public import HTTPServing
public import Interception
import RequestSigning

/// Accepts requests signed with the demo key, each once, up to five minutes before or after their timestamp.
public struct SharedKeyVerifier: RequestVerifying {
  private let verifier: SignatureVerifier

  /// Creates a verifier of one key.
  ///
  /// Requests signed before this moment are refused, because a server that ran before may have accepted them
  /// already. Throws if the key does not have the form that signing needs, which every `DemoKey` has.
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

  /// Returns the first time for each signed request; throws the reason otherwise.
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
    case .staleTimestamp, .expired: .staleTimestamp
    case .replayedNonce: .replayedNonce
    case .tooManyNonces, .unavailableNonces, .cryptography: .verifierBusy
    }
  }
}

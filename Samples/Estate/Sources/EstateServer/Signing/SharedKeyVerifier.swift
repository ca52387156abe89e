package import HTTPServing
package import Interception
import RequestSigning

/// Accepts requests signed with the demo key, each once, up to five minutes before or after their timestamp.
package struct SharedKeyVerifier: RequestVerifying {
  /// The time before and after its timestamp in which a signature is accepted.
  static let window = Duration.seconds(300)

  private let verifier: SignatureVerifier

  /// Creates a verifier of one key.
  ///
  /// Requests signed before this moment are refused, because a server that ran before may have accepted them
  /// already.
  package init(key: DemoKey, time: TimeSource = .system) {
    // Else a demo server would refuse everything for five minutes. The price is that a replay of what a fast
    // clock has signed for a server that ran before is accepted; a `FleetVerifier` with a file prevents it.
    let start = WallTime(secondsSince1970: time.wallTime().seconds - Self.window.components.seconds)
    verifier = SignatureVerifier(
      keys: SigningKeys(key.signing), window: Self.window, start: start, time: time)
  }

  package func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {
    do {
      try verifier.verify(SignedRequest(request.head, body: request.body))
    } catch {
      throw SignatureRefusal(error)
    }
  }
}

extension SignatureRefusal {
  /// Creates the refusal for a fault of a signature by the package's scheme.
  init(_ fault: SignatureError) {
    let code: Code =
      switch fault {
      case .missing: .missingSignature
      case .malformed, .uncovered, .unsupportedVersion, .mismatch: .badSignature
      case .unknownKey: .unknownKey
      case .staleTimestamp, .expired: .staleTimestamp
      case .replayedNonce: .replayedNonce
      case .tooManyNonces, .unavailableNonces, .cryptography: .verifierBusy
      }
    self.init(code, fault.description)
  }
}

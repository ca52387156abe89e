import Cryptography
public import Interception
import Synchronization

/// A nonce that a server is about to accept, and the times between which it could be accepted.
public struct NonceClaim: Sendable, Hashable {
  /// The id of the key that signed the request; nonces of different keys are independent.
  public let keyID: String
  /// The nonce.
  public let nonce: Nonce
  /// The server's time.
  public let now: WallTime
  /// The earliest time at which a server accepts the request.
  ///
  /// A store that has lost its nonces since then can't tell whether this one was claimed before.
  public let earliestUse: WallTime
  /// The time until which the store remembers the nonce.
  public let expiry: WallTime

  /// Creates a claim.
  public init(keyID: String, nonce: Nonce, now: WallTime, earliestUse: WallTime, expiry: WallTime) {
    self.keyID = keyID
    self.nonce = nonce
    self.now = now
    self.earliestUse = earliestUse
    self.expiry = expiry
  }
}

extension NonceClaim {
  /// Creates the claim of a message that is accepted from `lead` before its time until `validity` after it.
  ///
  /// The nonce is remembered for that time once more, so that a server whose clock is slow by less can't
  /// accept the message after it was forgotten.
  package init(
    keyID: String, nonce: Nonce, signedAt time: WallTime, lead: Duration, validity: Duration, now: WallTime
  ) {
    self.init(
      keyID: keyID, nonce: nonce, now: now, earliestUse: time.advanced(by: .zero - lead),
      expiry: time.advanced(by: validity * 2))
  }
}

public import Interception

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

  /// Creates the claim of a request whose signature is valid for `window` before and after its time.
  ///
  /// The nonce is remembered for one more window, so that a server whose clock is slow by less than that
  /// can't accept the request after it was forgotten.
  init(_ claims: SignatureClaims, window: Duration, now: WallTime) {
    self.init(
      keyID: claims.keyID, nonce: claims.nonce, now: now,
      earliestUse: claims.time.advanced(by: .zero - window), expiry: claims.time.advanced(by: window * 2))
  }
}

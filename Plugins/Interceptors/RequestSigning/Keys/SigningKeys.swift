public import Interception

/// A fixed set of keys: one to sign with, all of them accepted.
public struct SigningKeys: SigningKeySource, VerificationKeySource {
  let current: SigningKey
  private let accepted: [String: SigningKey]

  /// Makes a set.
  ///
  /// - Parameters:
  ///   - current: The key that signs.
  ///   - others: Keys that are accepted besides, such as the one before a rotation. An id that is there twice
  ///     means the first one, and `current` before all.
  public init(_ current: SigningKey, accepting others: [SigningKey] = []) {
    self.current = current
    accepted = Dictionary(([current] + others).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the current key, for any request.
  public func signingKey(for request: Request) async throws -> SigningKey? { current }

  /// Returns the key of an id.
  public func verificationKey(id: String) -> SigningKey? { accepted[id] }
}

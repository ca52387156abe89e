public import Interception

/// A fixed set of keys: one to sign with, and all of them accepted for verification.
public struct SigningKeys: SigningKeySource, VerificationKeySource {
  let current: SigningKey
  private let accepted: [String: SigningKey]

  /// Creates a set of keys.
  ///
  /// - Parameters:
  ///   - current: The key used to sign.
  ///   - others: Additional keys that are accepted, such as the previous one during a rotation. If an id
  ///     occurs more than once, `current` and then the first key take precedence.
  public init(_ current: SigningKey, accepting others: [SigningKey] = []) {
    self.current = current
    accepted = Dictionary(([current] + others).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the current key, for any request.
  public func signingKey(for request: Request) async throws -> SigningKey? { current }

  /// Returns the key with an id.
  public func verificationKey(id: String) -> SigningKey? { accepted[id] }
}

public import Interception

/// A fixed set of keys: one to sign with, and all of them accepted for verification.
public struct MessageKeys: MessageKeySource, TrustedMessageKeySource {
  let current: MessageKey
  private let accepted: [String: MessageKey]

  /// Creates a set of keys.
  ///
  /// - Parameters:
  ///   - current: The key used to sign.
  ///   - others: Additional keys that are accepted, such as the previous one during a rotation. If an id
  ///     occurs more than once, `current` and then the first key take precedence.
  public init(_ current: MessageKey, accepting others: [MessageKey] = []) {
    self.current = current
    accepted = Dictionary(([current] + others).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the current key, for any request.
  public func messageKey(for request: Request) async throws -> MessageKey? { current }

  /// Returns the key with an id.
  public func messageKey(id: String) -> MessageKey? { accepted[id] }
}

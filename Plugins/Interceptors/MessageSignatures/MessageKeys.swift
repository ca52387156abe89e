import Cryptography
public import Interception

/// A fixed set of keys: one to sign with, and all of them accepted for verification.
public struct MessageKeys: MessageKeySource, TrustedMessageKeySource {
  let current: MessageKey
  private let accepted: [String: MessageKey]
  private let identity: Request.Identity?

  /// Creates a set of keys.
  ///
  /// - Parameters:
  ///   - current: The key used to sign.
  ///   - others: Additional keys that are accepted, such as the previous one during a rotation. If an id
  ///     occurs more than once, `current` and then the first key take precedence.
  ///   - identity: Whose key it is: `.app` if it is the same for every user, or `.account(_:)`. By default
  ///     its holder has no name but the key's id, so that users need ids of their own: responses to signed
  ///     requests, and cookies, are then stored in memory only, unless another interceptor or the caller
  ///     names the account.
  public init(
    _ current: MessageKey, accepting others: [MessageKey] = [], identity: Request.Identity? = nil
  ) {
    self.current = current
    self.identity = identity ?? .holder(ofDigest: HashValue.text(of: "message key", current.id))
    accepted = Dictionary(([current] + others).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the current key, for any request.
  public func messageKey(for request: Request) async throws -> MessageKey? { current }

  /// Returns the identity of the current key, for any request.
  public func identity(for request: Request) -> Request.Identity? { identity }

  /// Returns the key with an id.
  public func messageKey(id: String) -> MessageKey? { accepted[id] }
}

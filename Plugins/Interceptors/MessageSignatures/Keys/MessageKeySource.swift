public import Interception

/// Provides the key with which a request is signed.
///
/// Conform to it if the key comes from a keychain, differs by service, or changes while the app runs. For one
/// key or a fixed set, use ``MessageKeys``.
public protocol MessageKeySource: Sendable {
  /// Returns the key for a request, or nil to send it unsigned, for example to a third-party host.
  ///
  /// It is called for each attempt, so a rotated key takes effect with the next one. If it throws, the
  /// request fails.
  func messageKey(for request: Request) async throws -> MessageKey?
}

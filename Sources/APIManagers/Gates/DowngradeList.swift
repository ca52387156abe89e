public import Interception
import Synchronization

/// The APIs that are switched off temporarily, for example while the servers are overloaded.
///
/// The app updates the list, for example from its server's configuration.
public final class DowngradeList: Sendable {
  private let reasons = Mutex<[APIIdentity: String]>([:])

  /// Creates an empty list, with every API switched on.
  public init() {}

  /// Switches an API off, with a reason that can be shown to the user.
  public func switchOff(_ api: APIIdentity, because reason: String) {
    reasons.withLock { $0[api] = reason }
  }

  /// Switches an API on again.
  public func switchOn(_ api: APIIdentity) { reasons.withLock { $0[api] = nil } }

  /// Returns why an API is switched off, or nil if it isn't.
  func downgrade(of api: APIIdentity) -> String? { reasons.withLock { $0[api] } }
}

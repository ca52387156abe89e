public import Interception
import Synchronization

/// A list of APIs that are switched off, which the app changes as its server tells it.
public final class DowngradeList: DowngradeSwitch {
  private let reasons = Mutex<[APIIdentity: String]>([:])

  /// Makes an empty list: every API is on.
  public init() {}

  /// Switches an API off, for a reason that a person can understand.
  public func switchOff(_ api: APIIdentity, because reason: String) {
    reasons.withLock { $0[api] = reason }
  }

  /// Switches an API on again.
  public func switchOn(_ api: APIIdentity) { reasons.withLock { $0[api] = nil } }

  /// Why an API is off.
  public func downgrade(of api: APIIdentity) -> String? { reasons.withLock { $0[api] } }
}

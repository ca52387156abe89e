import BodyFormats
public import Interception
import Synchronization

/// The APIs that are switched off temporarily, for example while the servers are overloaded.
///
/// The app switches APIs off one by one, or applies a ``DowngradeDocument`` of its server.
public final class DowngradeList: Sendable {
  private struct Reasons {
    var own: [APIIdentity: String] = [:]
    var remote: [APIIdentity: String] = [:]
  }

  private let reasons = Mutex(Reasons())

  /// Creates an empty list, with every API switched on.
  public init() {}

  /// Switches an API off, with a reason that can be shown to the user.
  public func switchOff(_ api: APIIdentity, because reason: String) {
    reasons.withLock { $0.own[api] = reason }
  }

  /// Switches an API on again, unless the applied document switches it off.
  public func switchOn(_ api: APIIdentity) { reasons.withLock { $0.own[api] = nil } }

  /// Switches the APIs of a document off, and those of the document applied before on, in one step.
  ///
  /// APIs that the app has switched off by ``switchOff(_:because:)`` stay off.
  public func apply(_ document: DowngradeDocument) {
    reasons.withLock { $0.remote = document.reasons }
  }

  /// Returns why an API is switched off, or nil if it isn't.
  func downgrade(of api: APIIdentity) -> String? { reasons.withLock { $0.own[api] ?? $0.remote[api] } }
}

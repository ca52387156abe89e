public import Interception

/// Decides which APIs are switched off temporarily, for example while the servers are overloaded.
public protocol DowngradeSwitch: Sendable {
  /// Returns why an API is switched off, as a sentence for the user, or nil if it isn't.
  func downgrade(of api: APIIdentity) -> String?
}

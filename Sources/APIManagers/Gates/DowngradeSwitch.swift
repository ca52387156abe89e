public import Interception

/// Says which APIs are switched off for now, for example while the servers are overloaded.
public protocol DowngradeSwitch: Sendable {
  /// Returns why an API is switched off, in a sentence for a person; nil when it isn't.
  func downgrade(of api: APIIdentity) -> String?
}

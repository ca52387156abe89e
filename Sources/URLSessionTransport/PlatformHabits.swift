/// What this platform's URL loading system does by itself, found by experiment; the rest of the target adapts
/// to it.
///
/// The values for Linux were measured on swift-corelibs-foundation of Swift 6.3 over libcurl 7.88.
struct PlatformHabits: Sendable, Hashable {
  /// Whether a suspended task goes on where it stood; otherwise resuming it sends the request again.
  var suspensionHolds: Bool
  /// Whether a request whose kept connection turned out dead is sent again after its body has been used up.
  var resendsUsedUpBodies: Bool
  /// Whether every content coding is undone, asked for or not.
  var decodesUnasked: Bool
  /// Whether a `Host` field of one's own is sent as it is.
  var takesHostField: Bool

  #if canImport(Darwin)
  /// Those of Apple's platforms.
  static let current = PlatformHabits(
    suspensionHolds: true, resendsUsedUpBodies: false, decodesUnasked: true, takesHostField: false)
  #else
  /// Those of swift-corelibs-foundation.
  static let current = PlatformHabits(
    suspensionHolds: false, resendsUsedUpBodies: true, decodesUnasked: true, takesHostField: true)
  #endif
}

/// The behavior of this platform's URL loading system, determined by experiment, to which the target adapts.
///
/// The values for Linux were measured on swift-corelibs-foundation of Swift 6.3 with libcurl 7.88.
struct PlatformBehavior: Sendable, Hashable {
  /// Whether a suspended task continues where it stopped; otherwise resuming it sends the request again.
  var suspensionHolds: Bool
  /// Whether a request over a dead idle connection is sent again after its body has been consumed.
  var resendsUsedUpBodies: Bool
  /// Whether every content coding is decoded, even if it was not accepted.
  var decodesUnasked: Bool
  /// Whether a `Host` field of the request is sent unchanged.
  var takesHostField: Bool

  #if canImport(Darwin)
  /// The behavior of Apple's platforms.
  static let current = PlatformBehavior(
    suspensionHolds: true, resendsUsedUpBodies: false, decodesUnasked: true, takesHostField: false)
  #else
  /// The behavior of swift-corelibs-foundation.
  static let current = PlatformBehavior(
    suspensionHolds: false, resendsUsedUpBodies: true, decodesUnasked: true, takesHostField: true)
  #endif
}

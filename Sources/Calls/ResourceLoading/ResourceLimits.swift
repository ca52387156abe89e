/// The limits of a ``ResourceLoader``: what it keeps, what it does at the same time, and what it refuses.
public struct ResourceLimits: Sendable, Hashable {
  let decodedBytes: Int
  let lifetime: Duration
  let encodedBytes: Int
  let pixels: Int
  let transfers: Int
  let decodes: Int

  /// Creates limits; each number is at least 1, and the lifetime is not negative.
  ///
  /// Besides the decoded values that it keeps, a loader holds at most the bytes of `transfers` plus `decodes`
  /// resources, and what the decoder allocates for `decodes` resources.
  ///
  /// - Parameters:
  ///   - decodedBytes: The maximum memory of the decoded values that are kept, in bytes; 128 MiB by default.
  ///   - lifetime: How long a decoded value is returned without asking the pipeline again, whose cache then
  ///     decides whether the server is asked; 5 minutes by default.
  ///   - encodedBytes: The maximum length of a resource as it is transferred, in bytes; 32 MiB by default.
  ///   - pixels: The maximum number of pixels of a resource before it is scaled; 64 million by default.
  ///   - transfers: The maximum number of transfers at the same time; 6 by default. At most half of them are
  ///     prefetches.
  ///   - decodes: The maximum number of resources that are decoded at the same time; 2 by default.
  public init(
    decodedBytes: Int = 128 << 20, lifetime: Duration = .seconds(300), encodedBytes: Int = 32 << 20,
    pixels: Int = 64_000_000, transfers: Int = 6, decodes: Int = 2
  ) {
    self.decodedBytes = max(1, decodedBytes)
    self.lifetime = max(.zero, lifetime)
    self.encodedBytes = max(1, encodedBytes)
    self.pixels = max(1, pixels)
    self.transfers = max(1, transfers)
    self.decodes = max(1, decodes)
  }

  /// The maximum number of resources that are being transferred, or were and are not decoded yet.
  var unfinished: Int {
    let (sum, overflows) = transfers.addingReportingOverflow(decodes)
    return overflows ? .max : sum
  }

  /// The maximum number of prefetches that wait; the oldest is dropped for a newer one.
  static let waitingPrefetches = 1000
}

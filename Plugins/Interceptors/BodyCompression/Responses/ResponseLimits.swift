/// The maximum size of a decoded response.
///
/// A hundred megabytes of zeros compress to 165 bytes of brotli, so a limit on the encoded length or on
/// `Content-Length` is no protection.
public struct ResponseLimits: Sendable, Hashable {
  /// The maximum number of bytes of a response in memory; 64 MiB.
  ///
  /// The smaller of this and the request's own `RequestOptions.Delivery.buffered(upTo:)` applies.
  public var buffered: Int
  /// The maximum number of bytes of a streamed response; nil, the default, leaves only the request's own
  /// limit.
  public var streamed: Int64?
  /// The maximum number of decoded bytes per byte received, for responses in memory; 200, and nil for no
  /// limit.
  ///
  /// It applies only if the transport reports both figures, and only to responses longer than ``ratioFloor``:
  /// short repetitive texts legitimately reach 400.
  public var ratio: Int?
  /// The length in bytes up to which the ratio is ignored; 1 MiB.
  public var ratioFloor: Int

  /// Creates limits.
  public init(buffered: Int = 64 << 20, streamed: Int64? = nil, ratio: Int? = 200, ratioFloor: Int = 1 << 20)
  {
    self.buffered = buffered
    self.streamed = streamed
    self.ratio = ratio
    self.ratioFloor = ratioFloor
  }
}

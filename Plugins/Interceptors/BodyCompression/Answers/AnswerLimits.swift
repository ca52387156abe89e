/// How much an answer may hold once it is decoded.
///
/// A hundred megabytes of zeros travel as 165 bytes of brotli, so neither the coded length nor
/// `Content-Length` protects anybody.
public struct AnswerLimits: Sendable, Hashable {
  /// The most bytes of an answer in memory; 64 MiB.
  ///
  /// The smaller one of this and the request's own ``RequestOptions/Delivery/buffered(upTo:)`` holds.
  public var buffered: Int
  /// The most bytes of a streamed answer; nil, the default, means that only the request's own limit holds.
  public var streamed: Int64?
  /// The most decoded bytes to one byte received, for decoded answers in memory; 200, and nil for no such
  /// limit.
  ///
  /// It counts only where the transport reports both figures, and only for answers longer than
  /// ``ratioFloor``: short repetitive texts reach 400 honestly.
  public var ratio: Int?
  /// The length in bytes up to which the ratio doesn't matter; 1 MiB.
  public var ratioFloor: Int

  /// Makes limits.
  public init(buffered: Int = 64 << 20, streamed: Int64? = nil, ratio: Int? = 200, ratioFloor: Int = 1 << 20)
  {
    self.buffered = buffered
    self.streamed = streamed
    self.ratio = ratio
    self.ratioFloor = ratioFloor
  }
}

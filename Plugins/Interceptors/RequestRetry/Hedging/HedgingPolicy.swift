/// When a read that takes unusually long is sent a second time, before its first attempt has ended.
///
/// Most of an origin's responses arrive within a time that the interceptor measures, and a few take many
/// times as long, because of a lost packet, a busy server or a collection of garbage. A second attempt, a
/// *hedge*, usually overtakes such a response (Dean and Barroso, "The Tail at Scale", 2013). It costs the
/// server at most ``share`` more requests, also when all its responses become slow.
///
/// ```swift
/// var hedging = HedgingPolicy()
/// hedging.percentile = 0.99
/// let retry = RetryInterceptor(hedging: hedging)
/// ```
public struct HedgingPolicy: Sendable, Hashable {
  /// The part of an origin's responses that arrive before a hedge would be sent; 0.95 by default, 0.5 to
  /// 0.999.
  public var percentile: Double
  /// The maximum number of hedges per request; 0.05 by default, 0 to 0.5.
  ///
  /// An origin saves at most 5 unused hedges for later requests.
  public var share: Double
  /// The number of responses after which the percentile of an origin is known; 50 by default, 1 to 1,000.
  public var sampleMinimum: Int
  /// The minimum wait for the first attempt; 10 ms by default.
  public var minimumDelay: Duration
  /// The maximum wait for the first attempt; 2 s by default.
  public var maximumDelay: Duration

  /// Creates a policy; the interceptor moves values outside the ranges to the nearest bound.
  public init(
    percentile: Double = 0.95, share: Double = 0.05, sampleMinimum: Int = 50,
    minimumDelay: Duration = .milliseconds(10), maximumDelay: Duration = .seconds(2)
  ) {
    self.percentile = percentile
    self.share = share
    self.sampleMinimum = sampleMinimum
    self.minimumDelay = minimumDelay
    self.maximumDelay = maximumDelay
  }

  /// The policy with all values within their ranges.
  var clamped: HedgingPolicy {
    var policy = self
    // Written so that a NaN becomes the lower bound.
    policy.percentile = percentile >= 0.5 ? min(percentile, 0.999) : 0.5
    policy.share = share >= 0 ? min(share, 0.5) : 0
    policy.sampleMinimum = min(max(1, sampleMinimum), LatencyHistogram.sampleLimit)
    policy.minimumDelay = max(.zero, minimumDelay)
    policy.maximumDelay = max(policy.minimumDelay, maximumDelay)
    return policy
  }
}

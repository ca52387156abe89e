/// The values of one program's rounds.
public struct Samples: Sendable, Hashable {
  private var values: [Double] = []

  /// Creates samples.
  public init(_ values: [Double] = []) { self.values = values }

  /// Adds the value of a round.
  public mutating func add(_ value: Double) { values.append(value) }

  /// The middle value, or the mean of the two middle ones; nil without values.
  public var median: Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The values between which the middle half lies; nil with fewer than three values.
  ///
  /// Of eleven values these are the third from below and the third from above.
  public var middleHalf: ClosedRange<Double>? {
    guard values.count > 2 else { return nil }
    let sorted = values.sorted()
    let quarter = sorted.count / 4
    return sorted[quarter]...sorted[sorted.count - 1 - quarter]
  }

  /// Returns the ratios to the values of the same rounds of a peer.
  public func ratios(to peer: Samples) -> Samples {
    Samples(zip(values, peer.values).compactMap { Bar.ratio($0, $1) })
  }

  /// The smallest and the largest value; nil without values.
  public var range: ClosedRange<Double>? {
    guard let least = values.min(), let most = values.max() else { return nil }
    return least...most
  }
}

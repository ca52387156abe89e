/// The times of many requests, sorted.
public struct LatencySummary: Sendable, Hashable {
  /// The times in ascending order.
  public let sorted: [Duration]

  /// Creates a summary of times in any order.
  public init(_ times: [Duration]) { sorted = times.sorted() }

  /// Returns the time that a share of the requests, from 0 to 1, did not exceed; nil without requests.
  ///
  /// It is the nearest rank: one of the times, never a value between two.
  public func percentile(_ share: Double) -> Duration? {
    guard let last = sorted.last else { return nil }
    let rank = Int((min(max(share, 0), 1) * Double(sorted.count)).rounded(.up))
    return rank > sorted.count ? last : sorted[max(rank, 1) - 1]
  }

  /// The mean; nil without requests.
  public var mean: Duration? {
    sorted.isEmpty ? nil : sorted.reduce(.zero, +) / sorted.count
  }

  /// The named percentiles that a report shows, in order.
  public var named: [(name: String, time: Duration)] {
    guard let first = sorted.first, let last = sorted.last, let mean else { return [] }
    let shares = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)]
    return [("min", first), ("mean", mean)]
      + shares.compactMap { name, share in percentile(share).map { (name, $0) } } + [("max", last)]
  }
}

/// How many times fall into each of a few ranges.
///
/// The ranges have equal widths up to the 99th percentile, so that a few slow requests don't squeeze all
/// others into one range; the last range has those above it.
public struct Histogram: Sendable, Hashable {
  /// A range of times, and how many fall into it.
  public struct Bin: Sendable, Hashable {
    /// The upper bound of the range, which is part of it.
    public let upTo: Duration
    /// The number of times.
    public let count: Int

    /// Creates a range.
    public init(upTo: Duration, count: Int) {
      self.upTo = upTo
      self.count = count
    }
  }

  /// The ranges in ascending order.
  public let bins: [Bin]

  /// Counts times.
  ///
  /// - Parameter count: The number of ranges up to the 99th percentile.
  public init(_ summary: LatencySummary, bins count: Int = 10) {
    guard let first = summary.sorted.first, let last = summary.sorted.last,
      let high = summary.percentile(0.99)
    else {
      bins = []
      return
    }
    let count = max(count, 1)
    var bounds = (1...count).map { first + (high - first) * $0 / count }
    // Division rounds down.
    bounds[count - 1] = high
    if last > high { bounds.append(last) }
    var bins: [Bin] = []
    var index = 0
    for bound in bounds where bins.last.map({ bound > $0.upTo }) ?? true {
      let start = index
      while index < summary.sorted.count, summary.sorted[index] <= bound { index += 1 }
      bins.append(Bin(upTo: bound, count: index - start))
    }
    self.bins = bins
  }

  /// Returns a line for each range, with a bar whose length is in proportion to its count.
  ///
  /// - Parameter width: The maximum length of a bar, in columns.
  public func lines(width: Int = 40) -> [String] {
    let most = bins.map(\.count).max() ?? 0
    let labels = bins.map { "≤ " + Figures.text($0.upTo) }
    let labelWidth = labels.map(\.count).max() ?? 0
    let countWidth = String(most).count
    return zip(bins, labels).map { bin, label in
      let bar = Bar.text(share: most == 0 ? 0 : Double(bin.count) / Double(most), width: max(width, 1))
      let line =
        "\(Figures.right(label, labelWidth))  \(Figures.right(String(bin.count), countWidth))  \(bar)"
      return bar.isEmpty ? String(line.dropLast(2)) : line
    }
  }
}

/// A horizontal bar in eighths of a column.
public enum Bar {
  private static let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// Returns a bar for a share from 0 to 1 of a width; a share above 0 is at least an eighth of a column.
  public static func text(share: Double, width: Int) -> String {
    guard share > 0 else { return "" }
    let eighths = max(1, Int((min(share, 1) * Double(width) * 8).rounded()))
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}

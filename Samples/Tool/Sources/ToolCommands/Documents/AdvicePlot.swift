public import ResponseCaching

/// The advice about the limit of a cache, in a sentence and a plot in text.
public struct AdvicePlot: Sendable {
  private let advice: CacheAdvice

  /// Creates a plot of advice with the policies S3-FIFO and OPT.
  public init(_ advice: CacheAdvice) { self.advice = advice }

  /// Returns limits that show where a cache for a recording begins to be large enough: powers of two, up to
  /// one in which all responses fit.
  ///
  /// A response that is larger than a tenth of a limit is not stored.
  public static func limits(for recording: CacheRecording) -> [Int] {
    var sizes: [UInt64: Int] = [:]
    for entry in recording.entries { if let size = entry.size { sizes[entry.key] = size } }
    let whole = sizes.values.reduce(0) { sum, size in min(sum, 1 << 50) + size }
    let most = min(max(whole, 10 * (sizes.values.max() ?? 0), 64 << 10), 1 << 50)
    var limit = 64 << 10
    while limit < most { limit <<= 1 }
    return (0..<8).map { limit >> $0 }.filter { $0 >= 16 << 10 }.reversed()
  }

  private var limits: [Int] { Set(advice.results.map(\.bytes)).sorted() }

  /// The smallest limit whose hit ratio is within a hundredth of that of the largest; nil if nothing is ever
  /// found.
  public var recommended: Int? {
    guard let largest = limits.last.flatMap({ ratio(at: $0) }), largest > 0 else { return nil }
    return limits.first { (ratio(at: $0) ?? 0) >= largest - 0.01 }
  }

  private func ratio(at limit: Int, _ policy: CacheAdvice.Policy = .s3FIFO) -> Double? {
    advice.result(of: policy, bytes: limit)?.hitRatio
  }

  /// Returns the advice as lines.
  ///
  /// - Parameter width: The width of the terminal, in columns.
  public func lines(_ ink: Ink, width: Int = 80) -> [String] {
    let run = advice.requests == 0 ? 0 : Double(advice.recordedHits) / Double(advice.requests)
    var lines = [
      "\(Figures.count(advice.requests, "request")) for a cache, \(advice.distinctRequests) different; "
        + "hits of the run: \(Figures.percent(run))"
    ]
    guard let recommended, let best = ratio(at: recommended) else {
      return lines + ["No response of the run could have been used again; a cache would not help."]
    }
    lines += [
      ink(.bold, "A limit of \(Figures.bytes(Int64(recommended))) suits it: \(Figures.percent(best)) hits."),
      "", "hit ratio by limit: █ of the library's stores, ┃ with knowledge of the future (OPT)", "",
    ]
    let labels = limits.map { Figures.bytes(Int64($0)) }
    let labelWidth = labels.map(\.count).max() ?? 0
    let barWidth = min(max(width - labelWidth - 14, 10), 60)
    for (limit, label) in zip(limits, labels) {
      let ratio = ratio(at: limit) ?? 0
      let optimal = self.ratio(at: limit, .optimal) ?? 0
      let bar = Self.bar(ratio: ratio, optimal: optimal, width: barWidth)
      let line = "  \(Figures.right(label, labelWidth))  \(Figures.right(Figures.percent(ratio), 8))  "
      lines.append(line + (limit == recommended ? ink(.green, bar) : bar))
    }
    return lines
  }

  private static func bar(ratio: Double, optimal: Double, width: Int) -> String {
    let bar = Bar.text(share: ratio, width: width)
    let mark = Int((optimal * Double(width)).rounded())
    // A mark within the bar would hide its end.
    return mark <= bar.count ? bar : bar + String(repeating: " ", count: mark - bar.count - 1) + "┃"
  }
}

/// A line that shows how far a download is.
public struct ProgressLine: Sendable {
  /// The bytes so far.
  public var bytes: Int64
  /// All bytes; nil if the number is unknown.
  public var total: Int64?
  /// The bytes that were there before this run.
  public var resumedFrom: Int64
  /// The time since the run began.
  public var elapsed: Duration

  /// Creates a line.
  public init(bytes: Int64, total: Int64?, resumedFrom: Int64 = 0, elapsed: Duration) {
    self.bytes = bytes
    self.total = total
    self.resumedFrom = resumedFrom
    self.elapsed = elapsed
  }

  /// The bytes per second of this run; nil at its beginning.
  public var rate: Double? {
    let seconds = Figures.seconds(elapsed)
    return seconds < 0.05 || bytes <= resumedFrom ? nil : Double(bytes - resumedFrom) / seconds
  }

  /// The time that is left at the present rate; nil if it is unknown.
  public var remaining: Duration? {
    guard let rate, rate >= 1, let total, total >= bytes else { return nil }
    let seconds = Double(total - bytes) / rate
    return seconds < 1e9 ? .seconds(seconds) : nil
  }

  /// Returns the line, at most as wide as the terminal.
  public func text(_ ink: Ink, width: Int) -> String {
    let rateText = rate.map { ", \(Figures.bytes(Int64(min($0, 1e15))))/s" } ?? ""
    guard let total, total > 0 else {
      return String("\(Figures.bytes(bytes))\(rateText)".prefix(max(width, 1)))
    }
    let share = min(max(Double(bytes) / Double(total), 0), 1)
    // Rounded down, so that 100 % means that nothing is missing.
    let percent = Figures.right("\(Int(share * 100)) %", 5)
    let left = remaining.map { ", \(Figures.text($0)) left" } ?? ""
    let figures = "\(percent)  \(Figures.bytes(bytes)) of \(Figures.bytes(total))\(rateText)\(left)"
    let barWidth = min(width - figures.count - 3, 40)
    guard barWidth >= 8 else { return String(figures.prefix(max(width, 1))) }
    let bar = Bar.text(share: share, width: barWidth)
    return ink(.green, bar) + ink(.faint, String(repeating: "·", count: max(0, barWidth - bar.count)))
      + " " + figures
  }
}

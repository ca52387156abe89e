/// The outcomes of a run of equal requests.
public struct BenchReport: Sendable, Hashable {
  /// The times of the requests that had a response.
  public var times: [Duration] = []
  /// The number of responses by status.
  public var statuses: [Int: Int] = [:]
  /// The number of failures by the label of the error.
  public var errors: [String: Int] = [:]
  /// The bytes of all bodies.
  public var bytes: Int64 = 0
  /// The time of the whole run.
  public var duration = Duration.zero
  /// The number of requests that were asked for.
  public var planned = 0

  /// Creates an empty report.
  public init() {}

  /// The number of requests that ended.
  public var ended: Int { times.count + errors.values.reduce(0, +) }

  /// Adds the outcomes of a part of the run; its duration is ignored.
  public mutating func add(_ other: BenchReport) {
    times += other.times
    statuses.merge(other.statuses, uniquingKeysWith: +)
    errors.merge(other.errors, uniquingKeysWith: +)
    bytes += other.bytes
  }

  /// Responses per second; 0 for a run without duration.
  public var rate: Double {
    let seconds = Figures.seconds(duration)
    return seconds > 0 ? Double(times.count) / seconds : 0
  }

  /// Returns the report as lines.
  ///
  /// - Parameter width: The width of the terminal, in columns.
  public func lines(_ ink: Ink, width: Int = 80) -> [String] {
    let summary = LatencySummary(times)
    let seconds = Figures.seconds(duration)
    var lines = [
      "\(Figures.count(ended, "request")) in \(Figures.text(duration)): "
        + ink(.bold, "\(Figures.threeDigits(rate)) responses/s")
        + (seconds > 0 ? ", \(Figures.bytes(Int64(Double(bytes) / seconds)))/s" : "")
    ]
    if ended < planned {
      lines.append(ink(.yellow, "interrupted: \(planned - ended) requests were not made"))
    }
    let statuses = statuses.sorted { $0.key < $1.key }.map { status, count in
      ink(status < 400 ? .green : .red, "\(status)") + " × \(count)"
    }
    if !statuses.isEmpty { lines.append("statuses: " + statuses.joined(separator: ", ")) }
    let errors = errors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) × \($0.value)" }
    if !errors.isEmpty { lines.append(ink(.red, "errors: " + errors.joined(separator: ", "))) }
    guard !times.isEmpty else { return lines }
    lines.append(
      "times: " + summary.named.map { "\($0.name) \(Figures.text($0.time))" }.joined(separator: ", "))
    return lines + [""] + Histogram(summary).lines(width: min(max(width - 30, 10), 60))
  }
}

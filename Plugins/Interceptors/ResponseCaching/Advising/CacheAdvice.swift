/// The hit ratios that a recorded run would have had with other limits and policies.
///
/// The run is simulated for each limit and policy: a response that is absent or stale is fetched and stored
/// with its recorded size and lifetime. Larger responses than a tenth of the limit are not stored, as in a
/// ``MemoryStore``. Requests whose response could not be stored are never hits.
///
/// ```swift
/// let recorder = CacheRecorder()
/// let advice = CacheAdvice(recorder.recording, bytes: [4 << 20, 16 << 20], policies: [.s3FIFO, .optimal])
/// print(advice)
/// ```
///
/// The simulation is a function of the recording, and takes about a microsecond per request, limit and
/// policy.
public struct CacheAdvice: Sendable, Hashable {
  /// A policy of eviction.
  public enum Policy: String, Sendable, Hashable, CaseIterable {
    /// The policy of this package's stores.
    case s3FIFO = "S3-FIFO"
    /// The least recently used response is evicted.
    case lru = "LRU"
    /// The oldest response is evicted.
    case fifo = "FIFO"
    /// The response whose next request is farthest in the future is evicted (Belady's algorithm).
    ///
    /// No policy that stores every response has more hits if all have the same size and stay fresh; otherwise
    /// one may.
    case optimal = "OPT"
  }

  /// The result of a limit and a policy.
  public struct Result: Sendable, Hashable {
    /// The policy.
    public let policy: Policy
    /// The limit in bytes.
    public let bytes: Int
    /// The number of hits.
    package let hits: Int
    /// The number of requests of the run.
    package let requests: Int

    /// The share of requests that were hits, from 0 to 1.
    public var hitRatio: Double { requests == 0 ? 0 : Double(hits) / Double(requests) }
  }

  /// The results: for each limit in ascending order, one of each policy.
  public let results: [Result]
  /// The number of requests of the run.
  public let requests: Int
  /// The number of different requests of the run.
  public let distinctRequests: Int
  /// The number of hits of the run itself.
  public let recordedHits: Int

  private let limits: [Int]
  private let policies: [Policy]

  /// Simulates a recorded run.
  ///
  /// - Parameters:
  ///   - recording: The run.
  ///   - bytes: The limits in bytes; duplicates and negative numbers are ignored.
  ///   - responses: The maximum number of responses.
  ///   - policies: The policies; duplicates are ignored.
  public init(
    _ recording: CacheRecording, bytes: [Int], responses: Int = .max, policies: [Policy] = Policy.allCases
  ) {
    let run = ReplayedRun(recording)
    let limits = Set(bytes).filter { $0 >= 0 }.sorted()
    let policies = Policy.allCases.filter(policies.contains)
    results = limits.flatMap { limit in
      policies.map { policy in
        let hits = run.hits(policy, capacity: limit, countLimit: responses)
        return Result(policy: policy, bytes: limit, hits: hits, requests: recording.entries.count)
      }
    }
    requests = recording.entries.count
    distinctRequests = run.itemCount
    recordedHits = recording.entries.count(where: \.isHit)
    self.limits = limits
    self.policies = policies
  }

  /// Returns the result of a limit and a policy, if it was simulated.
  public func result(of policy: Policy, bytes: Int) -> Result? {
    results.first { $0.policy == policy && $0.bytes == bytes }
  }
}

extension CacheAdvice: CustomStringConvertible {
  /// The table: a row for each limit, with the hit ratio of each policy in percent.
  public var description: String {
    var rows = [["limit"] + policies.map(\.rawValue)]
    for limit in limits {
      rows.append(
        [Self.size(limit)]
          + policies.map { policy in
            Self.percent(result(of: policy, bytes: limit)?.hitRatio ?? 0)
          })
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].utf8.count }.max() ?? 0 }
    let lines = rows.map { row in
      zip(row, widths).map { text, width in
        String(repeating: " ", count: width - text.utf8.count) + text
      }.joined(separator: "  ")
    }
    let ratio = requests == 0 ? 0 : Double(recordedHits) / Double(requests)
    let summary =
      "\(requests) requests, \(distinctRequests) of them different; hits of the run: \(Self.percent(ratio)) %"
    return ([summary, "hit ratio in percent:"] + lines).joined(separator: "\n") + "\n"
  }

  /// Returns a share in percent with one decimal.
  private static func percent(_ ratio: Double) -> String { decimal(100 * ratio) }

  /// Returns a size in the largest unit in which it is at least one.
  private static func size(_ bytes: Int) -> String {
    var value = Double(bytes)
    for unit in ["B", "KiB", "MiB", "GiB"] {
      if value < 1_024 || unit == "GiB" {
        let text = decimal(value)
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " " + unit
      }
      value /= 1_024
    }
    return ""
  }

  /// Returns a positive number, rounded to one decimal.
  private static func decimal(_ value: Double) -> String {
    let tenths = Int((10 * value).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

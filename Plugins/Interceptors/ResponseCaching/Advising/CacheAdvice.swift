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
    public let hits: Int
    /// The number of requests of the run.
    public let requests: Int

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

  let limits: [Int]
  let policies: [Policy]

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

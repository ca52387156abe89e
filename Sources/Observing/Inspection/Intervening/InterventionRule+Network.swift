import Interception

extension InterventionRule {
  /// The properties of a simulated network.
  ///
  /// The interceptor waits as long as the messages would take. The limits of an attempt apply to that time as
  /// they do to a real network's: `timeouts.firstByte` and `idle` to the latency, `whole` to all of it.
  public struct Network: Sendable, Hashable {
    /// The name, which marks the calls.
    package var name: String
    /// The time between a request and the first byte of its response.
    package var latency: Duration
    /// The number of bytes of request bodies per second; nil for no limit.
    package var sentBytesPerSecond: Int?
    /// The number of bytes of response bodies per second; nil for no limit.
    package var receivedBytesPerSecond: Int?
    /// The share of requests whose connection is lost, 0 to 1.
    package var loss: Double
    /// Determines which requests are lost; the same ones for the same seed.
    package var seed: UInt64
    /// Whether there is no network at all.
    package var isOffline = false

    /// Creates a network.
    public init(
      name: String = "custom", latency: Duration = .zero, sentBytesPerSecond: Int? = nil,
      receivedBytesPerSecond: Int? = nil, loss: Double = 0, seed: UInt64 = 0
    ) {
      self.name = name
      self.latency = latency
      self.sentBytesPerSecond = sentBytesPerSecond
      self.receivedBytesPerSecond = receivedBytesPerSecond
      self.loss = loss
      self.seed = seed
    }

    /// No network: every request fails with `NetworkError.Kind.offline`.
    public static let offline: Network = {
      var network = Network(name: "offline")
      network.isOffline = true
      return network
    }()
    // The figures are those of the presets of Chromium's developer tools.
    /// 2 s and 50 kB/s.
    public static let slow3G = Network(
      name: "slow-3g", latency: .seconds(2), sentBytesPerSecond: 50_000, receivedBytesPerSecond: 50_000)
    /// 560 ms and 180 kB/s, 84 kB/s for sending.
    public static let fast3G = Network(
      name: "3g", latency: .microseconds(562_500), sentBytesPerSecond: 84_375,
      receivedBytesPerSecond: 180_000)
    /// 165 ms and 1 MB/s, 169 kB/s for sending.
    public static let fast4G = Network(
      name: "4g", latency: .milliseconds(165), sentBytesPerSecond: 168_750, receivedBytesPerSecond: 1_012_500)
    /// That of ``fast3G``, which loses the connection of every fifth request on average.
    public static let lossy: Network = {
      var network = fast3G
      (network.name, network.loss) = ("lossy", 0.2)
      return network
    }()

    static let named = [offline, slow3G, fast3G, fast4G, lossy]

    /// Returns the time that a request's body takes.
    func sendingTime(of bytes: Int64?) -> Duration { Self.time(of: bytes ?? 0, at: sentBytesPerSecond) }

    /// Returns the time that a part of a response's body takes.
    func receivingTime(of bytes: Int) -> Duration { Self.time(of: Int64(bytes), at: receivedBytesPerSecond) }

    private static func time(of bytes: Int64, at rate: Int?) -> Duration {
      guard let rate, bytes > 0 else { return .zero }
      return .nanoseconds(Int64(min(Double(bytes) / Double(max(1, rate)) * 1e9, 1e18)))
    }
  }
}

/// The time that a simulated network and delays have taken of an attempt, against the attempt's limits.
struct SimulatedTime: Sendable {
  /// How long to wait, and the limit that ends the attempt after it, if one does.
  struct Wait: Sendable, Equatable {
    let duration: Duration
    let expired: NetworkError.Phase?
  }

  let timeouts: RequestOptions.Timeouts
  private(set) var elapsed = Duration.zero

  init(timeouts: RequestOptions.Timeouts) { self.timeouts = timeouts }

  /// Adds a time in which bytes are sent or received, and then one without progress, and returns the wait.
  mutating func add(transfer: Duration = .zero, silence: Duration = .zero) -> Wait {
    let total = max(.zero, transfer) + max(.zero, silence)
    var wait = Wait(duration: total, expired: nil)
    func limit(_ phase: NetworkError.Phase, to time: Duration) {
      if time < wait.duration { wait = Wait(duration: max(.zero, time), expired: phase) }
    }
    for phase in [NetworkError.Phase.firstByte, .idle] {
      if let allowed = timeouts.limit(of: phase), allowed < silence { limit(phase, to: transfer + allowed) }
    }
    if let whole = timeouts.whole { limit(.whole, to: whole - elapsed) }
    elapsed += wait.duration
    return wait
  }
}

/// Draws numbers that are the same for the same seed (SplitMix64).
struct SeededDraws: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Returns whether the next event happens, whose probability is `share`.
  mutating func next(withProbability share: Double) -> Bool {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    word ^= word >> 31
    return Double(word >> 11) / Double(1 << 53) < share
  }
}

/// A stream whose chunks arrive as over a slow network.
final class ThrottledByteSource: ByteSource {
  private let source: any ByteSource
  private let network: InterventionRule.Network
  private let time: TimeSource

  init(_ source: any ByteSource, over network: InterventionRule.Network, time: TimeSource) {
    (self.source, self.network, self.time) = (source, network, time)
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard let chunk = try await source.read() else { return nil }
    do {
      try await time.sleep(for: network.receivingTime(of: chunk.count))
    } catch {
      source.cancel()
      throw NetworkError(
        .cancelled(.task), "Reading the body was cancelled.", requestMayHaveBeenProcessed: true)
    }
    return chunk
  }

  func cancel() { source.cancel() }
}

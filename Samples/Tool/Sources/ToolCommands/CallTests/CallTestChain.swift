public import Interception
import Switchyard
public import SwitchyardTesting

/// The chain of a written test: the recommended one, or the parts of it that repeat what was recorded.
public enum CallTestChain: Sendable, Hashable {
  /// The recommended chain; a number is the maximum number of attempts.
  case standard(attemptLimit: Int?)
  /// The recommended chain without retries.
  case withoutRetries
  /// No interceptor: the request is sent once, and its response is returned.
  case bare

  /// The seed of the random waits between attempts.
  public static let seed: UInt64 = 1

  /// The chains that may reproduce a call, the likeliest first.
  public static func candidates(for call: RecordedCall) -> [CallTestChain] {
    [.standard(attemptLimit: nil)]
      + (call.attemptCount > 1 ? [.standard(attemptLimit: call.attemptCount)] : [])
      + [.withoutRetries, .bare]
  }

  /// Returns the pipeline, on the time of a simulated run.
  public func pipeline(
    over dispatcher: some Dispatcher, in run: SimulatedRun
  ) throws(PipelineIssue) -> Pipeline {
    let time = run.network.time
    switch self {
    case .standard(let limit):
      let policy = limit.map { RetryPolicy(attemptLimit: $0) } ?? RetryPolicy()
      return try .standard(
        over: dispatcher,
        retry: RetryInterceptor(policy, time: time, random: SeededRandom(seed: run.seed)), time: time)
    case .withoutRetries: return try .standard(over: dispatcher, retry: nil, time: time)
    case .bare: return try Pipeline(over: dispatcher, time: time) {}
    }
  }

  /// The code that creates the pipeline in a test.
  var source: String {
    switch self {
    case .standard(let limit):
      let policy = limit.map { "RetryPolicy(attemptLimit: \($0)), " } ?? ""
      return """
              let pipeline = try Pipeline.standard(
                over: replay,
                retry: RetryInterceptor(
                  \(policy)time: run.network.time, random: SeededRandom(seed: run.seed)),
                time: run.network.time)
        """
    case .withoutRetries:
      return "      let pipeline = try Pipeline.standard(over: replay, retry: nil, time: run.network.time)"
    case .bare: return "      let pipeline = try Pipeline(over: replay, time: run.network.time) {}"
    }
  }

  /// The name of the chain in a sentence.
  public var words: String {
    switch self {
    case .standard(nil): "the standard chain"
    case .standard(let limit?): "the standard chain with at most \(limit) attempts"
    case .withoutRetries: "the standard chain without retries"
    case .bare: "a chain without interceptors"
    }
  }
}

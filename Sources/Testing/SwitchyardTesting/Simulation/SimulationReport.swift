import HTTPTypes
import Interception

/// What a simulation has found.
public struct SimulationReport: Sendable, CustomStringConvertible {
  /// A history that broke a rule.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The seed that replays it.
    public let seed: UInt64
    /// The broken rules, as sentences.
    public let violations: [String]
    /// The steps that are left after those that the failure doesn't need were left out.
    public let steps: [String]
    /// What happened, line by line.
    public let story: [String]

    /// The rules, how to replay the history, its steps and its story.
    public var description: String {
      (["seed \(seed) fails; to replay it, pass seeds: \(seed)...\(seed)"]
        + violations.map { "  broken: \($0)" } + ["steps:"] + steps.map { "  \($0)" } + ["story:"]
        + story.map { "  \($0)" })
        .joined(separator: "\n")
    }
  }

  /// How many histories were run.
  public internal(set) var historyCount = 0
  /// How many requests have arrived at servers.
  package internal(set) var arrivalCount = 0
  /// How often each fault was met, by its name; `none` counts exchanges without one.
  public internal(set) var faultCounts: [String: Int] = [:]
  /// The first history that broke a rule; no further one was run.
  public internal(set) var failure: Failure?

  /// Throws the failure, if there is one.
  public func check() throws(Failure) {
    if let failure { throw failure }
  }

  /// The failure, or the numbers.
  public var description: String {
    if let failure { return failure.description }
    let faults = faultCounts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return "\(historyCount) histories, \(arrivalCount) arrivals; faults: \(faults.joined(separator: ", "))"
  }
}

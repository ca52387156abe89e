/// What a soak has seen.
public struct SoakReport: Sendable {
  /// The seed that repeats it.
  public let seed: UInt64
  /// Requests that were made.
  public internal(set) var requests = 0
  /// Answers that came, one for each request when all is well.
  public internal(set) var answers = 0
  /// Requests that were answered more than once.
  public internal(set) var answeredTwice = 0
  /// Outcomes by name, such as `whole` and `cancelled_task`.
  public internal(set) var outcomes: [String: Int] = [:]
  /// What was wrong, the first twenty faults; empty when all is well.
  public internal(set) var faults: [String] = []
  /// The most memory that was resident at a wave's end, in bytes, and that at the end of the second wave.
  public internal(set) var resident: (second: Int, last: Int) = (0, 0)

  init(seed: UInt64) { self.seed = seed }

  /// A line of figures.
  public var summary: String {
    let named = outcomes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    return
      "soak seed=\(seed) requests=\(requests) answers=\(answers) twice=\(answeredTwice) "
      + "faults=\(faults.count) resident=\(resident.second >> 20)→\(resident.last >> 20) MiB \(named)"
  }

  mutating func add(_ fault: String) { if faults.count < 20 { faults.append(fault) } }
}

/// The results of a soak.
public struct SoakReport: Sendable {
  /// The seed, which repeats the soak.
  public let seed: UInt64
  /// The number of requests.
  public internal(set) var requests = 0
  /// The number of responses and errors; without faults, one per request.
  public internal(set) var answers = 0
  /// The number of requests with more than one response or error.
  public internal(set) var answeredTwice = 0
  /// The numbers of outcomes by name, such as `whole` and `cancelled_task`, and of whole responses by version
  /// of HTTP.
  public internal(set) var outcomes: [String: Int] = [:]
  /// The first twenty faults.
  public internal(set) var faults: [String] = []
  /// The maximum resident memory at the end of a wave, and that at the end of the second wave, in bytes.
  public internal(set) var resident: (second: Int, last: Int) = (0, 0)

  init(seed: UInt64) { self.seed = seed }

  /// The results in one line.
  public var summary: String {
    let named = outcomes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    return
      "soak seed=\(seed) requests=\(requests) answers=\(answers) twice=\(answeredTwice) "
      + "faults=\(faults.count) resident=\(resident.second >> 20)→\(resident.last >> 20) MiB \(named)"
  }

  /// Whether every request ended once, and nothing was wrong.
  public var isSound: Bool { faults.isEmpty && answers == requests && answeredTwice == 0 }

  mutating func add(_ fault: String) { if faults.count < 20 { faults.append(fault) } }
}

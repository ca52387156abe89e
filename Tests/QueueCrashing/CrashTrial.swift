import CommandRunning
import Foundation

/// The program `queue-crash`, which is started several times on one folder, and what it has acknowledged.
public struct CrashTrial: Sendable {
  /// The queue that the program uses.
  public enum Queue: String, Sendable {
    /// An activity log.
    case activity
    /// A queue of mutations.
    case mutations
    /// A store of responses, which sends nothing.
    case responses
    /// The calls of an inspector, which sends nothing.
    case calls
  }

  /// What happens to the program.
  public enum Fault: Sendable {
    /// Nothing.
    case none
    /// SIGKILL before a change of a file.
    case killBefore(Int)
    /// SIGKILL when half of a write is done.
    case killWithin(Int)
    /// SIGKILL after microseconds.
    case killAfter(Int)
    /// A number of writes fail, because the disk is full.
    case full(from: Int, count: Int)

    var words: [String] {
      switch self {
      case .none: ["none", "0", "0"]
      case .killBefore(let position): ["before", "\(position)", "0"]
      case .killWithin(let position): ["within", "\(position)", "0"]
      case .killAfter(let microseconds): ["after", "\(microseconds)", "0"]
      case .full(let position, let count): ["full", "\(position)", "\(count)"]
      }
    }
  }

  private let folder: TemporaryFolder
  /// The path of the folder that the program uses.
  public var folderPath: String { folder.url.path }
  private let queue: Queue
  private let port: Int
  /// The path on the server that receives what this trial sends.
  public let path: String
  private var runs = 0
  /// The number of runs that were killed.
  public private(set) var kills = 0
  /// What the queue has acknowledged, as RUN.RECORDER.NUMBER, or what the store has found and removed.
  public private(set) var recorded: [String] = []
  /// The kinds of the errors with which the queue has refused.
  public private(set) var refused: [String] = []

  /// Creates a trial whose program sends to a path of a server on the loopback network.
  public init(_ queue: Queue, path: String, port: Int) throws {
    folder = try TemporaryFolder(prefix: "crash")
    self.queue = queue
    self.path = path
    self.port = port
  }

  /// Where the build has put the program.
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "queue-crash").path

  /// Starts the program, and returns whether it has ended by itself.
  ///
  /// - Throws: An error if it has failed.
  @discardableResult
  public mutating func run(recorders: Int = 1, events: Int, _ fault: Fault = .none) async throws -> Bool {
    runs += 1
    let words = [
      Self.program, queue.rawValue, folder.url.path, "\(port)", path, "\(runs)", "\(recorders)", "\(events)",
    ]
    let outcome = try await Command(words: words + fault.words).run()
    for line in outcome.lines {
      let words = line.split(separator: " ").map(String.init)
      if words.first == "recorded", words.count == 2 { recorded.append(words[1]) }
      if words.first == "refused", words.count == 2 { refused.append(words[1]) }
    }
    if outcome.status == SIGKILL {
      kills += 1
      return false
    }
    guard outcome.status == 0 else { throw Failure(description: "\(outcome)") }
    return true
  }

  /// What is wrong with the names that were delivered, in order and each once; empty if nothing is.
  public func violations(delivered: [String]) -> [String] {
    var faults: [String] = []
    if Set(delivered).count != delivered.count { faults.append("something was delivered twice") }
    let missing = Set(recorded).subtracting(delivered)
    if !missing.isEmpty { faults.append("acknowledged, but not delivered: \(missing.sorted())") }
    // A recorder waits for each name to be acknowledged before it records the next one.
    let parts = delivered.map { $0.split(separator: ".").map(String.init) }
    for (recorder, names) in Dictionary(grouping: parts, by: { $0.dropLast().joined(separator: ".") }) {
      let numbers = names.compactMap { $0.last.flatMap { Int($0) } }
      if numbers != numbers.sorted() { faults.append("\(recorder) is out of order: \(numbers)") }
    }
    return faults
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}

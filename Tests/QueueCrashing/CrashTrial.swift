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
    /// The local store of an account, which sends nothing; the path says what is done with it.
    case local
  }

  /// What happens to the program.
  public enum Fault: Sendable {
    /// Nothing.
    case none
    /// SIGKILL before a change of a file.
    case killBefore(Int)
    /// SIGKILL when half of a write is done.
    case killWithin(Int)
    /// SIGKILL some microseconds after the first change was acknowledged.
    case killAfter(Int)
    /// A number of writes fail, because the disk is full.
    case full(from: Int, count: Int)

    fileprivate var words: [String] {
      switch self {
      case .none: ["none", "0", "0"]
      case .killBefore(let position): ["before", "\(position)", "0"]
      case .killWithin(let position): ["within", "\(position)", "0"]
      case .killAfter(let microseconds): ["after", "\(microseconds)", "0"]
      case .full(let position, let count): ["full", "\(position)", "\(count)"]
      }
    }
  }

  /// A run of the program.
  public struct Run: Sendable {
    fileprivate let recorders: Int
    fileprivate let events: Int
    fileprivate let fault: Fault

    /// Creates a run in which each recorder records a number of events.
    public init(recorders: Int = 1, events: Int, _ fault: Fault = .none) {
      self.recorders = recorders
      self.events = events
      self.fault = fault
    }
  }

  private let folder: TemporaryFolder
  /// The path of the folder that the program uses.
  public var folderPath: String { folder.url.path }
  private let queue: Queue
  private let port: Int
  /// The path on the server that receives what this trial sends.
  public let path: String
  /// Whether each run has ended by itself; the others were killed.
  public private(set) var ended: [Bool] = []
  /// The number of runs that were killed.
  public var kills: Int { ended.count { !$0 } }
  /// What each run has acknowledged, as RUN.RECORDER.NUMBER, or what the store has found and removed.
  public private(set) var recordedByRun: [[String]] = []
  /// What the queue has acknowledged in all runs.
  public var recorded: [String] { recordedByRun.flatMap(\.self) }
  /// The kinds of the errors with which the queue has refused.
  public private(set) var refused: [String] = []

  /// Creates a trial whose program sends to a path of a server on the loopback network.
  public init(_ queue: Queue, path: String = "/", port: Int = 0) throws {
    folder = try TemporaryFolder(prefix: "crash")
    self.queue = queue
    self.path = path
    self.port = port
  }

  /// Where the build has put the program.
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "queue-crash").path

  /// Makes a run of the program, and returns whether it has ended by itself.
  ///
  /// - Throws: An error if it has failed.
  @discardableResult
  public mutating func run(recorders: Int = 1, events: Int, _ fault: Fault = .none) async throws -> Bool {
    self = try await Self.run([(self, [Run(recorders: recorders, events: events, fault)])])[0]
    return ended.last == true
  }

  /// Makes the runs of some trials, one after another, and returns the trials with what has happened.
  ///
  /// - Throws: An error if a run has failed.
  public static func run(_ plan: [(trial: CrashTrial, runs: [Run])]) async throws -> [CrashTrial] {
    var input = ""
    for (trial, runs) in plan {
      for (index, run) in runs.enumerated() {
        let number = trial.ended.count + index + 1
        let words =
          [
            trial.queue.rawValue, trial.folderPath, "\(trial.port)", trial.path, "\(number)",
            "\(run.recorders)",
          ]
          + ["\(run.events)"] + run.fault.words
        input += words.joined(separator: "\t") + "\n"
      }
    }
    var command = Command(words: [program])
    command.input = Array(input.utf8)
    let outcome = try await command.run()
    var ends = outcome.lines[...].split(omittingEmptySubsequences: false) { $0.hasPrefix("ended ") }
    let statuses = outcome.lines.filter { $0.hasPrefix("ended ") }.map { Int32($0.dropFirst(6)) }
    guard outcome.status == 0, statuses.count == plan.reduce(0, { $0 + $1.runs.count }) else {
      throw Failure(description: "\(outcome)")
    }
    var left = statuses[...]
    return try plan.map { plan in
      var trial = plan.trial
      for _ in plan.runs { try trial.note(ends.removeFirst(), status: left.removeFirst()) }
      return trial
    }
  }

  /// Notes what a run has printed, and how it has ended.
  private mutating func note(_ lines: ArraySlice<String>, status: Int32?) throws {
    guard status == 0 || status == SIGKILL else {
      throw Failure(description: "exit \(status ?? -1)\n\(lines.joined(separator: "\n"))")
    }
    let pairs = lines.map { $0.split(separator: " ").map(String.init) }.filter { $0.count == 2 }
    recordedByRun.append(pairs.filter { $0[0] == "recorded" }.map { $0[1] })
    refused += pairs.filter { $0[0] == "refused" }.map { $0[1] }
    ended.append(status == 0)
  }

  /// Makes trials whose runs are killed at each change of a file in turn, until one isn't killed any more.
  ///
  /// Several trials are made at a time.
  ///
  /// - Parameters:
  ///   - make: Returns the trial for a change, and its runs.
  ///   - check: Checks the trial for a change.
  /// - Returns: The number of changes at which a run was killed.
  public static func atEachChange(
    _ make: (_ position: Int) throws -> (trial: CrashTrial, runs: [Run]),
    check: (_ position: Int, CrashTrial) throws -> Void
  ) async throws -> Int {
    var (first, kills) = (1, 0)
    while true {
      let plans = [try (first..<first + 4).map(make), try (first + 4..<first + 8).map(make)]
      async let half = run(plans[0])
      let other = try await run(plans[1])
      let trials = try await half + other
      for (index, trial) in trials.enumerated() { try check(first + index, trial) }
      kills += trials.count { $0.kills > 0 }
      if trials.contains(where: { $0.kills == 0 }) { return kills }
      first += 8
    }
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

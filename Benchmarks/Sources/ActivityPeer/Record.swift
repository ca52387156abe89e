import ActivityReporting
import ArgumentParser
import Measuring
import PeerReporting

extension ActivityPeer {
  struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Records events, each of which is durable when the next one of its task begins.")
    @Option(help: "The file of the log.") var path: String
    @Option(help: "The number of tasks that record at the same time.") var tasks = 1
    @Option(help: "The number of unmeasured events first.") var warmUp = 0
    @Option(help: "The number of events measured, by the clock; a multiple of the tasks.") var requests: Int

    func validate() throws {
      guard tasks > 0, requests > 0, requests.isMultiple(of: tasks), warmUp.isMultiple(of: tasks) else {
        throw ValidationError("--requests and --warm-up must be multiples of --tasks, \(tasks).")
      }
    }

    func run() throws {
      try Waiting.wait { [self] in
        let log = try ActivityPeer.open(path)
        _ = try await record(warmUp, in: log)
        let start = ContinuousClock.now
        let times = try await record(requests, in: log)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let stored = log.stats.waitingCount - warmUp
        await log.close()
        PeerReport(
          answered: stored, failed: requests - stored, bytes: 0, seconds: seconds, protocolName: "-",
          medianSeconds: Samples(times).median
        ).print()
      }
    }

    /// Returns the seconds of each call.
    private func record(_ count: Int, in log: ActivityLog) async throws -> [Double] {
      let perTask = count / tasks
      return try await withThrowingTaskGroup(of: [Double].self) { group in
        for _ in 0..<tasks {
          group.addTask {
            var times: [Double] = []
            times.reserveCapacity(perTask)
            for number in 0..<perTask {
              let start = ContinuousClock.now
              try await log.record(
                "listing.opened", ["listing": .integer(Int64(number)), "position": 3, "source": "search"])
              times.append((ContinuousClock.now - start) / .seconds(1))
            }
            return times
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }
  }
}

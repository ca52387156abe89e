import ActivityReporting
import ArgumentParser
import PeerReporting

extension ActivityPeer {
  struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Opens a log with a backlog, and reads its oldest events.")
    @Option(help: "The file of the log.") var path: String

    func run() throws {
      try Waiting.wait { [self] in
        let start = ContinuousClock.now
        let log = try ActivityPeer.open(path)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let oldest = try await log.peek(limit: 30)
        let waiting = log.stats.waitingCount
        await log.close()
        PeerReport(
          answered: waiting, failed: oldest.count == min(waiting, 30) ? 0 : 1, bytes: 0, seconds: seconds,
          protocolName: "-"
        ).print()
      }
    }
  }
}

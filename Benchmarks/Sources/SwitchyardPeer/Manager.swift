import ArgumentParser
import Foundation
import Measuring
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct Manager: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Loads an API by a manager on the main actor, beside bare calls of Swift's pool from there.")
    @Option(help: "The number of unmeasured calls of each first.") var warmUp = 0
    @Option(help: "The number of calls of each measured, by the clock.") var requests: Int

    // The main thread runs the main actor's work in its run loop, as that of an app does.
    func run() throws {
      Task { @MainActor in
        do {
          try await measure()
          SwitchyardPeer.exit()
        } catch { SwitchyardPeer.exit(withError: error) }
      }
      while true { RunLoop.main.run() }
    }

    @MainActor private func measure() async throws {
      let load = try ManagerLoad()
      try await load.load(warmUp)
      await load.hop(warmUp)
      var times = PairedTimes()
      for count in PairedTimes.sizes(requests) {
        let start = ContinuousClock.now
        try await load.load(count)
        let middle = ContinuousClock.now
        await load.hop(count)
        let end = ContinuousClock.now
        times.add(load: (middle - start) / .seconds(1), base: (end - middle) / .seconds(1), count: count)
      }
      PeerReport(
        answered: requests, failed: 0, bytes: 0, seconds: times.load * Double(requests), protocolName: "-",
        baseSeconds: times.base * Double(requests)
      ).print()
    }
  }
}

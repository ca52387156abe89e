import ArgumentParser
import Measuring
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct JSON: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "json", abstract: "Reforms 1 MB of JSON to a list, beside Foundation's JSONDecoder.")
    @Option(help: "The number of responses measured, in processor time.") var requests: Int

    func run() throws {
      let load = try JSONLoad()
      try load.reform(2)
      try load.decode(2)
      var times = PairedTimes()
      for count in PairedTimes.sizes(requests) {
        let start = ProcessorTime.now()
        try load.reform(count)
        let middle = ProcessorTime.now()
        try load.decode(count)
        times.add(load: middle - start, base: ProcessorTime.now() - middle, count: count)
      }
      PeerReport(
        answered: requests, failed: 0, bytes: requests * load.size, seconds: times.load * Double(requests),
        protocolName: "-", baseSeconds: times.base * Double(requests)
      ).print()
    }
  }
}

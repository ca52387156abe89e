import ArgumentParser
import Measuring
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct APIs: ParsableCommand {
    /// The calls that are made.
    enum Part: String, ExpressibleByArgument {
      /// Loads and sends in turn; the time is the difference.
      case difference
      case loads, sends
    }

    static let configuration = CommandConfiguration(
      commandName: "apis", abstract: "Loads an API by a client over a stub, one call after another.")
    @Option(help: "The API's params.") var params: APILoad.Params
    @Option(help: "What is measured: what a load adds to sending its request, or one of the two.")
    var part = Part.difference
    @Option(help: "The number of unmeasured calls first.") var warmUp = 0
    @Option(help: "The number of calls measured, in processor time.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in
        let load = try APILoad(params)
        let seconds =
          switch part {
          case .difference: try await difference(load)
          case .loads: try await alone { try await load.load($0) }
          case .sends: try await alone { try await load.send($0) }
          }
        PeerReport(answered: requests, failed: 0, bytes: 0, seconds: seconds, protocolName: "-").print()
      }
    }

    private func alone(_ send: (Int) async throws -> Void) async throws -> Double {
      try await send(warmUp)
      let start = ProcessorTime.now()
      try await send(requests)
      return ProcessorTime.now() - start
    }

    private func difference(_ load: APILoad) async throws -> Double {
      try await load.load(warmUp)
      try await load.send(warmUp)
      var times = PairedTimes()
      for count in PairedTimes.sizes(requests) {
        let start = ProcessorTime.now()
        try await load.load(count)
        let middle = ProcessorTime.now()
        try await load.send(count)
        times.add(load: middle - start, base: ProcessorTime.now() - middle, count: count)
      }
      return times.difference * Double(requests)
    }
  }
}

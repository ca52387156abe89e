import ArgumentParser
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct Echo: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "echo", abstract: "Sends messages over one WebSocket to a server that sends them back.")
    @OptionGroup var load: LoadOptions
    @Flag(help: "Sends texts instead of bytes.") var text = false

    func run() throws {
      try Waiting.wait { [self] in
        let echo = try await EchoLoad(load.url, isText: text)
        try await echo.exchange(load.warmUp, inFlight: load.inFlight)
        let (start, used) = (ContinuousClock.now, ProcessorUse.now())
        try await echo.exchange(load.requests, inFlight: load.inFlight)
        var report = PeerReport(
          answered: load.requests, failed: 0, bytes: load.requests * EchoLoad.messageSize,
          seconds: (ContinuousClock.now - start) / .seconds(1), protocolName: "-")
        report.use = ProcessorUse.now() - used
        report.print()
      }
    }
  }

  struct Idle: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "idle", abstract: "Keeps many WebSockets open that carry no messages.")
    @Option(help: "The server's URL.") var url: String
    @Option(help: "The number of WebSockets, one more aside.") var size: Int
    @Option(help: "The seconds after all are open in which the processor time is measured.") var seconds:
      Double
    @Option(help: "The seconds without a received byte after which a ping is sent.") var pingInterval: Double

    func validate() throws {
      guard size > 0, seconds >= 0, pingInterval > 0 else {
        throw ValidationError("--size and --ping-interval must be above 0, --seconds 0 or more.")
      }
    }

    func run() throws {
      try Waiting.wait { [self] in
        let sockets = try await IdleSockets(size, to: url, pingInterval: .seconds(pingInterval))
        let start = ProcessorTime.now()
        try await Task.sleep(for: .seconds(seconds))
        let used = ProcessorTime.now() - start
        let (growth, open) = try (sockets.growth(), sockets.openCount)
        print(
          "answered=\(open) failed=\(size - open) memory-bytes=\(growth.residentBytes) "
            + "descriptors=\(growth.descriptors) threads=\(growth.threads) cpu-seconds=\(used)")
      }
    }
  }
}

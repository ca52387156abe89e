import Foundation
import Measuring

/// Runs experiments and produces their outcomes.
struct Bench {
  let programs: Programs
  let isQuick: Bool
  let instructions: InstructionCounter
  let folder: URL
  let rounds: Int
  /// More rounds, of fewer requests, for what depends on how threads are scheduled.
  private let wireRounds: Int
  /// The server that sends messages back, or why it can't run.
  let echoServer: Result<LocalServer, any Error>
  /// The server of loads over HTTP/3, or why it can't run.
  private let caddy: Result<Caddy, any Error>
  private let server: Nginx

  init(programs: Programs, folder: URL, isQuick: Bool) throws {
    self.programs = programs
    self.isQuick = isQuick
    self.folder = folder
    rounds = isQuick ? 3 : 5
    wireRounds = isQuick ? 3 : 11
    server = try Nginx(in: folder)
    echoServer = Result { try LocalServer.echo(in: programs) }
    // With the certificate and the files of the other server.
    caddy = Result { try Caddy(programs, in: folder) }
    instructions = InstructionCounter(in: folder)
  }

  /// Runs one experiment.
  func run(_ experiment: Experiment) -> [Outcome] {
    if experiment.kind.usesHTTP3, let http3Shortage {
      return experiment.comparisons.map { Outcome($0.figure, .skipped(http3Shortage)) }
    }
    return switch experiment.kind {
    case .wire(let shape):
      wire(experiment, shape)
    case .chain(let shape):
      compare(
        experiment, rounds: rounds * shape.repetitions, beside: { peer in try instructions(peer, shape) }
      ) { peer in
        try chain(peer, shape)
      }
    case .chainObjects(let shape):
      compare(experiment, rounds: 1) { _ in try chainObjects(shape) - chainObjects("none") }
    case .stormTransfers:
      compare(experiment, rounds: 1) { _ in try stormTransfers() }
    case .body(let work):
      compare(experiment) { peer in try body(peer, work) }
    case .nonces:
      claims(experiment)
    case .memory(let shape):
      compare(experiment, rounds: 1) { _ in try memory(shape) }
    case .instructions(let shape):
      compare(experiment, rounds: 1) { peer in try instructions(peer, shape) }
    case .chainInstructions(let shape):
      compare(experiment, rounds: 1) { peer in try instructions(peer, shape) }
    case .allocations(let shape):
      compare(experiment, rounds: 1) { peer in try allocations(peer, shape) }
    case .appChainInstructions(let part):
      compare(experiment, rounds: 1) { _ in
        try appChainInstructions() - appChainInstructions(without: part)
      }
    case .appChainObjects(let part):
      compare(experiment, rounds: 1) { _ in try appChainObjects() - appChainObjects(without: part) }
    case .apiObjects(let params):
      compare(experiment, rounds: 1) { _ in try apiObjects(params) }
    case .pair(let load):
      pairs(experiment) { try pair(load) }
    case .recording(let tasks):
      compare(experiment) { _ in try recording(tasks: tasks) }
    case .backlogTime:
      compare(experiment) { _ in try backlog().milliseconds }
    case .backlogMemory:
      compare(experiment, rounds: 1) { _ in try backlog().mebibytes }
    case .diskHit:
      compare(experiment) { peer in try peer == .cLibrary ? diskSelect() : diskHit() }
    case .diskReaders:
      compare(experiment) { peer in try diskRate(tasks: peer == .oneReader ? 1 : 8) }
    case .diskBurst:
      compare(experiment) { _ in try diskBurst() }
    case .diskOpening:
      compare(experiment) { _ in try diskOpening() }
    case .flood(let level):
      compare(experiment, rounds: 1) { _ in try flood(level) }
    case .echo(let shape):
      compare(experiment, rounds: wireRounds, beside: { peer in try instructions(peer, shape) }) { peer in
        try echo(peer, shape)
      }
    case .idleSockets(let count):
      idleSockets(experiment, count)
    case .lossy(let load):
      lossy(experiment, load)
    }
  }

  /// Why loads over HTTP/3 can't run here; nil if they can.
  private var http3Shortage: String? {
    do {
      _ = try programs.onNewestLibcurl(programs.ours("wire", []))
      _ = try caddy.get()
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Starts the server of the nonces only for its figure.
  private func claims(_ experiment: Experiment) -> [Outcome] {
    do {
      let server = try LocalServer.redis()
      return compare(experiment) { peer in try nonces(peer, server) }
    } catch {
      return experiment.comparisons.map { Outcome($0.figure, .failed("\(error)")) }
    }
  }

  /// Measures ours and each peer in every round, and compares the medians.
  ///
  /// - Parameter instructions: Counts the instructions that are printed beside the figure, if possible.
  func compare(
    _ experiment: Experiment, rounds: Int? = nil,
    beside instructions: (Peer) throws -> Double? = { _ in nil },
    _ value: (Peer) throws -> Double
  ) -> [Outcome] {
    compare(experiment, rounds: rounds, beside: instructions) { [.result: try value($0)] }
  }

  func compare(
    _ experiment: Experiment, rounds: Int? = nil,
    beside instructions: (Peer) throws -> Double? = { _ in nil },
    _ values: (Peer) throws -> [Experiment.Quantity: Double]
  ) -> [Outcome] {
    var samples: [Peer: [Experiment.Quantity: Samples]] = [:]
    var troubles: [Peer: Trouble] = [:]
    // Each runs once per round, also if several figures compare it.
    for round in RoundOrder.rounds(rounds ?? self.rounds, of: experiment.runners) {
      for peer in round where troubles[peer] == nil {
        do {
          for (quantity, value) in try values(peer) {
            samples[peer, default: [:]][quantity, default: Samples()].add(value)
          }
        } catch {
          troubles[peer] = error as? Trouble ?? Trouble("\(error)")
        }
      }
    }
    return experiment.comparisons.map { comparison in
      if let trouble = troubles[comparison.subject] {
        return Outcome(comparison.figure, .failed(trouble.description))
      }
      if let trouble = comparison.peer.flatMap({ troubles[$0] }) {
        return Outcome(comparison.figure, .skipped(trouble.description))
      }
      guard let ours = samples[comparison.subject]?[comparison.quantity], let median = ours.median else {
        return Outcome(comparison.figure, .failed("nothing was measured"))
      }
      let peer = comparison.peer.flatMap { samples[$0]?[comparison.quantity] }
      let pair =
        comparison.quantity != .result
        ? nil
        : (try? instructions(comparison.subject))?.map { ours in
          InstructionPair(ours: ours, peer: comparison.peer.flatMap { try? instructions($0) })
        }
      return Outcome(
        comparison.figure, .measured(ours: median, peer: peer?.median),
        spread: peer.flatMap { ours.ratios(to: $0).middleHalf }, instructions: pair)
    }
  }

  // MARK: Over the wire

  private func wire(_ experiment: Experiment, _ shape: WireShape) -> [Outcome] {
    let loop = shape.isBusy ? BusyLoop() : nil
    defer { loop?.stop() }
    return compare(
      experiment, rounds: wireRounds, beside: { peer in try instructions(peer, shape) }
    ) { try wire($0, shape) }
  }

  /// - Parameter server: The server behind a line; nil for that of this machine.
  func wire(
    _ peer: Peer, _ shape: WireShape, from server: Caddy? = nil
  ) throws -> [Experiment.Quantity: Double] {
    let requests = isQuick ? shape.requests / 4 : shape.requests
    let warmUp = peer.warmUp(requests: requests, usual: shape.requests, inFlight: shape.inFlight)
    let line = try result(
      of: program(peer, shape, requests: requests, warmUp: warmUp, from: server), requests: requests)
    try check(line, shape, peer)
    guard let seconds = line.number("seconds"), seconds > 0, let bytes = line.number("bytes") else {
      throw Trouble("\(peer.rawValue) printed no time")
    }
    var values = [
      Experiment.Quantity.result: shape.isLarge ? bytes / 1e6 / seconds : Double(requests) / seconds
    ]
    values[.processorTime] = line.number("cpu-seconds").map { $0 * 1e6 / Double(requests) }
    values[.switches] = line.number("switches").map { $0 / Double(requests) }
    return values
  }

  /// Returns the most requests per second that the C program sends in three loads, beside which all others
  /// are measured.
  ///
  /// The best of them, because another program may run for a moment.
  func pace() throws -> HostPace {
    let rates = try (0..<3).compactMap { _ in try wire(.cProgram, Catalogue.h1)[.result] }
    return HostPace(requestsPerSecond: rates.max() ?? 0)
  }

  /// Returns a peer's program for a load.
  ///
  /// - Parameter server: The server behind a line; nil for that of this machine.
  func program(
    _ peer: Peer, _ shape: WireShape, requests: Int, warmUp: Int, from server: Caddy? = nil
  ) throws -> Program {
    let words = try arguments(shape, requests: requests, warmUp: warmUp, host: peer.host, from: server)
    guard shape.version == .http3 else { return try programs.wire(peer, words) }
    let version = ["--http-version", peer == .oursOverHTTP2 ? "2" : "3"]
    return try programs.onNewestLibcurl(programs.wire(peer, words + version))
  }

  func arguments(
    _ shape: WireShape, requests: Int, warmUp: Int, host: String = "127.0.0.1", from server: Caddy? = nil
  ) throws -> [String] {
    try (server?.url(shape.file) ?? url(shape.version, shape.file, host: host))
      + ["--in-flight", "\(shape.inFlight)", "--warm-up", "\(warmUp)", "--requests", "\(requests)"]
  }

  func url(_ version: HTTPVersion, _ file: String, host: String = "127.0.0.1") throws -> [String] {
    switch version {
    case .http1: ["--url", "http://\(host):\(server.plainPort)/\(file)"]
    case .http2: ["--url", "https://\(host):\(server.tlsPort)/\(file)", "--authorities", server.authorities]
    case .http3: try caddy.get().url(file)
    }
  }

  /// Returns a program's result, after checking that every request succeeded.
  func result(of program: Program, requests: Int) throws -> ResultLine {
    let ending = try program.run()
    guard let line = ResultLine(in: ending.output) else { throw Trouble("a program printed no result") }
    guard line.number("failed") == 0, line.number("answered") == Double(requests) else {
      let failure = ending.errors.split(separator: "\n").last.map(String.init) ?? "it reported no failure"
      throw Trouble("not every request succeeded: \(failure)")
    }
    return line
  }

  private func check(_ line: ResultLine, _ shape: WireShape, _ peer: Peer) throws {
    let spoken = line.text("protocol") ?? "-"
    guard spoken == "-" || spoken == (peer == .oursOverHTTP2 ? .http2 : shape.version).rawValue else {
      throw Trouble("\(peer.rawValue) used \(spoken)")
    }
  }

  // MARK: The chain

  private func chain(_ peer: Peer, _ shape: ChainShape) throws -> Double {
    // The number of warm-up calls is never reduced, because JIT compilation depends on it.
    let requests = isQuick && shape.requests > 100_000 ? shape.requests / 4 : shape.requests
    let load = ["--warm-up", "\(shape.warmUp)", "--requests", "\(requests)"]
    let program = try programs.chain(peer, shape, load)
    guard let seconds = try result(of: program, requests: requests).number("seconds") else {
      throw Trouble("a program printed no time")
    }
    return seconds / Double(requests) * 1e6
  }

  /// Returns the maximum number of transfers for a storm of identical requests.
  private func stormTransfers() throws -> Double {
    let requests = isQuick ? 10_000 : 100_000
    let line = try result(of: programs.ours("storm", ["--requests", "\(requests)"]), requests: requests)
    guard let transfers = line.number("transfers") else { throw Trouble("a program printed no transfers") }
    return transfers
  }

  // MARK: What a profile samples

  /// Returns our program for an experiment; nil if the figure is the difference of several programs.
  func subject(of experiment: Experiment) throws -> Program? {
    switch experiment.kind {
    case .wire(let shape), .instructions(let shape), .allocations(let shape):
      let requests = shape.isLarge ? shape.requests : shape.requests * 4
      return try program(
        experiment.subject, shape, requests: requests, warmUp: shape.inFlight * 2)
    case .chain(let shape), .chainInstructions(let shape):
      return try programs.chain(experiment.subject, shape, ["--requests", "\(shape.requests * 4)"])
    case .memory(.slowReader(let version)):
      return try slowReader(version)
    case .memory(.inFlight(let version)):
      let load = WireShape(version: version, inFlight: 1_024, requests: 100_000)
      return try program(.ours, load, requests: load.requests, warmUp: 0)
    case .stormTransfers:
      return programs.ours("storm", ["--requests", "1000000"])
    case .body(let work):
      return programs.ours("body", ["--work", work, "--requests", "200"])
    case .pair(.manager):
      return programs.ours("manager", ["--requests", "400000"])
    case .pair(.json):
      return programs.ours("json", ["--requests", "400"])
    case .recording(let tasks):
      return programs.activity("record", recordingArguments(tasks: tasks, requests: 640_000))
    case .diskHit:
      return programs.store("hit", hitArguments(requests: 200_000))
    case .diskReaders:
      return programs.store("hit", hitArguments(requests: 200_000) + ["--at-once", "8"])
    case .pair(.firstByte):
      return try programs.ours("connect", firstByteArguments + ["--requests", "1000"])
    case .echo(let shape):
      return try programs.echo(experiment.subject, echoArguments(shape, requests: shape.messages * 8))
    case .idleSockets(let count):
      return try programs.idle(experiment.subject, idleArguments(count))
    case .diskBurst:
      return programs.store("burst", hitArguments(requests: 200_000, in: "burst"))
    case .chainObjects, .appChainInstructions, .appChainObjects, .nonces, .apiObjects, .backlogTime,
      .backlogMemory, .diskOpening, .flood, .lossy:
      return nil
    }
  }
}

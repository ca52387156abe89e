import CurlTransport
import Interception
import LoopbackServing

/// Concurrent requests over HTTP/3, whose server is killed and started again, which must leave nothing.
///
/// Caddy forwards them to the scripted server, whose faults reach the dispatcher as those of a server behind
/// a proxy. In every second wave Caddy is killed twice, and the network changes: until the end of that wave
/// a request may fail as one whose connection was lost. After each wave HTTP/3 has to work again.
public struct HTTP3Soak: Sendable {
  /// The seed of all random numbers.
  public var seed: UInt64
  /// The time after which no other pair of waves begins.
  public var duration: Duration
  /// The number of requests per wave.
  public var wave: Int
  /// The number of concurrent callers.
  public var callers: Int
  /// Whether the process does nothing else, so that its descriptors, threads and memory can be measured.
  public var isAlone: Bool

  /// The maximum growth of resident memory after the second wave, in bytes.
  private static let growth = 64 << 20

  /// Creates a soak; without a duration it is one pair of waves.
  public init(
    seed: UInt64, duration: Duration = .zero, wave: Int = 2000, callers: Int = 48, isAlone: Bool = false
  ) {
    self.seed = seed
    self.duration = duration
    self.wave = wave
    self.callers = callers
    self.isAlone = isAlone
  }

  /// Runs the soak; `progress` is called after each wave with a summary and with each fault that was found.
  public func run(progress: @Sendable (String) -> Void = { _ in }) async throws -> SoakReport {
    let upstream = try SoakServer.start()
    let caddy = try await CaddyServer(upstream: upstream.port)
    let dispatcher = CurlDispatcher(
      configuration: .init(
        limits: .init(total: 32, perOrigin: 12, streamsPerOrigin: 24, queue: 100_000),
        tls: TLSPolicy(authorityFile: caddy.certificates.authorityFile),
        // A handshake takes long on a busy machine.
        connections: ConnectionPolicy(headStart: .seconds(5)), http3: .first))
    var report = SoakReport(seed: seed)
    var (descriptors, threads) = (0, 0)
    let end = ContinuousClock.now + duration
    var number = 0
    repeat {
      let known = report.faults.count
      let range = (number * wave)..<((number + 1) * wave)
      try await run(range, isDisturbed: number % 2 == 1, dispatcher, caddy, &report)
      upstream.removeRequests()
      report.resident.last = OpenSockets.residentBytes()
      if number <= 1 {
        report.resident.second = report.resident.last
        descriptors = max(descriptors, OpenSockets.descriptorCount())
        threads = max(threads, OpenSockets.threadCount())
      }
      progress(
        "\(report.summary) descriptors=\(OpenSockets.descriptorCount()) "
          + "threads=\(OpenSockets.threadCount())")
      for fault in report.faults.dropFirst(known) { progress("FAULT \(fault)") }
      number += 1
    } while number % 2 == 1 || ContinuousClock.now < end
    await dispatcher.shutdown()
    let census = await dispatcher.census()
    if !census.isEmpty || census.sockets > 0 { report.add("after the shutdown there is \(census)") }
    let open = OpenSockets.count(to: caddy.port)
    if open > 0 { report.add("\(open) sockets to Caddy are open after the shutdown") }
    if isAlone { judge(&report, descriptors: descriptors, threads: threads) }
    return report
  }

  private func judge(_ report: inout SoakReport, descriptors: Int, threads: Int) {
    let now = (descriptors: OpenSockets.descriptorCount(), threads: OpenSockets.threadCount())
    if now.descriptors > descriptors {
      report.add("\(now.descriptors) descriptors are open at the end, \(descriptors) were after two waves")
    }
    // Those of the scripted server's connections and of Swift's pool come and go.
    if now.threads > threads + 16 {
      report.add("\(now.threads) threads run at the end, \(threads) did after two waves")
    }
    if report.resident.last > report.resident.second + Self.growth {
      report.add("resident memory has grown to \(report.resident.last >> 20) MiB")
    }
    let versions = ["HTTP/2", "HTTP/3"].map { report.outcomes[$0, default: 0] }
    if versions[1] < versions[0] { report.add("most responses came over HTTP/2") }
  }

  private func run(
    _ range: Range<Int>, isDisturbed: Bool, _ dispatcher: CurlDispatcher, _ caddy: CaddyServer,
    _ report: inout SoakReport
  ) async throws {
    let shared = SoakWave(range)
    let authority = "127.0.0.1:\(caddy.port)"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<callers {
        group.addTask {
          while let number = shared.take() {
            if isDisturbed {
              let part = (number - range.lowerBound) * 8
              try await Self.disturb(part, of: range.count, shared, dispatcher, caddy)
            }
            let call = SoakCall(
              plan: SoakPlan(seed: seed, number: number, servers: [.caddy]), dispatcher: dispatcher,
              authority: authority, living: shared.living, streams: shared.streams)
            shared.note(call, await call.run())
          }
        }
      }
      try await group.waitForAll()
    }
    if isDisturbed {
      report.outcomes["server_killed", default: 0] += 2
      report.outcomes["network_changed", default: 0] += 2
    }
    await shared.end(of: dispatcher, &report)
    await shared.settle(&report) {
      // What was learned of HTTP/3 is forgotten, also that a busy machine has let HTTP/2 win a race.
      dispatcher.networkDidChange()
      let request = Request(authority: authority, path: "/small/1")
      let outcome = try? await dispatcher.dispatch(request).exchange.transport?.http3
      return outcome == .used ? nil : "a request does not use HTTP/3: \(outcome?.description ?? "it failed")"
    }
  }

  /// Kills and starts the server, and changes the network, at some eighths of a wave.
  private static func disturb(
    _ part: Int, of count: Int, _ shared: SoakWave, _ dispatcher: CurlDispatcher, _ caddy: CaddyServer
  ) async throws {
    switch part {
    case count * 2..<count * 2 + 8:
      shared.allowLosses()
      try await shared.inOrder { caddy.kill() }
    case count * 3..<count * 3 + 8:
      try await shared.inOrder { try await caddy.start() }
    case count * 4..<count * 4 + 8, count * 7..<count * 7 + 8:
      dispatcher.networkDidChange()
    case count * 6..<count * 6 + 8:
      try await shared.inOrder {
        caddy.kill()
        try await caddy.start()
      }
    default: break
    }
  }
}

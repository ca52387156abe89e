import CurlTransport
import Interception
import LoopbackServing

/// Concurrent requests with random faults, which must leave no transfer, stream or socket.
///
/// Requests are cancelled, slowly read or released unread, over HTTP/1.1 and, if nginx is installed, HTTP/2.
/// They come in waves. After each wave the dispatcher's transfers are counted, and, once the wave's server
/// has ended, the open sockets.
public struct Soak: Sendable {
  /// The size of nginx's large file in bytes.
  static let largeSize = 150_000

  /// The seed of all random numbers.
  public var seed: UInt64
  /// The number of requests.
  public var requests: Int
  /// The number of concurrent callers.
  public var callers: Int
  /// The number of requests per wave.
  public var wave: Int
  /// Whether HTTP/2 is used, which needs nginx.
  public var hasHTTP2: Bool
  /// Whether the process does nothing else, so that its descriptors and memory can be measured.
  public var isAlone: Bool
  /// Whether threads spin before they block, keep the memory that libcurl frees, and cache response heads.
  public var isOptimized: Bool

  /// Creates a soak.
  public init(
    seed: UInt64, requests: Int, callers: Int = 48, wave: Int = 2000, hasHTTP2: Bool, isAlone: Bool = false,
    isOptimized: Bool = true
  ) {
    self.seed = seed
    self.requests = requests
    self.callers = callers
    self.wave = wave
    self.hasHTTP2 = hasHTTP2
    self.isAlone = isAlone
    self.isOptimized = isOptimized
  }

  /// Runs the soak; `progress` is called after each wave with a summary and with each fault that was found.
  public func run(progress: @Sendable (String) -> Void = { _ in }) async throws -> SoakReport {
    let nginx =
      hasHTTP2
      ? try await NginxServer(
        files: ["large": SoakPattern.bytes(Self.largeSize)],
        tlsSettings: { _ in "location = /refused { return 413; }" })
      : nil
    let limits = CurlDispatcher.Limits(total: 32, perOrigin: 12, streamsPerOrigin: 24, queue: 100_000)
    let trust = nginx.map { TLSPolicy(authorityFile: $0.certificates.authorityFile) } ?? TLSPolicy()
    var report = SoakReport(seed: seed)
    var descriptorsBefore = 0
    do {
      var configuration = CurlDispatcher.Configuration(
        limits: limits, tls: trust, spinning: isOptimized)
      configuration.reusesMemory = isOptimized
      configuration.cachesResponseHeads = isOptimized
      let dispatcher = CurlDispatcher(configuration: configuration)
      // The first wave opens what is kept, such as the threads' pipes.
      for number in 0..<((requests + wave - 1) / max(wave, 1)) {
        let known = report.faults.count
        let range = (number * wave)..<min((number + 1) * wave, requests)
        try await runWave(range, dispatcher, nginx, &report)
        let resident = OpenSockets.residentBytes()
        if number <= 1 { report.resident.second = resident }
        if number == 0 { descriptorsBefore = OpenSockets.descriptorCount() }
        report.resident.last = resident
        progress(report.summary)
        for fault in report.faults.dropFirst(known) { progress("FAULT \(fault)") }
      }
      await dispatcher.shutdown()
      let census = await dispatcher.census()
      if !census.isEmpty { report.add("after the shutdown there is \(census)") }
    }
    if let nginx, case let open = OpenSockets.count(to: nginx.tlsPort()), open > 0 {
      report.add("\(open) sockets to nginx are open after the shutdown")
    }
    let descriptors = OpenSockets.descriptorCount()
    // Includes the dispatcher's own descriptors and its HTTP/2 connections.
    if isAlone, descriptors > descriptorsBefore {
      report.add(
        "\(descriptors) descriptors are open at the end, \(descriptorsBefore) were after the first wave")
    }
    return report
  }

  private func runWave(
    _ range: Range<Int>, _ dispatcher: CurlDispatcher, _ nginx: NginxServer?, _ report: inout SoakReport
  ) async throws {
    let server = try SoakServer.start()
    let shared = SoakWave(range)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<callers {
        group.addTask {
          while let number = shared.take() {
            let plan = SoakPlan(
              seed: seed, number: number, servers: nginx == nil ? [.scripted] : [.scripted, .nginx])
            let authority = plan.server == .nginx ? "127.0.0.1:\(nginx?.tlsPort() ?? 0)" : server.authority
            let call = SoakCall(
              plan: plan, dispatcher: dispatcher, authority: authority, living: shared.living,
              streams: shared.streams)
            shared.note(call, await call.run())
          }
        }
      }
    }
    await shared.end(of: dispatcher, &report)
    let port = server.port
    server.stop()
    // libcurl closes an idle connection when it next checks it, which any request causes.
    await shared.settle(&report) {
      _ = try? await dispatcher.dispatch(Request(scheme: "http", authority: "127.0.0.1:\(port)", path: "/"))
      let open = OpenSockets.count(to: port)
      return open == 0 ? nil : "\(open) sockets to the wave's server are open"
    }
  }
}

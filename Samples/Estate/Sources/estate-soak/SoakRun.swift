import EstateServer
import Foundation
import HTTPServing
import Synchronization

/// The server, the runs of the app, and the faults that come from outside them.
final class SoakRun: Sendable {
  /// The seconds after which the app is killed.
  private static let lifetime = 20.0..<45.0
  /// The seconds between two faults.
  private static let pause = 3.0..<10.0
  /// The seconds in which the last run must end by itself.
  private static let endLimit = 180.0

  let disk: SmallDisk
  private let end: ContinuousClock.Instant
  private let seed: UInt64
  private let random: Mutex<SeededRandom>
  private let tallied = Mutex(SoakTally())
  private let server = Mutex<ChildProcess?>(nil)
  private let app = Mutex<ChildProcess?>(nil)
  private let port = Mutex(0)
  /// The number of homes that the users of one run add to the favourites.
  private let favouritesPerLife: Int

  init(seconds: Double, seed: UInt64) throws {
    disk = try SmallDisk()
    end = .now + .seconds(seconds)
    self.seed = seed
    random = Mutex(SeededRandom(seed: seed))
    favouritesPerLife = max(8, 900 / (Int(seconds / Self.lifetime.lowerBound) + 1))
  }

  deinit { disk.remove() }

  /// Runs until the end, and returns what was counted.
  func tally() async throws -> SoakTally {
    defer {
      app.withLock { $0?.send(SIGKILL) }
      server.withLock { $0?.send(SIGTERM) }
    }
    try await startServer()
    while try await live() {}
    server.withLock { $0 }?.send(SIGTERM)
    await server.withLock { $0 }?.ended()
    let record = (try? String(contentsOfFile: disk.recordPath, encoding: .utf8)) ?? ""
    return tallied.withLock { tally in
      tally.recorded = Set(
        record.split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { Int($0) } })
      return tally
    }
  }

  // MARK: Runs of the app

  /// Runs the app until it is killed, or until the end; returns whether there is time for another run.
  private func live() async throws -> Bool {
    let life = tallied.withLock { tally in
      tally.beginLife()
      return tally.lives
    }
    let app = try ChildProcess(
      ChildProcess.builtProgram("estate-soak"),
      [
        "use", "--server", "https://localhost:\(port.withLock { $0 })", "--state", disk.path, "--seed",
        "\(seed &+ UInt64(life) &* 1_000)", "--first-favourite", "\((life - 1) * favouritesPerLife + 1)",
        "--favourites", "\(favouritesPerLife)",
      ], hasInput: true)
    self.app.withLock { $0 = app }
    let counting = Task {
      for await line in app.lines {
        if let message = SoakMessage(line: line) { tallied.withLock { $0.take(message, at: .now) } }
      }
    }
    let death = ContinuousClock.now + .seconds(number(in: Self.lifetime))
    let isLast = death + .seconds(10) > end
    try await injectFaults(until: isLast ? end : death, into: app)
    let ended = ContinuousClock.now
    if isLast { app.closeInput() } else { app.send(SIGKILL) }
    let limit = Task {
      try await Task.sleep(for: .seconds(Self.endLimit))
      app.send(SIGKILL)
    }
    let status = await app.ended()
    limit.cancel()
    await counting.value
    tallied.withLock { tally in
      tally.endLife(killed: !isLast, at: ended)
      if !isLast { tally.note("app killed") }
    }
    report(life)
    guard isLast || status == -SIGKILL else { throw SoakError.appEnded(status) }
    return !isLast
  }

  private func report(_ life: Int) {
    let (steps, wrong, lost) = tallied.withLock { ($0.steps, $0.wrong.count, $0.lost) }
    print("soak: run \(life) of the app has ended; \(steps) steps so far, \(wrong) wrong, \(lost) lost")
  }

  // MARK: Faults

  private func injectFaults(until end: ContinuousClock.Instant, into app: ChildProcess) async throws {
    while true {
      let next = min(end, .now + .seconds(number(in: Self.pause)))
      while ContinuousClock.now < next {
        try await Task.sleep(for: .milliseconds(200))
        if let figures = ProcessFigures(of: app.id) {
          tallied.withLock { $0.peakKibibytes = max($0.peakKibibytes, figures.peakKibibytes) }
        }
      }
      guard ContinuousClock.now < end else { return }
      if disk.isBounded, number(in: 0..<1) < 0.4 {
        disk.fill()
        tallied.withLock { $0.note("disk filled") }
        try await Task.sleep(for: .seconds(number(in: 0.5..<3)))
        disk.free()
      } else {
        server.withLock { $0 }?.send(SIGKILL)
        await server.withLock { $0 }?.ended()
        tallied.withLock { $0.note("server killed") }
        try await Task.sleep(for: .seconds(number(in: 0.1..<2)))
        try await startServer()
      }
    }
  }

  /// Starts the server at the port that it had before, and waits until it answers.
  private func startServer() async throws {
    // What the killed one had in flight holds the port for up to five seconds.
    for _ in 0..<30 {
      let server = try ChildProcess(
        ChildProcess.builtProgram("estate-server"),
        [
          "--port", "\(port.withLock { $0 })", "--state", disk.path, "--log-level", "critical", "--record",
          disk.recordPath,
        ])
      self.server.withLock { $0 = server }
      for await line in server.lines {
        guard let found = line.split(separator: ":").last.flatMap({ Int($0) }) else { continue }
        port.withLock { $0 = found }
        return
      }
      await server.ended()
      try await Task.sleep(for: .milliseconds(500))
    }
    throw SoakError.noServer
  }

  private func number(in range: Range<Double>) -> Double {
    random.withLock { Double.random(in: range, using: &$0) }
  }
}

/// Why a soak could not go on.
enum SoakError: Error, CustomStringConvertible {
  case noServer
  case appEnded(Int32)

  var description: String {
    switch self {
    case .noServer: "The server could not be started again at its port; see its messages above."
    case .appEnded(let status): "The app ended by itself with status \(status); see its messages above."
    }
  }
}

import Deployment
import FeatureFlags
import Foundation
import Switchyard
import Synchronization

/// Shows what starts do with a document that the app dies of, in a folder of its own.
///
/// Each start is a value of its own on the same files; to die is to be released without an orderly end, which
/// leaves what a killed process leaves.
struct SafeStart {
  private static let dies = FeatureFlag("demonstration.dies", default: false)

  private let files: DeploymentFiles
  private let clock = HastyClock()

  init(_ files: DeploymentFiles) {
    self.files = DeploymentFiles(files, in: files.folder + "-trial-\(UUID())")
  }

  /// Confirms a document, receives the one after it, and lets the app start three times.
  func lines(with deadly: [UInt8], before: [UInt8]) async throws -> [String] {
    try FileManager.default.createDirectory(atPath: files.folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: files.folder) }
    var lines: [String] = []
    do {
      let (first, _) = try start()
      try await first.receive(before)
      clock.advance(by: .seconds(10))
      first.confirm()
      try await first.receive(deadly)
      first.end()
      lines.append("the app confirms a document, receives the next one, and ends")
    }
    for number in 1...3 {
      let (deployments, flags) = try start()
      let version = deployments.version.map { "\($0)" } ?? "none"
      guard flags[Self.dies] else {
        lines.append("start \(number) uses document \(version) and lives")
        return lines + deployments.events.suffix(1).map { "\($0)" }
      }
      lines.append("start \(number) uses document \(version) and dies of it")
    }
    return lines
  }

  private func start() throws -> (Deployments, DeployedFlags) {
    let flags = try DeployedFlags([Self.dies])
    let routes = DeploymentPart("routes") { _ in
      {}
    } reset: {
    }
    return (
      try Deployments(
        folder: files.folder, verifier: files.verifier, parts: [.flags(flags), routes],
        time: TimeSource(clock)), flags
    )
  }
}

/// A clock that only the demonstration advances; sleeping on it lasts until the task is cancelled.
private final class HastyClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration = .zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let instant = Mutex(Instant())

  var now: Instant { instant.withLock { $0 } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    while now < deadline { try await Task.sleep(for: .seconds(3_600)) }
  }
}

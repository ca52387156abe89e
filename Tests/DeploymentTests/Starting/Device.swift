import CommandRunning
import Deployment
import Foundation
import Interception
import SwitchyardTesting
import Synchronization

/// A device with an app that has two parts, of which processes start, die and end.
final class Device: Sendable {
  let folder: TemporaryFolder
  let clock = TestClock()
  /// The wall clock, which may jump.
  let wall = Mutex(Documents.now)
  /// The content of each part that is in force in the present process.
  let content = Mutex<[String: String]>([:])
  /// The events that were observed.
  let observed = Mutex<[DeploymentEvent]>([])

  init() throws { folder = try TemporaryFolder(prefix: "deployments") }

  var path: String { folder.url.path }

  /// Starts a process; releasing the value is its death, unless `end()` was called.
  ///
  /// - Parameter isAlone: Whether the process before has ended, which may take a moment.
  func start(
    app: String = "1.0", trusting keys: [String] = Documents.keyNames, isAlone: Bool = true
  ) async throws -> Deployments {
    if isAlone {
      try await waitUntil("the process before has ended") { [path] in
        guard let lock = try FileLock(path + "/deployment.lock") else { return false }
        lock.release()
        return true
      }
    }
    content.withLock { $0 = [:] }
    return try Deployments(
      folder: path, verifier: Documents.verifier(trusting: keys, appVersion: app),
      parts: [part("label"), part("price")],
      time: TimeSource(clock, wall: { [weak self] in self?.wall.withLock { $0 } ?? Documents.now })
    ) { [weak self] event in
      self?.observed.withLock { $0.append(event) }
    }
  }

  private func part(_ name: String) -> DeploymentPart {
    DeploymentPart(name) { [weak self] content in
      let text = String(decoding: content, as: UTF8.self)
      if text == "wrong" { throw DeploymentPart.Fault("should not be \"wrong\"", line: 1) }
      return { self?.content.withLock { $0[name] = text } }
    } reset: { [weak self] in
      self?.content.withLock { $0[name] = nil }
    }
  }

  /// The document of a version, whose parts name it.
  static func document(_ version: UInt64, by key: String = "2026", wrong: Bool = false) throws -> [UInt8] {
    try Documents.signed(
      version: version, parts: ["label": "v\(version)", "price": wrong ? "wrong" : "p\(version)"], by: key)
  }

  /// Confirms the version in use.
  func confirm(_ deployments: Deployments) {
    clock.advance(by: .seconds(10))
    deployments.confirm()
  }

  /// A device on which version 1 is confirmed.
  static func withVersion1() async throws -> Device {
    let device = try Device()
    let deployments = try await device.start()
    try await deployments.receive(document(1))
    device.confirm(deployments)
    deployments.end()
    return device
  }

  /// The parts of a version.
  static func parts(_ version: UInt64?) -> [String: String] {
    version.map { ["label": "v\($0)", "price": "p\($0)"] } ?? [:]
  }

  /// The names of the files, sorted.
  var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }

  func file(where isIncluded: (String) -> Bool) -> URL? {
    files.first(where: isIncluded).map { folder.url.appending(path: $0) }
  }
}

import Deployment
import EstateContract
import FeatureFlags
import HomeDetailRoutes
import Inspection
import Switchyard
import Synchronization

/// What changes in the app without a release: flags, redirects, and modules that are switched off.
final class AppDeployments: ReceivedDeployments {
  let flags: DeployedFlags
  private let files: DeploymentFiles?
  /// Set once all parts exist, of which the routes are the last.
  private let deployments = Mutex<Deployments?>(nil)

  init(_ files: DeploymentFiles?) throws {
    self.files = files
    flags = try DeployedFlags([HomeFlags.priceLabel])
  }

  /// The policy of the redirect tables, which are those of a file if the app has a key for it.
  static func policy(_ configuration: AppConfiguration) -> RedirectPolicy {
    if let verifier = configuration.redirectVerifier { return .signed(by: verifier) }
    return configuration.deployments == nil ? .refused : .unsigned()
  }

  /// Decides which document this start uses, and applies it.
  func start(
    _ configuration: AppConfiguration, redirects: RedirectTables, time: TimeSource,
    tell: @escaping @Sendable (DeploymentEvent) -> Void
  ) throws {
    // The redirects of a file and those of documents would replace each other.
    guard let files, configuration.redirectVerifier == nil else { return }
    let started = try Deployments(
      folder: files.folder, verifier: files.verifier, parts: [.flags(flags), .routes(redirects)],
      time: time, observe: tell)
    deployments.withLock { $0 = started }
  }

  /// Says that the app works, because a screen was shown or a service has answered.
  func confirm() { current?.confirm() }

  func follow(_ event: LifecycleEvent) { current?.follow(event) }

  /// Says that the app ends by itself, and closes the files for the next one.
  func end() {
    deployments.withLock { deployments in
      deployments?.end()
      deployments = nil
    }
  }

  var lines: [String] {
    guard let current else { return [] }
    let version = current.version.map { "version \($0)" } ?? "none"
    return ["Deployment: \(version)"] + current.events.suffix(3).map { "\($0)" }
  }

  func receive(_ bytes: [UInt8]) async throws -> String {
    guard let current else { return "This run keeps no deployment documents." }
    let isNew = try await current.receive(bytes)
    let version = current.version.map { "version \($0)" } ?? "no document"
    return "\(version) is in use\(isNew ? "" : ", as before")"
  }

  func safeStart(with deadly: [UInt8], before: [UInt8]) async throws -> String {
    guard let files else { return "This run keeps no deployment documents." }
    return try await SafeStart(files).lines(with: deadly, before: before).joined(separator: "\n    ")
  }

  /// The version in use, and whether the last word on a later one is that it is held back.
  var status: (version: UInt64?, isHeldBack: Bool) {
    guard let current else { return (nil, false) }
    let last = current.events.last { $0.version ?? 0 > current.version ?? 0 }
    return (current.version, last?.kind == .heldBack || last?.kind == .givenUp)
  }

  private var current: Deployments? { deployments.withLock { $0 } }
}

extension DeploymentEvent {
  /// How the inspector colors it.
  var tone: Inspector.Tone {
    switch kind {
    case .applied, .confirmed: .good
    case .refused, .died, .heldBack, .givenUp, .unusable, .rebuilt, .unrecorded: .warning
    case .received, .interrupted, .triedAgain: .plain
    }
  }
}

import Account
import EstateApp
import EstateServer
import Foundation
import Inspection
import Switchyard
import Testing

/// The sample's server in this process, with its own certificate and nginx in front.
final class RunningServer: Sendable {
  /// The server of the running test, in suites with the trait `.server`.
  @TaskLocal static var current: RunningServer?

  let state: String
  let port: UInt16
  private let stopped: AsyncStream<Void>.Continuation
  private let task: Task<Void, any Error>

  /// Starts a server of the sample's homes, or of those in a text of the same form.
  init(listings: String? = nil) async throws {
    let state = FileManager.default.temporaryDirectory.appending(path: "estate-\(UUID())").path
    let directory = try StateDirectory(path: state)
    let key = try directory.demoKey()
    let api = EstateAPI(
      listings: try listings.map { try Listings(csv: Array($0.utf8)) } ?? .sacramento(),
      verifier: SharedKeyVerifier(key: key), messageSignatures: MessageSignatureService(key: key),
      addressKey: key,
      guide: try GuideSite(in: directory), deployments: try DeploymentRoutes(in: directory))
    _ = try ServerCertificate.prepare(in: directory)
    let server = APIServer(api: api, directory: directory, port: 0, logger: .silent)
    self.state = state
    (port, stopped, task) = try await runUntilStopped { try await server.run(until: $0, onListening: $1) }
  }

  deinit { stopped.finish() }

  /// The server's URL as the app's option takes it.
  var url: String { "https://localhost:\(port)" }

  /// Stops the server, returns when it has ended, and removes its state folder unless an app still needs it.
  func stop(keepingState keepsState: Bool = false) async {
    stopped.finish()
    _ = await task.result
    if !keepsState { try? FileManager.default.removeItem(atPath: state) }
  }

  /// Returns a new app that uses the server.
  ///
  /// - Parameters:
  ///   - answers: What is typed at each login, unless `prompt` asks for it.
  ///   - time: The time by which the app's clock is ahead.
  @MainActor func shell(
    _ console: RecordingConsole = RecordingConsole(), answers: [MemberCredentials?] = [],
    prompt: (any CredentialPrompt)? = nil, isStaging: Bool = false, remembersEnvironment: Bool = false,
    hasQueues: Bool = false, detail: TraceDetail = .line, startedAt start: Date? = nil,
    host: (any NavigationHost)? = nil, inspector: Inspector? = nil,
    interventions: InterventionInterceptor? = nil, source: any NetworkSource = SystemNetworkSource(),
    later time: Duration = .zero, logger: Logger = .silent
  ) throws -> EstateShell {
    try EstateShell(
      AppConfiguration(
        server: url, state: state, isStaging: isStaging, remembersEnvironment: remembersEnvironment,
        hasQueues: hasQueues), console: console, prompt: prompt ?? ScriptedPrompt(answers), logger: logger,
      host: host, detail: detail, startedAt: start, inspector: inspector, interventions: interventions,
      networkSource: source,
      time: time == .zero
        ? .system : TimeSource(ContinuousClock(), wall: { WallTime.now().advanced(by: time) }))
  }
}

/// Runs each test of a suite beside a server of its own.
struct ServerTrait: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let server = try await RunningServer()
    try await run {
      try await RunningServer.$current.withValue(server, operation: function)
    } finally: {
      await server.stop()
    }
  }
}

extension Trait where Self == ServerTrait {
  /// Runs each test of a suite beside a server of its own, which is ``RunningServer/current``.
  static var server: ServerTrait { ServerTrait() }
}

/// Tests of which each has a server of its own, and an app that prints to the console.
@MainActor class ServerTests {
  let server: RunningServer
  let console = RecordingConsole()

  init() throws { server = try #require(RunningServer.current) }
}

extension EstateShell {
  /// Opens URLs, none of which may fail.
  func openAll(_ urls: String..., sourceLocation: SourceLocation = #_sourceLocation) async {
    for url in urls { #expect(await open(url) == .done, "\(url)", sourceLocation: sourceLocation) }
  }
}

/// Runs a test, and what has to follow it whether it throws or not.
func run(_ body: () async throws -> Void, finally end: () async -> Void) async throws {
  do {
    try await body()
  } catch {
    await end()
    throw error
  }
  await end()
}

/// Runs a server until the returned continuation finishes, and returns once it listens; throws what it throws
/// before.
func runUntilStopped(
  _ serve:
    @escaping @Sendable (
      _ stop: @escaping @Sendable () async -> Void, _ onListening: @escaping @Sendable (UInt16) -> Void
    ) async throws -> Void
) async throws -> (UInt16, AsyncStream<Void>.Continuation, Task<Void, any Error>) {
  let (ports, listening) = AsyncStream<UInt16>.makeStream()
  let (stops, stop) = AsyncStream<Void>.makeStream()
  let task = Task {
    defer { listening.finish() }
    try await serve({ for await _ in stops {} }) { listening.yield($0) }
  }
  for await port in ports { return (port, stop, task) }
  try await task.value
  throw CancellationError()
}

extension Logger {
  static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

extension MemberCredentials {
  /// Those of the sample's account.
  static let demo = MemberCredentials(user: "demo", password: "open-house")
}

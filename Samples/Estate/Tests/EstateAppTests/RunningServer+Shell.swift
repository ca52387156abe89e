import Account
import EstateApp
import Switchyard

extension MemberCredentials {
  /// Those of the sample's account.
  static let demo = MemberCredentials(user: "demo", password: "open-house")
}

extension RunningServer {
  /// Returns a new app that uses the server.
  ///
  /// - Parameters:
  ///   - answers: What is typed at each login.
  ///   - time: The time by which the app's clock is ahead.
  @MainActor func shell(
    _ console: RecordingConsole = RecordingConsole(), answers: [MemberCredentials?] = [],
    hasQueues: Bool = false, detail: TraceDetail = .line, host: (any NavigationHost)? = nil,
    source: any NetworkSource = SystemNetworkSource(), later time: Duration = .zero,
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  ) throws -> EstateShell {
    try EstateShell(
      AppConfiguration(server: url, state: state, hasQueues: hasQueues), console: console,
      prompt: ScriptedPrompt(answers), logger: logger, host: host, detail: detail, networkSource: source,
      time: time == .zero
        ? .system : TimeSource(ContinuousClock(), wall: { WallTime.now().advanced(by: time) }))
  }
}

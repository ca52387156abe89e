import Mediation
import Testing

@Suite struct RouteEnvironmentTests {
  private enum Retries: RouteEnvironmentKey {
    static let defaultValue = 2
  }

  private enum CacheLimit: RouteEnvironmentKey {
    typealias Value = Int?
  }

  /// What a library asks of the app that embeds it.
  private protocol Host: Sendable {
    var isReachable: Bool { get }
    func filePath(_ name: String) -> String?
  }

  private enum HostKey: RouteEnvironmentKey {
    static let defaultValue: any Host = NoHost()
  }

  private struct NoHost: Host {
    let isReachable = true
    func filePath(_ name: String) -> String? { nil }
  }

  private struct App: Host {
    let isReachable = false
    func filePath(_ name: String) -> String? { "/data/\(name)" }
  }

  private struct AskRoute: NativeRoute { typealias Output = [String] }

  private static func settings(_ environment: RouteEnvironment) async throws -> [String] {
    let module = NeedyModule("Settings", needs: [.environment(Retries.self), .environment(HostKey.self)]) {
      table in
      table.action(AskRoute.self) { _, context in
        let host = context[HostKey.self]
        return [
          "\(context[Retries.self])", "\(context[CacheLimit.self] ?? -1)", "\(host.isReachable)",
          host.filePath("db") ?? "none",
        ]
      }
    }
    return try await Mediator(schemes: ["estate"], modules: [module], environment: environment).call(
      AskRoute())
  }

  @Test("F21: modules read the app's settings from the environment")
  func settings() async throws {
    let environment = RouteEnvironment().setting(Retries.self, to: 5).setting(CacheLimit.self, to: 10)
      .setting(HostKey.self, to: App())
    #expect(try await Self.settings(environment) == ["5", "10", "false", "/data/db"])
  }

  @Test("F21: a setting that the app does not make has its safe default and meets a need")
  func defaults() async throws {
    #expect(try await Self.settings(RouteEnvironment()) == ["2", "-1", "true", "none"])
  }

  @Test("F21: a setting whose value is an object is read anew each time")
  func changing() throws {
    final class Network: Host {
      let counter = Counter()
      var isReachable: Bool { counter.next() > 1 }
      func filePath(_ name: String) -> String? { nil }
    }
    let environment = RouteEnvironment().setting(HostKey.self, to: Network())
    #expect([environment[HostKey.self].isReachable, environment[HostKey.self].isReachable] == [false, true])
  }

  @Test("A need for a key is met if its value is not nil, set or by default")
  func needs() throws {
    let module = NeedyModule("Cache", needs: [.environment(CacheLimit.self)])
    func mediator(_ environment: RouteEnvironment) throws -> Mediator {
      try Mediator(schemes: ["estate"], modules: [module], environment: environment)
    }
    for unset in [RouteEnvironment(), RouteEnvironment().setting(CacheLimit.self, to: nil)] {
      let issue = try #require(throws: RouteTableIssue.self) { try mediator(unset) }
      #expect(
        issue.faults.map(\.description) == [
          "Module Cache needs environment CacheLimit, which is missing; set CacheLimit in the mediator's "
            + "environment."
        ])
    }
    #expect(throws: Never.self) { try mediator(RouteEnvironment().setting(CacheLimit.self, to: 0)) }
  }
}

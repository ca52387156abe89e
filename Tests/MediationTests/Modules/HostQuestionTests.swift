import Mediation
import Testing

@Suite struct HostQuestionTests {
  private enum Retries: HostQuestion {
    typealias Value = Int
    static let safeAnswer = 2
  }

  private struct AskRoute: ParameterlessRoute {
    typealias Output = [String]
    static let pattern: RoutePattern = "estate://ask"
  }

  private struct App: HostAnswers {
    let isReachable = false
    let isLogging = true
    func limit(_ name: String) -> Int? { name == "cache" ? 10 : nil }
    func key(_ name: String) -> [UInt8]? { name == "api" ? [1, 2] : nil }
    func filePath(_ name: String) -> String? { "/data/\(name)" }
  }

  private struct TerseApp: HostAnswers { let isLogging = true }

  private static func answers(_ environment: RouteEnvironment) async throws -> [String] {
    let module = TestModule { table in
      table.route(AskRoute.self, needs: [Retries.self, HostAnswersKey.self], file: "M.swift", line: 1) {
        _, context in
        let host = context.host
        return .value([
          "\(context.answer(to: Retries.self))", "\(host.isReachable)", "\(host.isLogging)",
          "\(host.limit("cache") ?? -1)", "\(host.key("api") ?? [])", host.filePath("db") ?? "none",
        ])
      }
    }
    return try await Mediator(schemes: ["estate"], modules: [module], environment: environment).call(
      AskRoute())
  }

  @Test("F21: modules get the app's answers through the mediator")
  func answered() async throws {
    let environment = RouteEnvironment().answering(App()).setting(Retries.self, to: 5)
    #expect(try await Self.answers(environment) == ["5", "false", "true", "10", "[1, 2]", "/data/db"])
  }

  @Test("F21: a missing answer has a safe default, alone or with all others, and is not a fault of the table")
  func unanswered() async throws {
    #expect(try await Self.answers(RouteEnvironment()) == ["2", "true", "false", "-1", "[]", "none"])
    #expect(
      try await Self.answers(RouteEnvironment().answering(TerseApp())) == [
        "2", "true", "true", "-1", "[]", "none",
      ])
  }

  @Test("F21: answers are read anew each time")
  func changing() throws {
    final class Network: HostAnswers {
      let counter = Counter()
      var isReachable: Bool { counter.next() > 1 }
    }
    let mediator = try Mediator(
      schemes: ["estate"], modules: [], environment: RouteEnvironment().answering(Network()))
    #expect([mediator.host.isReachable, mediator.host.isReachable] == [false, true])
    #expect(mediator.answer(to: Retries.self) == 2)
  }
}

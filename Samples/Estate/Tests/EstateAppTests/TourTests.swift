import Account
import EstateApp
import Logging
import Testing

@Suite("The tour", .timeLimit(.minutes(5)))
@MainActor struct TourTests {
  private let chain = [
    "ValidationInterceptor", "SessionInterceptor", "SigningInterceptor", "CachingInterceptor",
    "DNSBypassInterceptor", "CompressionInterceptor", "LoggingInterceptor", "TamperingInterceptor",
    "CurlDispatcher",
  ]

  private func shell(
    _ server: RunningServer, _ console: RecordingConsole, answers: [Credentials?] = EstateShell.tourAnswers
  ) throws -> EstateShell {
    try EstateShell(
      AppConfiguration(server: server.url, state: server.state), console: console,
      prompt: ScriptedPrompt(answers), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// The names of the steps of the first trace among some lines.
  private func traced(_ lines: [String]) -> [String] {
    let trace = lines.drop { !$0.hasPrefix("  · ") }.dropFirst().prefix { $0.hasPrefix("      ") }
    return trace.compactMap { $0.split(separator: " ").first.map(String.init) }.filter { $0 != "HTTP/2" }
  }

  @Test("G2: every step over the real wire ends as it must, with the interceptors in order and in the trace")
  func wholeTour() async throws {
    let server = try await RunningServer()
    let console = RecordingConsole()
    let shell = try shell(server, console)
    #expect(await shell.tour())
    #expect(console.lines.filter { $0.contains("✗") } == [])
    let first = console.step("estate://listings/house?city=SACRAMENTO&max=150000  — a list")
    #expect(traced(first) == chain)
    #expect(first.contains { $0.contains("HTTP/2") && $0.contains("tls ") && $0.contains("(gzip)") })
    let second = console.step("estate://listings/house?city=SACRAMENTO&max=150000  — the second look")
    #expect(traced(second) == Array(chain.prefix(4)))
    #expect(second.contains { $0.contains("cache: hit") })
    #expect(first.filter { $0.contains("│") } == second.filter { $0.contains("│") })
    #expect(shell.summary.hasPrefix("demo: "))
    await server.stop()
  }

  @Test("G5: a URL opens a screen, a service with a typed result, or a web page")
  func threeKinds() async throws {
    let server = try await RunningServer()
    let console = RecordingConsole()
    let shell = try shell(server, console)
    #expect(await shell.open("estate://home/42") == .done)
    #expect(await shell.open("estate://mortgage/quote?price=300000&down=20&years=30") == .done)
    #expect(await shell.open("https://api.estate.test/help.html") == .done)
    #expect(console.step("estate://home/42").contains { $0.contains("a month") })
    #expect(console.step("estate://mortgage").contains { $0.contains("MortgageQuote(loan: 240000") })
    #expect(console.step("https://").contains { $0.contains("┌─") })
    await server.stop()
  }

  @Test("F16: a guest is led to the login and on to where he wanted, and a refusal stays at the door")
  func detour() async throws {
    let server = try await RunningServer()
    let console = RecordingConsole()
    let member = Credentials(user: "demo", password: "open-house")
    let shell = try shell(server, console, answers: [nil, member])
    #expect(await shell.open("estate://favourites") == .failed("refused_by_guard"))
    #expect(await shell.open("estate://favourites/add/7") == .done)
    #expect(console.step("estate://favourites/add/7").contains("  = 1"))
    #expect(await shell.open("estate://favourites") == .done)
    #expect(console.lines.last { $0.contains("#7") } != nil)
    #expect(!console.lines.contains { $0.contains("open-house") })
    await server.stop()
  }

  @Test("a wrong password is told as such, and the app goes on")
  func wrongPassword() async throws {
    let server = try await RunningServer()
    let console = RecordingConsole()
    let shell = try shell(server, console, answers: [Credentials(user: "demo", password: "guess")])
    #expect(await shell.open("estate://favourites") == .failed("refused_by_guard"))
    #expect(console.step("estate://favourites").contains { $0.contains("401") })
    #expect(await shell.open("estate://home/1") == .done)
    await server.stop()
  }

  @Test(
    "bad input ends in its own error with a sentence, and the app goes on",
    arguments: [
      ("estate://home/%zz", "malformed_url"), ("estate://hoem/1", "unknown_route"),
      ("estate://home/abc", "wrong_parameter"), ("estate://listings/castle", "wrong_parameter"),
      ("estate://listings/house?page=0", "invalid_params"),
      ("estate://listings/house?max=cheap", "wrong_parameter"),
      ("estate://mortgage/quote?price=0", "LoanFault"), ("estate://mortgage/quote", "wrong_parameter"),
      ("estate://mortgage/quote?price=1000&years=7", "LoanFault"), ("nonsense", "malformed_url"),
      ("", "malformed_url"), ("ftp://example.com/", "unknown_route"),
      ("estate://fault/unheard-of", "wrong_parameter"),
    ])
  func badInput(url: String, label: String) async throws {
    let server = try await RunningServer()
    let console = RecordingConsole()
    let shell = try shell(server, console)
    #expect(await shell.open(url) == .failed(label))
    let sentence = try #require(console.lines.last { $0.hasPrefix("  ! ") })
    #expect(sentence.hasPrefix("  ! \(label): ") && sentence.count > label.count + 20)
    #expect(await shell.open("estate://home/1") == .done)
    await server.stop()
  }

  @Test("without a server, the error says so")
  func noServer() async throws {
    let server = try await RunningServer()
    let (url, state) = (server.url, server.state)
    let console = RecordingConsole()
    let shell = try EstateShell(
      AppConfiguration(server: url, state: state), console: console, prompt: ScriptedPrompt([]),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    await server.stop()
    let result = await shell.open("estate://home/1")
    #expect(result == .failed("connect"), "\(console.lines)")
    #expect(console.lines.contains { $0.contains("refused the connection") })
  }
}

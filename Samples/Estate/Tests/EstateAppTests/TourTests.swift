import Account
import EstateApp
import Foundation
import Switchyard
import SwitchyardTesting
import Synchronization
import Testing

@Suite("The tour", .timeLimit(.minutes(5)), .server)
final class TourTests: ServerTests {
  private let chain = [
    "ValidationInterceptor", "SharingInterceptor", "RedirectInterceptor", "RetryInterceptor",
    "CookieInterceptor", "AuthorizationInterceptor", "SigningInterceptor", "CachingInterceptor",
    "Departure",
    "RateLimitInterceptor", "DNSBypassInterceptor",
    "CompressionInterceptor", "LoggingInterceptor", "TelemetryInterceptor", "HARRecorder",
    "MessageSigningInterceptor", "TamperingInterceptor",
    "CurlDispatcher",
  ]

  /// The names of the steps of the first trace in the lines.
  private func traced(_ lines: [String]) -> [String] {
    let trace = lines.drop { !$0.hasPrefix("  · ") }.dropFirst().prefix { $0.hasPrefix("      ") }
    return trace.compactMap { $0.split(separator: " ").first.map(String.init) }.filter { $0 != "HTTP/2" }
  }

  @Test("G2: Every step of the tour ends as expected, with the interceptors in order in the trace")
  func wholeTour() async throws {
    let shell = try server.shell(
      console, answers: EstateShell.tourAnswers, hasQueues: true, detail: .steps)
    #expect(await shell.tour())
    #expect(console.lines.filter { $0.contains("✗") } == [])
    let first = console.step("estate://listings/house?city=SACRAMENTO&max=150000  — a list")
    #expect(traced(first) == chain)
    #expect(first.contains { $0.contains("HTTP/2") && $0.contains("tls ") && $0.contains("(gzip)") })
    let second = console.step("estate://listings/house?city=SACRAMENTO&max=150000  — the second look")
    #expect(traced(second) == Array(chain.prefix(8)))
    #expect(second.contains { $0.contains("cache: hit") })
    #expect(first.filter { $0.contains("│ #") } == second.filter { $0.contains("│ #") })
    #expect(shell.summary.hasPrefix("demo: "))
    let search = console.step("estate://listings/search?city=GALT")
    #expect(search.contains { $0.contains("3 loads before this one were cancelled.") })
    #expect(search.filter { $0.contains("→ 200") }.count <= 1)
    let settings = console.step("estate://settings  — ")
    #expect(settings.contains { $0.contains("Loads: 0 in flight, at most") })
    #expect(
      settings.contains { $0.contains("The last failure: downgraded, estate/condos.list: Condos are back") })
    let waiting = console.step("estate://favourites  — both are shown")
    #expect(waiting.filter { $0.contains("waiting for the network") }.count == 2)
    // The line is written by another task.
    try await waitUntil("the favourite is delivered") {
      console.lines.contains("  · favourites/77 was delivered")
    }
    #expect(!console.lines.contains { $0.contains("favourites/78 was") })
    let activity = console.step("estate://settings/activity")
    #expect(activity.contains { $0.contains("opened NoteRoute of Account") })
    await shell.finish()
    #expect(console.lines.contains { $0.hasPrefix("Actions: 0 waiting, ") })
  }

  @Test("Requests go to the environment in which the app started, or to the one switched to since")
  func environments() async throws {
    let shell = try server.shell(console, isStaging: true)
    for (url, host) in [
      ("estate://home/1", "staging.estate.test"),
      ("estate://settings/environment/production?service=estate", "api.estate.test"),
      ("estate://home/1", "api.estate.test"),
      ("estate://settings/server?authority=localhost:\(server.port)", "localhost:\(server.port)"),
      ("estate://home/1", "localhost:\(server.port)"), ("estate://settings/server", "api.estate.test"),
    ] {
      let start = console.lines.count
      #expect(await shell.open(url) == .done)
      let requests = console.lines[start...].filter { $0.contains("/v1/homes/1") }
      #expect(requests.count == (url == "estate://home/1" ? 1 : 0))
      #expect(requests.allSatisfy { $0.contains("https://\(host)/v1/homes/1 → 200") }, "\(requests)")
    }
  }

  @Test("The environment that was chosen last is used at the next start, if the app remembers it")
  func rememberedEnvironment() async throws {
    for (remembers, isStaging) in [(true, false), (true, true), (false, false)] {
      let shell = try server.shell(console, remembersEnvironment: remembers)
      let start = console.lines.count
      #expect(await shell.open("estate://home/1") == .done)
      #expect(console.lines[start...].contains { $0.contains("https://staging.estate.test/") } == isStaging)
      #expect(await shell.open("estate://settings/environment/staging") == .done)
    }
  }

  @Test("Without a network stored answers are shown, and other loads fail before anything is sent")
  func offline() async throws {
    let shell = try server.shell(console)
    await shell.openAll(
      "estate://listings/condo", "estate://settings/network/offline", "estate://listings/condo")
    #expect(console.lines.contains { $0.contains("There is no network; this list was stored.") })
    #expect(await shell.open("estate://overview") == .done)
    #expect(shell.navigator.state.top?.url == "estate://settings")
    let start = console.lines.count
    #expect(await shell.open("estate://listings/condo?page=2") == .failed("offline"))
    #expect(!console.lines[start...].contains { $0.contains("GET ") })
    await shell.openAll("estate://settings/network/unknown", "estate://listings/condo?page=2")
  }

  @Test("By default each request is one line, and the waterfall of the slowest comes at the end")
  func oneLineEach() async throws {
    let shell = try server.shell(console, startedAt: Date(timeIntervalSinceNow: -7))
    await shell.openAll("estate://home/42", "estate://home/42")
    #expect(await shell.open("estate://fault/refused") == .failed("connect"))
    #expect(console.step("estate://home/42").filter { $0.contains(" ms") }.count == 4)
    #expect(!console.lines.contains { $0.hasPrefix("      ") })
    let times = console.lines.compactMap { $0.wholeMatch(of: /demo: first answer after (\d+) s/)?.1 }
    #expect(times.count == 1 && times.first.flatMap { Int($0) }.map { $0 >= 7 } == true)
    await shell.finish()
    #expect(console.lines.contains { $0.hasPrefix("homes.detail ") })
    let waterfall = console.lines.drop { !$0.hasPrefix("The slowest request that was answered: GET ") }
    #expect(chain.allSatisfy { step in waterfall.contains { $0.hasPrefix("  \(step) ") } })
    // A phase that is short beside the others is a mark without a length.
    #expect(waterfall.contains { $0.hasPrefix("    first byte ") && ($0.contains("█") || $0.contains("▏")) })
    #expect(waterfall.contains { $0.contains("█") })
    #expect(waterfall.last == "demo: 9 requests, 5 from cache, 1 errors")
  }

  @Test("A reader can end the tour between two steps")
  func paged() async throws {
    let pages = Mutex(0)
    let isAsExpected = try await server.shell(console, answers: EstateShell.tourAnswers).tour(
      TourPager {
        pages.withLock { pages in
          pages += 1
          return pages < 3
        }
      })
    #expect(isAsExpected)
    #expect(console.lines.filter { $0.hasPrefix("▶") }.count == 3)
    #expect(console.lines.last?.hasPrefix("The tour ended after 3 of ") == true)
  }

  @Test("G5: A URL opens a screen, a service with a typed result, or a web page")
  func threeKinds() async throws {
    let shell = try server.shell(console)
    await shell.openAll(
      "estate://home/42", "estate://mortgage/quote?price=300000&down=20&years=30",
      "https://api.estate.test/help.html")
    #expect(console.step("estate://home/42").contains { $0.contains("a month") })
    #expect(console.step("estate://mortgage").contains { $0.contains("MortgageQuote(loan: 240000") })
    #expect(console.step("https://").contains { $0.contains("┌─") })
  }

  @Test("F16: A guest is led to the login and on to the route, and a refusal ends there")
  func detour() async throws {
    let shell = try server.shell(console, answers: [nil, .demo])
    #expect(await shell.open("estate://favourites") == .failed("refused_by_guard"))
    #expect(await shell.open("estate://favourites/add/7") == .done)
    #expect(console.step("estate://favourites/add/7").contains("  = added, 1 in all"))
    #expect(await shell.open("estate://favourites") == .done)
    #expect(console.lines.last { $0.contains("#7") } != nil)
    #expect(!console.lines.contains { $0.contains("open-house") })
  }

  @Test("A wrong password is reported, and the app keeps working")
  func wrongPassword() async throws {
    let shell = try server.shell(console, answers: [MemberCredentials(user: "demo", password: "guess")])
    #expect(await shell.open("estate://favourites") == .failed("refused_by_guard"))
    #expect(console.step("estate://favourites").contains { $0.contains("401") })
    #expect(await shell.open("estate://home/1") == .done)
  }

  private static let badInput = [
    ("estate://home/%zz", "malformed_url"), ("estate://hoem/1", "unknown_route"),
    ("estate://home/abc", "wrong_parameter"), ("estate://listings/castle", "wrong_parameter"),
    ("estate://listings/house?page=0", "invalid_params"),
    ("estate://listings/house?max=cheap", "wrong_parameter"),
    ("estate://mortgage/quote?price=0", "LoanFault"), ("estate://mortgage/quote", "wrong_parameter"),
    ("estate://mortgage/quote?price=1000&years=7", "LoanFault"), ("nonsense", "malformed_url"),
    ("", "malformed_url"), ("ftp://example.com/", "unknown_route"),
    ("estate://fault/unheard-of", "wrong_parameter"), ("estate://topics/login", "forbidden"),
    ("estate://help/nothing", "unknown_route"),
    ("estate://settings/server?authority=a/b", "wrong_parameter"),
    ("estate://settings/server?authority=a:b", "wrong_parameter"),
    ("estate://compare", "wrong_parameter"), ("estate://compare?homes=", "wrong_parameter"),
    ("estate://compare?homes=1,x", "wrong_parameter"),
    ("estate://compare?homes=1,2,3,4,5,6,7,8,9", "wrong_parameter"),
    ("estate://browse?beds=many", "wrong_parameter"), ("estate://browse?beds=-1", "invalid_params"),
  ]

  @Test("Bad input ends in an error of its kind with a sentence, and the app keeps working")
  func badInput() async throws {
    let shell = try server.shell(console)
    for (url, label) in Self.badInput {
      #expect(await shell.open(url) == .failed(label), "\(url)")
      let sentence = try #require(console.lines.last { $0.hasPrefix("  ! ") })
      #expect(
        sentence.hasPrefix("  ! \(label): ") && sentence.count > label.count + 20, "\(url): \(sentence)")
      #expect(await shell.open("estate://home/1") == .done, "after \(url)")
    }
  }

  @Test("Without a server the error says that the connection was refused")
  func noServer() async throws {
    let shell = try server.shell(console)
    await server.stop()
    let result = await shell.open("estate://home/1")
    #expect(result == .failed("connect"), "\(console.lines)")
    #expect(console.lines.contains { $0.contains("refused the connection") })
  }
}

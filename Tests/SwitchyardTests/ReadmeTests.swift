import Foundation
import Logging
import Switchyard
import SwitchyardTesting
import Testing

@Suite("The README's example")
struct ReadmeTests {
  @Test("The example compiles and runs")
  func example() async throws {
    let key = try SigningKey(id: "app", secret: Array(repeating: 1, count: 32))
    let addresses = AddressTable.empty
    let logger = Logger(label: "readme") { _ in SwiftLogNoOpLogHandler() }
    // The README uses the libcurl dispatcher; this one sends nothing.
    let CurlDispatcher = { ScriptedDispatcher() }

    let pipeline = try Pipeline(over: CurlDispatcher()) {
      ValidationInterceptor()
      SigningInterceptor(key: key)
      CachingInterceptor()
      DNSBypassInterceptor(addresses)
      CompressionInterceptor()
      LoggingInterceptor(logger: logger)
    }
    let response = try await pipeline.send(Request(authority: "api.example.com", path: "/v1/houses"))

    let client = APIClient(dispatcher: pipeline)
    let mediator = try Mediator(
      schemes: ["estate"], modules: [ListingsModule(client: client), MortgageModule(client: client)])
    let quote = try await mediator.open("estate://mortgage/quote?price=300000", returning: MortgageQuote.self)
    print("\(response.status), then \(quote)")

    #expect(response.status == .ok)
    #expect(quote == MortgageQuote(price: 300_000))
  }

  @Test("Every line of the example is in this file")
  func sameLines() throws {
    let here = URL(filePath: #filePath)
    let readme = try String(
      contentsOf: here.appending(path: "../../../README.md").standardizedFileURL, encoding: .utf8)
    let block = try #require(readme.components(separatedBy: "```swift\n").dropFirst().first)
    let lines = try #require(block.components(separatedBy: "```").first).split(separator: "\n")
    let code = Set(
      try String(contentsOf: here, encoding: .utf8).split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) })
    #expect(lines.count == 15)
    for line in lines { #expect(code.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)") }
  }
}

private struct MortgageQuote: Sendable, Equatable {
  let price: Int
}

private struct MortgageQuoteRoute: Route {
  typealias Output = MortgageQuote
  static let pattern: RoutePattern = "estate://mortgage/quote?price={price:int}"
  let price: Int
  init(from input: RouteInput) throws(RouteError) { price = try input.value("price") }
  func write(to output: inout RouteOutput) { output.set("price", to: price) }
}

private struct MortgageModule: BusinessModule {
  let name = "Mortgage"
  let client: APIClient
  func declare(into table: inout RouteTable) {
    table.action(MortgageQuoteRoute.self) { route, _ in MortgageQuote(price: route.price) }
  }
}

private struct ListingsModule: BusinessModule {
  let name = "Listings"
  let client: APIClient
  func declare(into table: inout RouteTable) {}
}

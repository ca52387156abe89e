import BodyFormats
import CurlTransport
import Foundation
import Switchyard
import SwitchyardTesting
import Testing

@Suite("The README's example")
struct ReadmeTests {
  @Test("The example runs")
  func example() async throws {
    // The README uses the libcurl dispatcher; this one sends nothing.
    let CurlDispatcher = {
      ScriptedDispatcher(answering: Response(status: .ok, bytes: Array(#"[{"name":"6.3","tag":"a"}]"#.utf8)))
    }

    struct Release: Decodable { let name: String }
    do {
      let response = try await CurlDispatcher().get("https://www.swift.org/api/v1/install/releases.json")
      print(try await response.decoded(as: [Release].self).map(\.name))
      #expect(response.status == .ok)
    } catch {
      print(error)
      Issue.record(error)
    }

    let key = try SigningKey(id: "hello", secret: Array("a secret of at least 32 characters".utf8))
    let addresses = try AddressTable(["api.example.com": ["203.0.113.7"]], allowing: [.documentation])
    let chain = try Pipeline(over: CurlDispatcher()) {
      ValidationInterceptor()
      SigningInterceptor(key: key, identity: .app)
      CachingInterceptor(defaultRule: .stated())
      DNSBypassInterceptor(addresses)
      CompressionInterceptor()
      LoggingInterceptor(logger: Logger(label: "network"))
    }
    print(try await chain.get("https://example.com/").status)
    #expect(chain.names.count == 6)

    struct QuoteRoute: ParameterlessRoute {
      typealias Output = String
      static let pattern: RoutePattern = "shop://mortgage/quote"
    }

    struct MortgageModule: BusinessModule {
      let name = "Mortgage"
      func declare(into table: inout RouteTable) { table.action(QuoteRoute.self) { _, _ in "5.9 %" } }
    }

    let mediator = try Mediator(schemes: ["shop"], modules: [MortgageModule()])
    print(try await mediator.call(QuoteRoute()))
    print(try await mediator.open("shop://mortgage/quote", returning: String.self))
    #expect(try await mediator.call(QuoteRoute()) == "5.9 %")
  }

  @Test("Every line of the example is in this file")
  func sameLines() throws {
    let here = URL(filePath: #filePath)
    let readme = try String(
      contentsOf: here.appending(path: "../../../README.md").standardizedFileURL, encoding: .utf8)
    // The first block is the manifest.
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst(2)
    #expect(blocks.count == 3)
    let lines = blocks.flatMap { $0.components(separatedBy: "```")[0].split(separator: "\n") }
    let code = Set(
      try String(contentsOf: here, encoding: .utf8).split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) })
    #expect(lines.count >= 20)
    for line in lines { #expect(code.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)") }
  }
}

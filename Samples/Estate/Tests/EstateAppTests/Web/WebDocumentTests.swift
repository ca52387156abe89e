import Foundation
import PageBridging
import Switchyard
import Testing

@testable import EstateWeb

@Suite("A document whose script calls the app", .timeLimit(.minutes(5)))
@MainActor struct WebDocumentTests {
  @Test("F20: A page's script receives the results of the methods it may call, and nothing else")
  func calls() async throws {
    try await RunningPages.use { _, pages in
      let page = try await pages.get("/loan")
      let token = try #require(page.html.firstMatch(of: /data-token="(.*?)"/).map { String($0.1) })
      let nonce = try #require(page.html.firstMatch(of: /<script nonce="(.*?)">/).map { String($0.1) })
      #expect(
        page.fields[.contentSecurityPolicy]?.contains("script-src 'nonce-\(nonce)'; connect-src 'self'")
          == true
      )

      let call = PageCall(id: "1", method: "quote", parameters: ["price": "300000"])
      let quote = try await pages.call(json(call), token)
      #expect(
        try quote.replies == [
          PageReply(
            id: "1",
            event: .success(
              .object([
                "loan": .int(240_000), "percent": .double(6.5), "years": .int(30),
                "monthlyCents": .int(151_696),
              ])))
        ])
      // The script may not call a route only because it is exposed to the page's links.
      for (call, reason) in [
        (try json(PageCall(id: "2", url: "estate://logout")), .notFound),
        (#"{"id":"2","url":"estate://home/42"}"#, .notFound),
        (#"{"id":"2","method":"logout"}"#, .notFound), (#"{"id":"2","url":"no url"}"#, .malformed),
        (#"{"id":"2","method":"quote","params":{"price":"much"}}"#, .parameter),
        (#"{"id":"2","method":"quote","params":{"price":"-1"}}"#, .failed),
      ] as [(String, PageFailure)] {
        let refused = try await pages.call(call, token)
        #expect(try refused.replies == [PageReply(id: "2", event: .failure(reason))], "\(call)")
      }
      #expect(try await pages.get("/").title == "Find a home around Sacramento")

      #expect(try await pages.call(#"{"id":"3","method":"quote"}"#, "token-1").status == 403)
      #expect(try await pages.call(#"{"id":"","method":"quote"}"#, token).status == 409)
      #expect(try await pages.call("{", token).status == 400)
      #expect(try await pages.call(String(repeating: "1", count: 40_000), token).status == 413)

      // The oldest document is closed.
      for _ in 0..<WebDocuments.limit { _ = try await pages.get("/loan") }
      #expect(try await pages.call(#"{"id":"4","method":"quote"}"#, token).status == 403)
    }
  }
}

private func json(_ call: PageCall) throws -> String {
  String(decoding: try JSONEncoder().encode(call), as: UTF8.self)
}

extension RunningPages.Answer {
  /// The replies to a call.
  fileprivate var replies: [PageReply] {
    get throws { try JSONDecoder().decode([PageReply].self, from: Data(html.utf8)) }
  }
}

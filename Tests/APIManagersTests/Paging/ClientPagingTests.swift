import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("Pages of a client", .timeLimit(.minutes(5)))
struct ClientPagingTests {
  struct Params: Encodable, Sendable {
    var offset: Int
    var limit: Int
  }

  /// An API whose output is not the content of a page.
  struct Numbers: API {
    struct Output: Decodable, Sendable {
      var ids: [Int]
      var total: Int
    }
    static let endpoint = Endpoint<Params>(.estate, "numbers", path: "/numbers")
  }

  /// An API whose output is the content of a page.
  struct Rows: API {
    static let endpoint = Endpoint<Params>(.estate, "rows", path: "/rows")

    func output(from response: APIResponse) throws -> PageContent<Row> {
      let numbers = try response.json(as: Numbers.Output.self)
      return PageContent(numbers.ids.map(Row.init(id:)), next: .total(numbers.total))
    }
  }

  /// Serves 7 numbers; fails the request of the offset, if it is set.
  private static func client(failingAt offset: Int? = nil) -> (APIClient, ScriptedDispatcher) {
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      let fields = (request.head.path ?? "").split(separator: "?").last?.split(separator: "&") ?? []
      func value(_ name: String) -> Int {
        fields.first { $0.hasPrefix(name + "=") }.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
      }
      if value("offset") == offset { return Response(status: .serviceUnavailable) }
      let ids = Array(value("offset")..<min(7, value("offset") + value("limit")))
      return Response(status: .ok, bytes: Array("{\"ids\": \(ids), \"total\": 7}".utf8))
    }
    return (APIClient(dispatcher: dispatcher), dispatcher)
  }

  @Test("The items of all pages are loaded, with the params of each page", arguments: [true, false])
  func items(looksAhead: Bool) async throws {
    let (client, dispatcher) = Self.client()
    let items = client.items(of: Numbers(), size: 3, looksAhead: looksAhead) {
      Params(offset: $0.offset, limit: $0.size)
    } content: {
      PageContent($0.ids.map(Row.init(id:)), next: .total($0.total))
    }
    var ids: [Int] = []
    for try await row in items { ids.append(row.id) }
    #expect(ids == Array(0..<7))
    #expect(
      dispatcher.requests.map(\.head.path) == [0, 3, 6].map { "/v2/numbers?offset=\($0)&limit=3" })
  }

  @Test("Pages are loaded one by one, also of an API whose output is a page, and none ahead")
  func pages() async throws {
    let (client, dispatcher) = Self.client()
    var pages = client.items(of: Rows(), size: 3, looksAhead: false) {
      Params(offset: $0.offset, limit: $0.size)
    } content: {
      $0
    }.pages.makeAsyncIterator()
    #expect(try await pages.next() == [0, 1, 2])
    #expect(dispatcher.requests.count == 1)
    #expect(try await pages.next() == [3, 4, 5])
    #expect(try await pages.next() == [6])
    #expect(try await pages.next() == nil)
    let content = client.items(of: Numbers(), size: 9) {
      Params(offset: $0.offset, limit: $0.size)
    } content: {
      PageContent($0.ids.map(Row.init(id:)), next: .total($0.total))
    }.pages
    for try await page in content { #expect(page.count == 7) }
  }

  @Test("The error of a page is that of a load, and ends the sequence")
  func failure() async throws {
    let (client, _) = Self.client(failingAt: 3)
    var items = client.items(of: Rows(), size: 3, looksAhead: false) {
      Params(offset: $0.offset, limit: $0.size)
    } content: {
      $0
    }.makeAsyncIterator()
    for id in 0..<3 { #expect(try await items.next() == Row(id: id)) }
    let error = await #expect(throws: APIError.self) { try await items.next() }
    #expect(error?.kind == .status(503))
    #expect(try await items.next() == nil)
  }

  @Test("A pager shows the pages of a client, and a refresh doesn't use stored responses")
  @MainActor func pager() async throws {
    let (client, dispatcher) = Self.client()
    let pager = Pager(
      client.items(of: Rows(), size: 4) {
        Params(offset: $0.offset, limit: $0.size)
      } content: {
        $0
      })
    for start in [pager.loadNext, pager.loadNext, pager.refresh] {
      _ = start()
      for await list in pager.changes where !list.isLoading { break }
    }
    #expect(pager.list.items == [0, 1, 2, 3])
    #expect(dispatcher.requests.map(\.context.cacheRule.mode) == [.useFresh, .useFresh, .reload])
    #expect(dispatcher.requests.map(\.head.path).last == "/v2/rows?offset=0&limit=4")
  }
}

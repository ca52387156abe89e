import Foundation
import Switchyard
import Testing

/// Types of Foundation, which are single values in JSON, as properties of routes.
@Suite(.timeLimit(.minutes(5))) struct FoundationRouteTests {
  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  struct Visit: Route, Codable, Equatable {
    typealias Output = Visit
    static let pattern: RoutePattern =
      "estate://visits/{id:uuid}/{guest}?at={at?}&price={price:double?}&page={page?}&photo={photo?}&wide={wide:int?}&mark={marks:int?}"
    var id: UUID
    var guest: UUID
    var at: Date?
    var price: Decimal?
    var page: URL?
    var photo: Data?
    var wide: Int128?
    var marks: [UInt128] = []
  }

  private struct Visits: BusinessModule {
    let name = "Visits"
    func declare(into table: inout RouteTable) { table.action(Visit.self) { route, _ in route } }
  }

  static let visits: [(Visit, String)] = [
    (Visit(id: uuid, guest: uuid), ""),
    (
      Visit(id: uuid, guest: uuid, at: Date(timeIntervalSince1970: 1_700_000_000)),
      "?at=2023-11-14T22%3A13%3A20Z"
    ),
    (Visit(id: uuid, guest: uuid, price: Decimal(string: "-450000.25")), "?price=-450000.25"),
    (Visit(id: uuid, guest: uuid, page: URL(string: "https://a.example/b?c=d#e")), "*"),
    (Visit(id: uuid, guest: uuid, photo: Data([1, 2, 255, 254])), "*"),
    (Visit(id: uuid, guest: uuid, wide: -7, marks: [1, 2]), "?wide=-7&mark=1&mark=2"),
  ]

  @Test("What a route writes is read back, each value as one text", arguments: visits)
  func roundTrip(_ visit: Visit, _ query: String) async throws {
    let mediator = try Mediator(schemes: ["estate"], modules: [Visits()])
    let url = try mediator.url(for: visit)
    let path = "estate://visits/\(visit.id)/\(visit.id)"
    #expect(query == "*" ? url.hasPrefix(path + "?") : url == path + query)
    #expect(try await mediator.open(url, returning: Visit.self) == visit)
  }

  @Test(
    "A text that stands for no value is a parameter error that names it",
    arguments: [
      ("at=yesterday", "at"), ("price=1,5", "price"), ("price=1.5.2", "price"), ("photo=%25", "photo"),
      ("wide=1.5", "wide"),
    ])
  func unreadable(_ query: String, _ name: String) async throws {
    let mediator = try Mediator(schemes: ["estate"], modules: [Visits()])
    let error = await #expect(throws: RouteError.self) {
      try await mediator.open("estate://visits/\(Self.uuid)/\(Self.uuid)?\(query)", returning: Visit.self)
    }
    guard case .parameter(name, _, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

import Testing

@testable import Mediation

/// A list with a default, an optional text, a list and an alias.
private struct HomesRoute: Route {
  static let pattern: RoutePattern =
    "shop://homes/{kind}?page={page:int?}&city={city?}&tag={tags?}&new={isNew:bool?}"
  static let aliases: [RoutePattern] = ["https://shop.example/all/{kind}"]
  let kind: String
  let page: Int
  let city: String?
  let tags: [String]
  let isNew: Bool?

  init(from input: RouteInput) throws(RouteError) {
    kind = try input.value("kind")
    page = try input.optional("page") ?? 1
    city = try input.optional("city")
    tags = try input.all("tags")
    isNew = try input.optional("isNew")
  }

  func write(to output: inout RouteOutput) {
    output.set("kind", to: kind)
    output.set("page", to: page)
    output.set("city", to: city)
    output.set("tags", toAll: tags)
    output.set("isNew", to: isNew)
  }
}

@Suite struct RouteIdentityTests {
  private let mediator: Mediator

  init() throws {
    let module = TestModule { table in
      table.action(HomesRoute.self) { _, _ in }
      table.action(at: "shop://lots/{number:int}/{size:double}/{id:uuid}?note={note?}", named: "A lot") {
        _, _ in
      }
      table.action(at: "shop://lots/7", named: "Another lot") { _, _ in }
    }
    mediator = try Mediator(schemes: ["shop"], hosts: ["shop.example"], modules: [module])
  }

  @Test(
    "URLs of one route value have one identity",
    arguments: [
      "SHOP://Homes/a@b", "shop://homes/a@b/", "https://shop.example/all/a@b",
      "HTTPS://Shop.Example/all/a%40b/",
      "https://shop.example./all/a@b", "shop://homes/a%40b?utm_source=mail", "shop://homes/%61@b#top",
      "shop://homes/a@b?page=1", "shop://homes/a@b?page=01&x", "shop://homes/a@b?page=",
      "shop://homes/a@b?city",
      "shop://homes/a@b?city=", "shop://homes/a@b?new=&city=&page=&tag=", "shop://homes/a@b?%70age=1",
    ])
  func same(_ url: String) {
    #expect(mediator.identity(of: url) == mediator.identity(of: "shop://homes/a%40b"))
  }

  @Test(
    "The order of different fields does not count, that of repeated ones does",
    arguments: [
      ("shop://homes/a?page=2&city=b", "shop://homes/a?city=b&page=2", true),
      ("shop://homes/a?city=b+c&tag=1", "shop://homes/a?tag=1&city=b%20c", true),
      ("shop://homes/a?tag=1&tag=2", "shop://homes/a?tag=2&tag=1", false),
    ])
  func order(_ url: String, _ other: String, _ isSame: Bool) {
    #expect((mediator.identity(of: url) == mediator.identity(of: other)) == isSame)
  }

  @Test("URLs of different values, routes or pages differ")
  func different() {
    let urls = [
      "shop://homes/a", "shop://homes/A", "shop://homes/a%2F", "shop://homes/a?page=2",
      "shop://homes/a?city=x",
      "shop://homes/a?new=false", "shop://lots/7", "shop://lots/7/1/\(Self.id)", "shop://lots/8/1/\(Self.id)",
      "shop://nowhere", "https://other.example/", "https://other.example/?a", "no url",
    ]
    #expect(Set(urls.map(mediator.identity)).count == urls.count)
  }

  private static let id = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"

  @Test(
    "A route without a type is compared by its placeholders, as values of their kinds",
    arguments: [
      "SHOP://lots/007/1.50/E621E1F8-C36C-495A-93FC-0C247A3E6E5F/?x=y#z", "shop://lots/7/15e-1/\(id)?note=",
    ])
  func pattern(_ url: String) {
    #expect(mediator.identity(of: url) == mediator.identity(of: "shop://lots/7/1.5/\(Self.id)"))
  }

  @Test("A page that no route matches is compared by its text, except for the case of scheme and host")
  func unrouted() {
    #expect(
      mediator.identity(of: "HTTPS://Other.example/A?b") == mediator.identity(of: "https://other.example/A?b")
    )
    #expect(
      mediator.identity(of: "https://other.example/a?b") != mediator.identity(of: "https://other.example/A?b")
    )
  }
}

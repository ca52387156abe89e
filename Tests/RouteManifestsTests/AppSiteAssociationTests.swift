import Foundation
import Mediation
import RouteManifests
import Testing

/// Every link that a route writes matches a component of that route, and no exclusion before it.
@Suite(.timeLimit(.minutes(5))) struct AppSiteAssociationTests {
  private let associations: [AppSiteAssociation]
  private let mediator: Mediator

  init() throws {
    associations = try ShopApp.manifest().appSiteAssociations
    mediator = try ShopApp.mediator()
  }

  private func association(of host: String) throws -> AppSiteAssociation {
    try #require(associations.first { $0.host == host })
  }

  /// Returns a text with characters that have a meaning in a path or in a pattern.
  private static func text(_ random: inout SystemRandomNumberGenerator) -> String {
    let letters = Array("aZ09-._~/?*#&=+% :@éß漢🙂\\\"'|")
    let text = String(
      (0..<Int.random(in: 1...12, using: &random)).map { _ in
        letters[Int.random(in: 0..<letters.count, using: &random)]
      })
    return text.allSatisfy { $0 == "." } ? "x" : text
  }

  private func check<R: Route>(_ route: R, of module: String) throws {
    let url = try mediator.url(for: route)
    let host = try #require(URL(string: url)?.host())
    let association = try association(of: host)
    let own = association.components.filter { $0.comment == "\(R.self) of \(module)" }
    #expect(own.contains { LinkMatcher.matches(url, $0) } && own.allSatisfy { !$0.isExcluded }, "\(url)")
    #expect(LinkMatcher.opens(url, association), "\(url)")
  }

  @Test("Every link that a route writes opens the app")
  func written() throws {
    var random = SystemRandomNumberGenerator()
    try check(FrontRoute(), of: "Catalogue")
    try check(NewItemsRoute(), of: "Catalogue")
    try check(NewsRoute(page: nil), of: "Catalogue")
    try check(NewsRoute(page: -7), of: "Catalogue")
    for _ in 0..<500 {
      try check(ItemRoute(name: Self.text(&random)), of: "Catalogue")
      try check(
        ReviewRoute(name: Self.text(&random), number: Int.random(in: Int.min...Int.max, using: &random)),
        of: "Catalogue")
      let sort = Bool.random(using: &random) ? Self.text(&random) : nil
      try check(SearchRoute(words: Self.text(&random), page: 1, sort: sort), of: "Catalogue")
      let path = (0..<Int.random(in: 1...5, using: &random)).map { _ in Self.text(&random) }
      try check(ManualRoute(path: path), of: "Catalogue")
    }
    try check(SearchRoute(words: "", page: 1), of: "Catalogue")
  }

  @Test("A link that matches an alias opens the app")
  func alias() throws {
    let shop = try association(of: "shop.example")
    #expect(LinkMatcher.opens("https://shop.example/i/pen", shop))
    #expect(!LinkMatcher.opens("https://shop.example/i", shop))
  }

  @Test(
    "A link that matches no route stays in the browser",
    arguments: [
      "https://shop.example/items", "https://shop.example/items/a/b", "https://shop.example/items/a/reviews",
      "https://shop.example/items/a/b/reviews/1", "https://shop.example/items/a/reviews/1/2",
      "https://shop.example/search/x", "https://shop.example/search?q=a", "https://shop.example/Items/a",
      "https://shop.example/other", "https://shop.example/news/1/2", "https://help.example/manuals",
      "https://help.example/items/a",
    ])
  func unanswered(url: String) throws {
    let host = try #require(URL(string: url)?.host())
    #expect(!LinkMatcher.opens(url, try association(of: host)))
    #expect(throws: RouteError.self) {
      _ = try mediator.resolve(url, origin: .external(.universal(host: host)))
    }
  }

  @Test("The file of a host has Apple's format, with tails first and each depth after its exclusion")
  func format() throws {
    let files = try ShopApp.manifest().documents(in: .association)
    #expect(
      files.map(\.path) == [
        "help.example/apple-app-site-association", "shop.example/apple-app-site-association",
      ])
    let shop = try association(of: "shop.example")
    #expect(
      shop.components.map { ($0.isExcluded ? "not " : "") + $0.path } == [
        "not /?*/?*/?*/?*/?*", "/items/?*/reviews/?*", "not /?*/?*/?*", "/i/?*", "/items/new%20ones",
        "/items/?*", "/news/?*", "/news", "/search", "/",
      ])
    #expect(shop.components.first { $0.path == "/search" }?.query == ["q": "*", "page": "?*"])
    let object = try JSONSerialization.jsonObject(with: Data(files[1].text.utf8)) as? [String: Any]
    let links = object?["applinks"] as? [String: Any]
    let details = try #require(links?["details"] as? [[String: Any]])
    #expect(details.count == 1)
    #expect(details.first?["appIDs"] as? [String] == ["ABCDE12345.example.shop"])
    let components = try #require(details.first?["components"] as? [[String: Any]])
    #expect(components.count == 10)
    #expect(components[0]["/"] as? String == "/?*/?*/?*/?*/?*" && components[0]["exclude"] as? Bool == true)
    #expect(components[1]["exclude"] == nil && components[1]["?"] == nil)
    #expect(components[8]["?"] as? [String: String] == ["q": "*", "page": "?*"])
  }

  @Test("Without an app identifier there is no file")
  func noAppID() throws {
    #expect(try ShopApp.manifest(appIDs: []).documents(in: .association).isEmpty)
  }
}

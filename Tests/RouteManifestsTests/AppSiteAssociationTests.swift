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
    #expect(!own.isEmpty && own.allSatisfy { !$0.isExcluded })
    let matcher = try LinkMatcher(association.json())
    for variant in Self.variants(of: url) {
      // Only what the mediator opens has to be in the file.
      let summary = try mediator.resolve(variant, origin: .external(.universal(host: host)))
      #expect(summary.name == "\(R.self)")
      #expect(matcher.opens(variant), "\(variant)")
    }
  }

  /// Returns a link as people, forms and mail programs write it: with a slash at the end, with the characters
  /// that need no percent-encoding, with lower-case digits, and with further fields and a fragment.
  private static func variants(of url: String) -> [String] {
    let end = url.firstIndex(of: "?") ?? url.endIndex
    let (path, query) = (String(url[..<end]), String(url[end...]))
    var bare = path
    for character in "!$&'()+,;=:@" {
      let code = String(character.asciiValue ?? 0, radix: 16, uppercase: true)
      bare = bare.replacing("%\(code)", with: String(character))
    }
    let digits = path.replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() }
    let ends = [query, query.isEmpty ? "?x=y" : query + "&x=y", query + "#top"]
    return [path, bare, digits].flatMap { path in
      [path, path + "/"].flatMap { path in ends.map { path + $0 } }
    }
  }

  @Test(
    "Every link that a route writes opens the app, and so does every way to write it that the mediator accepts"
  )
  func written() throws {
    var random = SystemRandomNumberGenerator()
    try check(FrontRoute(), of: "Catalogue")
    try check(NewItemsRoute(), of: "Catalogue")
    try check(NewsRoute(page: nil), of: "Catalogue")
    try check(NewsRoute(page: -7), of: "Catalogue")
    for _ in 0..<50 {
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
    let shop = try LinkMatcher(try association(of: "shop.example").json())
    #expect(shop.opens("https://shop.example/i/pen"))
    #expect(!shop.opens("https://shop.example/i"))
  }

  @Test(
    "A link in a spelling that the mediator accepts opens the app",
    arguments: [
      "https://shop.example", "https://shop.example/", "https://shop.example/?utm_source=mail",
      "https://shop.example#a",
      "https://shop.example/news/", "https://shop.example/news/?page=2", "https://shop.example/news/7/#top",
      "https://shop.example/search/?q=a&page=1", "https://shop.example/search?page=1&q=a&sort=",
      "https://shop.example/search/?x&q=&page=1", "https://shop.example/items/new%20ones/",
      "https://help.example/manuals/a/b/", "https://help.example/manuals/a%2Fb/#c",
    ])
  func spelling(url: String) throws {
    let host = try #require(URL(string: url)?.host())
    _ = try mediator.resolve(url, origin: .external(.universal(host: host)))
    #expect(try LinkMatcher(try association(of: host).json()).opens(url))
  }

  /// Routes whose paths have characters that links write in several ways.
  private struct CafeModule: BusinessModule {
    let name = "Cafe"
    func declare(into table: inout RouteTable) {
      let exposure = Exposure.link([.universal(host: "cafe.example")])
      for path in ["@me", "café,1/{tab}", "a+b/(c)/$d/*", "list;v=1/{page:int?}"] {
        let pattern = RoutePattern(stringLiteral: "https://cafe.example/" + path)
        table.action(at: pattern, named: path, exposure: exposure) { _, _ in }
      }
    }
  }

  @Test(
    "A path with characters that links write in several ways is listed in each of them",
    arguments: [
      "/@me", "/@me/", "/%40me/?a=b#c", "/caf%c3%a9,1/menu/", "/caf%C3%A9%2C1/menu", "/caf%c3%a9%2c1/x",
      "/a+b/(c)/$d/*", "/a%2Bb/%28c%29/%24d/%2A/", "/a%2bb/%28c%29/%24d/%2a", "/list;v=1", "/list;v=1/",
      "/list%3Bv%3D1/7/?x",
    ])
  func cafe(path: String) throws {
    let mediator = try Mediator(schemes: [], hosts: ["cafe.example"], modules: [CafeModule()])
    let manifest = RouteManifest(app: "Cafe", appIDs: ["ABCDE12345.example.cafe"], mediator: mediator)
    let matcher = try LinkMatcher(#require(manifest.appSiteAssociations.first).json())
    _ = try mediator.resolve(
      "https://cafe.example" + path, origin: .external(.universal(host: "cafe.example")))
    #expect(matcher.opens("https://cafe.example" + path))
    for other in ["/me", "/@me/x", "/caf/menu", "/list;v=1/7/8"] {
      #expect(!matcher.opens("https://cafe.example" + other), "\(other)")
    }
  }

  @Test("A component is matched by the rules that Apple documents")
  func matcher() throws {
    let matcher = try LinkMatcher(
      """
      {"applinks": {"details": [{"appIDs": ["A.b"], "defaults": {"caseSensitive": false}, "components": [
        {"#": "no_links", "exclude": true}, {"/": "/buy/*"}, {"/": "/help/?", "?": {"article": "????"}},
        {"/": "/Exact", "caseSensitive": true}, {"/": "/a b", "percentEncoded": false}, {"/": "/q", "?": "a=*"}
      ]}]}}
      """)
    let opened = [
      "/buy/", "/BUY/1/2", "/help/x?article=1234", "/help/x?b&article=1234", "/Exact", "/a%20b", "/q?a=",
      "/q?a=b&c",
    ]
    let unopened = [
      "/buy", "/buy/1#no_links", "/help/?article=1234", "/help/x?article=123", "/help/x", "/exact", "/q",
      "/q?b&a=1",
    ]
    for path in opened { #expect(matcher.opens("https://shop.example" + path), "\(path)") }
    for path in unopened { #expect(!matcher.opens("https://shop.example" + path), "\(path)") }
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
    #expect(try !LinkMatcher(try association(of: host).json()).opens(url))
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
        "/items/new%20ones/", "/items/?*", "/news/?*", "/news", "/news/", "/search", "/search/", "/",
      ])
    for path in ["/search", "/search/"] {
      #expect(shop.components.first { $0.path == path }?.query == ["q": "*", "page": "?*"])
    }
    let object = try JSONSerialization.jsonObject(with: Data(files[1].text.utf8)) as? [String: Any]
    let links = object?["applinks"] as? [String: Any]
    let details = try #require(links?["details"] as? [[String: Any]])
    #expect(details.count == 1)
    #expect(details.first?["appIDs"] as? [String] == ["ABCDE12345.example.shop"])
    let components = try #require(details.first?["components"] as? [[String: Any]])
    #expect(components.count == 13)
    #expect(components[0]["/"] as? String == "/?*/?*/?*/?*/?*" && components[0]["exclude"] as? Bool == true)
    #expect(components[1]["exclude"] == nil && components[1]["?"] == nil)
    #expect(components[10]["?"] as? [String: String] == ["q": "*", "page": "?*"])
  }

  @Test("Without an app identifier there is no file")
  func noAppID() throws {
    #expect(try ShopApp.manifest(appIDs: []).documents(in: .association).isEmpty)
  }
}

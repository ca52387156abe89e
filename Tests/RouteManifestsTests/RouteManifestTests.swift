import Foundation
import Mediation
import RouteManifests
import Testing

@Suite struct RouteManifestTests {
  @Test("Modules and routes are sorted, and the JSON decodes to the same manifest")
  func json() throws {
    let manifest = try ShopApp.manifest()
    #expect(manifest.modules.map(\.name) == ["Catalogue", "Orders"])
    #expect(
      manifest.modules.flatMap(\.routes).map(\.name) == [
        "ManualRoute", "FrontRoute", "NewItemsRoute", "ItemRoute", "ReviewRoute", "NewsRoute", "SearchRoute",
        "BasketRoute",
        "OrderRoute", "PackRoute",
      ])
    let json = try manifest.json()
    #expect(try JSONDecoder().decode(RouteManifest.self, from: Data(json.utf8)) == manifest)
    #expect(json == (try ShopApp.manifest().json()))
    #expect(!json.contains("ShopApp.swift"), "a moved line would change the file")
  }

  @Test("The Markdown page has a row for each route")
  func markdown() throws {
    let page = try ShopApp.manifest().markdown
    #expect(page.hasPrefix("# Routes of Shop\n\n## Catalogue\n\n| route | URL |"))
    #expect(
      page.contains(
        "| `ItemRoute`<br>One item, with its price \\| in euros. | `https://shop.example/items/{name}`<br>`https://shop.example/i/{name}` "
          + "| `name` text | `()` | the app, push, https://shop.example | — |"), "\(page)")
    #expect(
      page.contains(
        "`words` text in the query<br>`page` int in the query<br>`sort` text in the query, optional"))
    #expect(
      page.contains("| `OrderRoute` | `shop://orders/{id:uuid}` | `id` uuid | `String` | the app | members |")
    )
    #expect(page.contains("| `BasketRoute` | `shop://basket` | — | `Int` | its module | — |"))
    #expect(page.contains("| `PackRoute` | — | — | `()` | code with its type | — |"))
    #expect(page.contains("\n\nNeeds: `ItemRoute` of Catalogue.\n"))
  }

  @Test("The property list registers the schemes that are sources of routes")
  func infoPlist() throws {
    let text = try ShopApp.manifest().infoPlist()
    let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    let types = (list as? [String: Any])?["CFBundleURLTypes"] as? [[String: Any]]
    #expect(types?.count == 1)
    #expect(types?.first?["CFBundleURLSchemes"] as? [String] == ["shop"])
    #expect(types?.first?["CFBundleURLName"] as? String == "Shop")
    let empty = try RouteManifest(app: "None", routes: []).infoPlist()
    #expect(empty.contains("CFBundleURLTypes"))
    #expect(try (0..<20).allSatisfy { _ in try ShopApp.manifest().infoPlist() == text })
  }
}

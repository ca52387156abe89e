import Foundation
import Mediation
import RouteManifests
import Testing

private enum Section: String, Codable, CaseIterable {
  case pens
  case inkPots = "ink pots"
}

private struct SectionRoute: Route, Codable {
  static let pattern: RoutePattern =
    "https://shop.example/sections/{section:pens|ink%20pots}/{order:new|cheap?}"
  static let exposure = Exposure.link([.universal(host: "shop.example")])
  let section: Section
  let order: Order?

  enum Order: String, Codable, CaseIterable { case new, cheap }
}

private struct ManyRoute: Route {
  static let pattern: RoutePattern =
    "https://shop.example/many/{a:1|2|3|4|5|6|7|8|9}/{b:1|2|3|4|5|6|7|8|9}"
  static let exposure = Exposure.link([.universal(host: "shop.example")])
  init(from input: RouteInput) throws(RouteError) {}
  func write(to output: inout RouteOutput) {}
}

private struct SectionModule: BusinessModule {
  let name = "Sections"

  func declare(into table: inout RouteTable) {
    table.action(SectionRoute.self) { _, _ in }
    table.action(ManyRoute.self) { _, _ in }
  }
}

@Suite struct EnumerationManifestTests {
  private let manifest: RouteManifest

  init() throws {
    let mediator = try Mediator(schemes: [], hosts: ["shop.example"], modules: [SectionModule()])
    manifest = RouteManifest(app: "Shop", appIDs: ["ABCDE12345.example.shop"], routes: mediator.routes)
  }

  @Test("The documents list the texts of an enumeration")
  func documents() throws {
    let json = try manifest.json()
    #expect(json.contains(#""kind" : "pens|ink%20pots""#), "\(json)")
    #expect(try JSONDecoder().decode(RouteManifest.self, from: Data(json.utf8)) == manifest)
    // A bar separates the cells of a table, so it is escaped.
    #expect(manifest.markdown.contains(#"`section` pens\|ink%20pots<br>`order` new\|cheap, optional"#))
    #expect(manifest.drawing().contains("/sections/{section:pens|ink%20pots}/{order:new|cheap?}"))
  }

  @Test("A link opens the app only with a text of the enumeration")
  func links() throws {
    let matcher = try LinkMatcher(#require(manifest.appSiteAssociations.first).json())
    let base = "https://shop.example/sections/"
    for path in ["pens", "ink%20pots", "pens/new", "ink%20pots/cheap", "pens/", "ink%20pots/cheap/?a=b#c"] {
      #expect(matcher.opens(base + path), "\(path)")
    }
    for path in ["", "paper", "pens/old", "paper/new", "pens/new/1", "pens/old/"] {
      #expect(!matcher.opens(base + path), "\(path)")
    }
  }

  @Test("Enumerations that would multiply to many components accept any text from there on")
  func manyTexts() throws {
    let association = try #require(manifest.appSiteAssociations.first)
    let many = association.components.filter { $0.comment.hasPrefix("ManyRoute") }
    #expect(many.count == 9)
    let matcher = try LinkMatcher(association.json())
    #expect(matcher.opens("https://shop.example/many/9/9"))
    #expect(!matcher.opens("https://shop.example/many/10/9"))
  }
}

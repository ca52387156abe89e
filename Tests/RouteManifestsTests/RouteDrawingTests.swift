import Foundation
import Mediation
import RouteManifests
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct RouteDrawingTests {
  /// Returns a manifest of some routes in modules of at most nine, each opened by a module before it.
  private func manifest(of count: Int, named name: (Int) -> String = { "Route\($0)" }) throws -> RouteManifest
  {
    var modules: [[String: Any]] = []
    for first in stride(from: 0, to: count, by: 9) {
      let routes = (first..<min(first + 9, count)).map { number -> [String: Any] in
        [
          "name": name(number), "purpose": "", "patterns": ["app://\(name(number))/{id:int}"], "priority": 0,
          "parameters": [], "reach": "link", "output": number.isMultiple(of: 2) ? "()" : name(number),
          "guards": number.isMultiple(of: 3) ? ["members", name(number)] : ["members"],
          "sources": [["kind": "web", "name": "\(name(number % 4)).example"]],
        ]
      }
      let needs: [[String: Any]] =
        first == 0 ? [] : [["kind": "route", "name": name(first - 9), "module": "Module \(first - 9)"]]
      modules.append(["name": "Module \(first)", "routes": routes, "needs": needs])
    }
    let whole: [String: Any] = ["app": name(0), "appIDs": [], "modules": modules]
    return try JSONDecoder().decode(
      RouteManifest.self, from: JSONSerialization.data(withJSONObject: whole))
  }

  private func check(_ drawing: RouteDrawing) {
    let outer = drawing.cards.map(\.frame) + drawing.openers.map(\.frame)
    for (place, frame) in outer.enumerated() {
      #expect(drawing.frame.contains(frame))
      for other in outer[..<place] { #expect(!frame.overlaps(other), "\(frame) \(other)") }
    }
    for card in drawing.cards {
      for (place, box) in card.routes.enumerated() {
        #expect(card.frame.contains(box.frame))
        for other in card.routes[..<place] { #expect(!box.frame.overlaps(other.frame)) }
        for text in box.texts { #expect(text.y > box.frame.y && text.y < box.frame.bottom, "\(text)") }
      }
    }
    // A line beside the cards covers none, and lines of different openers don't lie on each other.
    let lanes = drawing.openers.flatMap(\.lanes)
    for lane in lanes {
      #expect(drawing.cards.allSatisfy { lane.x < $0.frame.x || lane.x > $0.frame.right }, "\(lane)")
    }
    #expect(Set(lanes.map(\.x)).count == lanes.count)
    for text in drawing.texts { #expect(text.y > 0 && text.y < drawing.height, "\(text)") }
  }

  @Test("No box overlaps another one", arguments: [0, 1, 2, 7, 35, 61, 200])
  func overlaps(count: Int) throws {
    let manifest = try manifest(of: count)
    let drawing = RouteDrawing(of: manifest)
    #expect(drawing.cards.flatMap(\.routes).count == count)
    #expect(drawing.openers.count == min(count, 4) + max(0, (count + 8) / 9 - 1))
    check(drawing)
    #expect(RouteDrawing(of: manifest) == drawing && manifest.drawing() == drawing.svg)
  }

  @Test(
    "Long names are shortened to the boxes",
    arguments: ["W", "i", "漢", "🏠", "a b ", "/", "\u{202E}x"])
  func longNames(unit: String) throws {
    let name = String(repeating: unit, count: 600)
    let drawing = RouteDrawing(of: try manifest(of: 20) { "\(name)\($0)" })
    check(drawing)
    let texts =
      drawing.cards.flatMap { $0.texts + $0.routes.flatMap(\.texts) } + drawing.openers.flatMap(\.texts)
    #expect(texts.allSatisfy { $0.text.count <= 110 && !$0.text.contains("\u{202E}") })
    #expect(texts.contains { $0.text.hasSuffix("…") })
    #expect(drawing.width < 1300)
  }

  @Test("Every text is escaped, and characters that XML forbids are replaced")
  func escaping() throws {
    let name = "<script>alert(\"1\")</script>&'\u{0}\u{1B}\n"
    let svg = try manifest(of: 12) { _ in name }.drawing(lighting: [name])
    #expect(!svg.contains("<script") && svg.contains("&lt;script&gt;"))
    #expect(!svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    for text in [svg, try ShopApp.manifest().drawing()] {
      let parser = XMLParser(data: Data(text.utf8))
      #expect(parser.parse(), "\(String(describing: parser.parserError))")
    }
  }

  @Test("Sources and modules reach their routes by a line, and routes show what is known of them")
  func shop() throws {
    let drawing = RouteDrawing(of: try ShopApp.manifest())
    check(drawing)
    #expect(drawing.cards.map { $0.texts[0].text } == ["Catalogue", "Orders"])
    #expect(
      drawing.openers.map { $0.texts.map(\.text) } == [
        ["push", "opens 1 route"], ["shop://", "opens 1 route"], ["https://help.example", "opens 1 route"],
        ["https://shop.example", "opens 6 routes"], ["Orders", "needs 1 route"],
      ])
    let boxes = drawing.cards.flatMap(\.routes)
    #expect(boxes.map(\.border) == Array(repeating: .open, count: 7) + [.inner, .open, .native])
    let item = try #require(boxes.first { $0.texts[0].text == "ItemRoute" })
    let height = item.frame.y + 16
    let stopping = drawing.openers.filter { $0.lanes.contains { $0.stops.contains(height) } }
    #expect(stopping.map { $0.texts[0].text } == ["push", "https://shop.example", "Orders"])
    let order = try #require(boxes.first { $0.texts[0].text == "OrderRoute" })
    #expect(
      order.texts.map(\.text) == ["OrderRoute", "→ String", "shop://orders/{id:uuid}", "guard: members"])
  }

  @Test("Routes are highlighted by a pattern, an alias or the name of a native route")
  func lighting() throws {
    let manifest = try ShopApp.manifest()
    func lit(_ names: String...) -> [String] {
      RouteDrawing(of: manifest, lighting: Set(names)).cards.flatMap(\.routes).filter(\.isLit)
        .map { $0.texts[0].text }
    }
    #expect(lit("shop://basket", "https://shop.example/i/{name}") == ["ItemRoute", "BasketRoute"])
    #expect(lit("Orders.PackRoute", "unknown") == ["PackRoute"])
    #expect(lit().isEmpty)
    #expect(manifest.drawing(lighting: ["shop://basket"]).contains("class=\"route inner lit\""))
  }

  @Test("A long pattern is broken before a delimiter, and ends after two lines")
  func patterns() throws {
    let drawing = RouteDrawing(of: try ShopApp.manifest())
    let search = try #require(
      drawing.cards.flatMap(\.routes).first { $0.texts[0].text == "SearchRoute" })
    #expect(
      search.texts.map(\.text) == [
        "SearchRoute", "→ Array<String>", "https://shop.example/search?q={words}",
        "&page={page:int}&sort={sort?}",
      ])
  }
}

import Mediation
import Testing

@Suite struct RouteLookUpTests {
  private struct Order: Route {
    static let pattern: RoutePattern = "shop://order/{id:int}/{part}"
    let id: Int
    let part: String

    init(from input: RouteInput) throws(RouteError) {
      id = try input.value("id")
      part = try input.value("part")
    }

    func write(to output: inout RouteOutput) {
      output.set("id", to: id)
      output.set("part", to: part)
    }
  }

  private struct Shop: BusinessModule {
    let name = "Shop"

    func declare(into table: inout RouteTable) { table.action(Order.self) { _, _ in } }
  }

  @Test("A look-up returns the route and the size of its encoded captures")
  func lookUp() throws {
    let mediator = try Mediator(schemes: ["shop"], modules: [Shop()])
    let found = try #require(mediator.lookUp("shop://order/42/a%20b?x=1"))
    #expect(found.route.name == "Order")
    #expect(found.route.module == "Shop")
    #expect(found.route == mediator.routes.first)
    #expect(found.pattern == Order.pattern)
    #expect(found.captures == 2)
    #expect(found.capturedBytes == "42".utf8.count + "a%20b".utf8.count)
    #expect(found.visits > 0)
  }

  @Test(
    "A look-up finds nothing for unmatched and malformed URLs",
    arguments: ["shop://order/x/y", "shop://order/1", "shop://other", "shop://order/1/..", "no url", ""])
  func unmatched(url: String) throws {
    #expect(try Mediator(schemes: ["shop"], modules: [Shop()]).lookUp(url) == nil)
  }

  @Test(
    "A text is readable exactly if it can be parsed",
    arguments: [
      "shop://order/1", "shop://order/%zz", "shop://order/a%00", "shop://user@order", "https://a.b:444/c", "",
      "x", "shop://order/%C3%28", "SHOP://Order/1#f", "shop://order//a",
    ])
  func readable(text: String) {
    #expect(RouteURL.isReadable(text) == ((try? RouteURL(text)) != nil))
  }
}

import Mediation

/// Opens an action by its URL, one call after another.
public struct OpenLoad: Sendable {
  private static let url = "estate://price/42"
  private let mediator: Mediator

  /// Builds a mediator with one module.
  public init() throws {
    mediator = try Mediator(schemes: ["estate"], modules: [PriceModule()])
  }

  /// Opens the URL `count` times.
  @concurrent public func send(_ count: Int) async throws {
    for _ in 0..<count {
      let price = try await mediator.open(Self.url, returning: Int.self)
      guard price == 42_000 else { throw UnexpectedPrice(price: price) }
    }
  }
}

/// A result that the action does not return.
private struct UnexpectedPrice: Error {
  let price: Int
}

private struct PriceModule: BusinessModule {
  let name = "Prices"

  func declare(into table: inout RouteTable) {
    table.action(PriceRoute.self) { route, _ in route.id * 1_000 }
  }
}

private struct PriceRoute: Route {
  typealias Output = Int
  static let pattern: RoutePattern = "estate://price/{id:int}"
  let id: Int

  init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

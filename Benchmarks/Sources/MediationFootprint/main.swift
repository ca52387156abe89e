import Mediation

struct QuoteRoute: ParameterlessRoute {
  typealias Output = String
  static let pattern: RoutePattern = "shop://mortgage/quote"
}

struct MortgageModule: BusinessModule {
  let name = "Mortgage"
  func declare(into table: inout RouteTable) { table.action(QuoteRoute.self) { _, _ in "5.9 %" } }
}

let mediator = try Mediator(schemes: ["shop"], modules: [MortgageModule()])
print(try await mediator.open("shop://mortgage/quote", returning: String.self))

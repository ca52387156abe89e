import Mediation

/// A route for tests with many routes whose patterns vary; each number is a type, because a route is one.
struct NumberedRoute<Tens: NumberedRoutes.Digit, Ones: NumberedRoutes.Digit>: Route {
  static var number: Int { 10 * Tens.value + Ones.value }
  static var pattern: RoutePattern { NumberedRoutes.patterns[number].pattern }
  init(from input: RouteInput) throws(RouteError) {}
  func write(to output: inout RouteOutput) {}
}

/// A module of up to a hundred routes, each declared on the line of its number.
struct NumberedRoutes: BusinessModule {
  protocol Digit: Sendable, SendableMetatype { static var value: Int { get } }

  @TaskLocal static var patterns: [(pattern: RoutePattern, priority: Int)] = []

  let name = "Numbers"

  static func mediator(
    _ patterns: [(pattern: RoutePattern, priority: Int)]
  ) throws(RouteTableIssue) -> Mediator {
    let result = $patterns.withValue(patterns) {
      Result { () throws(RouteTableIssue) in
        try Mediator(schemes: ["e"], modules: [NumberedRoutes()])
      }
    }
    return try result.get()
  }

  func declare(into table: inout RouteTable) {
    for number in Self.patterns.indices {
      let tens: any Digit.Type = Self.digits[number / 10]
      let ones: any Digit.Type = Self.digits[number % 10]
      declare(tens, ones, &table)
    }
  }

  private func declare<Tens: Digit, Ones: Digit>(_: Tens.Type, _: Ones.Type, _ table: inout RouteTable) {
    let number = NumberedRoute<Tens, Ones>.number
    table.action(
      NumberedRoute<Tens, Ones>.self, priority: Self.patterns[number].priority, file: "Numbers.swift",
      line: number
    ) { _, _ in }
  }

  private static let digits: [any Digit.Type] = [
    D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self,
  ]

  private enum D0: Digit { static let value = 0 }
  private enum D1: Digit { static let value = 1 }
  private enum D2: Digit { static let value = 2 }
  private enum D3: Digit { static let value = 3 }
  private enum D4: Digit { static let value = 4 }
  private enum D5: Digit { static let value = 5 }
  private enum D6: Digit { static let value = 6 }
  private enum D7: Digit { static let value = 7 }
  private enum D8: Digit { static let value = 8 }
  private enum D9: Digit { static let value = 9 }
}

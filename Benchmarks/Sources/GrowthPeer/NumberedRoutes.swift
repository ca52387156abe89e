import Mediation

/// A route for tables of any size: each route is a type, so its number is encoded in the type.
///
/// Each argument is a type of its own place. With the same ten digits at all places the runtime's keys of the
/// types collide, because the order of the arguments hardly counts in them: building a table of 100,000 took
/// 50 times as long, nearly all of it in the runtime.
struct NumberedRoute<Thousands: NumberedRoutes.Digit, Tens: NumberedRoutes.Digit, Ones: NumberedRoutes.Digit>:
  Route
{
  static var number: Int { Thousands.value * 1_000 + Tens.value * 10 + Ones.value }
  static var pattern: RoutePattern { RoutePattern(stringLiteral: NumberedRoutes.patterns[number]) }
  init(from input: RouteInput) throws(RouteError) {}
  func write(to output: inout RouteOutput) {}
}

/// A module that declares a list of up to a hundred thousand patterns.
struct NumberedRoutes: BusinessModule {
  protocol Digit: Sendable, SendableMetatype { static var value: Int { get } }

  @TaskLocal static var patterns: [String] = []

  let name = "Numbers"

  /// Builds a mediator with these patterns, in order.
  static func mediator(
    _ patterns: [String], redirector: (any RouteRedirector)? = nil, web: RouteFallback? = nil
  ) throws -> Mediator {
    try $patterns.withValue(patterns) {
      try Mediator(schemes: ["api"], modules: [NumberedRoutes()], web: web, redirector: redirector)
    }
  }

  func declare(into table: inout RouteTable) {
    for number in Self.patterns.indices {
      let a: any Digit.Type = Self.digits[number / 10_000 % 10]
      let b: any Digit.Type = Self.digits[number / 1000 % 10]
      let c: any Digit.Type = Self.digits[number / 100 % 10]
      let d: any Digit.Type = Self.digits[number / 10 % 10]
      let e: any Digit.Type = Self.digits[number % 10]
      declare(a, b, c, d, e, &table)
    }
  }

  private func declare<A: Digit, B: Digit, C: Digit, D: Digit, E: Digit>(
    _: A.Type, _: B.Type, _: C.Type, _: D.Type, _: E.Type, _ table: inout RouteTable
  ) {
    table.action(NumberedRoute<Thousands<A, B>, Tens<C, D>, E>.self) { _, _ in }
  }

  private enum Thousands<A: Digit, B: Digit>: Digit {
    static var value: Int { A.value * 10 + B.value }
  }

  private enum Tens<A: Digit, B: Digit>: Digit {
    static var value: Int { A.value * 10 + B.value }
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

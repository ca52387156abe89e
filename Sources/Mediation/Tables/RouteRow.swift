/// A route declaration as a value, so that a module can keep its routes in an array.
///
/// Use rows for routes that are generated, filtered by a feature switch, or merged from several lists;
/// otherwise declare them one by one, which is shorter.
///
///     static let rows: [RouteRow] = [
///       .action(PriceRoute.self) { route, _ in Prices.of(route.id) },
///       RouteRow { $0.screen(HomeRoute.self) { route, _ in HomeScreen(route.id) } },
///     ]
public struct RouteRow: Sendable {
  let declare: @Sendable (inout RouteTable) -> Void

  /// Creates a row from a closure that makes any declarations.
  public init(_ declare: @escaping @Sendable (inout RouteTable) -> Void) { self.declare = declare }

  /// Creates a row that declares an action.
  public static func action<R: Route>(
    _ route: R.Type, guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID,
    line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) -> RouteRow {
    RouteRow { $0.action(route, guards: guards, priority: priority, file: file, line: line, body) }
  }

  /// Creates a row that declares an action which only code in the app can call.
  public static func action<R: NativeRoute>(
    _ route: R.Type, guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) -> RouteRow {
    RouteRow { $0.action(route, guards: guards, file: file, line: line, body) }
  }
}

extension RouteTable {
  /// Declares rows in order.
  public mutating func declare(_ rows: some Sequence<RouteRow>) {
    for row in rows { row.declare(&self) }
  }
}

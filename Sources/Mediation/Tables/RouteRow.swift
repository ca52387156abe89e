/// A declaration as a value, so that a module can keep its routes in an array.
///
/// Choose rows for routes that are generated, filtered by a switch or put together from several lists;
/// otherwise declare one by one, which says the same with less.
///
///     static let rows: [RouteRow] = [
///       .action(PriceRoute.self) { route, _ in Prices.of(route.id) },
///       RouteRow { $0.screen(HomeRoute.self) { route, _ in HomeScreen(route.id) } },
///     ]
public struct RouteRow: Sendable {
  let declare: @Sendable (inout RouteTable) -> Void

  /// Keeps declarations of any kind.
  public init(_ declare: @escaping @Sendable (inout RouteTable) -> Void) { self.declare = declare }

  /// Keeps the declaration of a service.
  public static func action<R: Route>(
    _ route: R.Type, guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID,
    line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) -> RouteRow {
    RouteRow { $0.action(route, guards: guards, priority: priority, file: file, line: line, body) }
  }

  /// Keeps the declaration of a service that only code in the app can ask for.
  public static func action<R: NativeRoute>(
    _ route: R.Type, guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) -> RouteRow {
    RouteRow { $0.action(route, guards: guards, file: file, line: line, body) }
  }
}

extension RouteTable {
  /// Declares rows, in their order.
  public mutating func declare(_ rows: some Sequence<RouteRow>) {
    for row in rows { row.declare(&self) }
  }
}

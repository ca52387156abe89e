/// A module's code for one kind of life-cycle event.
struct LifecycleListener: Sendable {
  let kind: LifecycleEvent.Kind
  let place: RoutePlace
  let run: @Sendable (LifecycleEvent, RouteContext) async throws -> Void
}

extension RouteTable {
  /// Asks for a kind of life-cycle event.
  ///
  /// Of a module's own listeners for one kind the earlier declared is told first, or last where the order is
  /// reversed.
  ///
  /// - Parameter body: What throws is reported and stops no other module.
  public mutating func on(
    _ kind: LifecycleEvent.Kind, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (LifecycleEvent, RouteContext) async throws -> Void
  ) {
    let place = RoutePlace(
      module: module, name: "A listener for \(kind.rawValue)", pattern: nil, file: file, line: line)
    listeners.append(LifecycleListener(kind: kind, place: place, run: body))
  }
}

/// A module's handler for one kind of life-cycle event.
struct LifecycleListener: Sendable {
  let kind: LifecycleEvent.Kind
  let place: RouteTable.Place
  let run: @Sendable (LifecycleEvent, RouteContext) async throws -> Void
}

extension RouteTable {
  /// Adds a listener for a kind of life-cycle event.
  ///
  /// A module's listeners for one kind run in declaration order, or in the reverse order for `background`,
  /// `memoryWarning` and `logout`.
  ///
  /// - Parameter body: The handler. An error that it throws is reported and does not stop other listeners.
  public mutating func on(
    _ kind: LifecycleEvent.Kind, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (LifecycleEvent, RouteContext) async throws -> Void
  ) {
    let place = Place(
      module: module, name: "A listener for \(kind.rawValue)", pattern: nil, file: file, line: line)
    listeners.append(LifecycleListener(kind: kind, place: place, run: body))
  }
}

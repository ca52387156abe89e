import Synchronization

/// The calls that a stub got, as the routes' values.
public final class StubCalls<R: Sendable>: Sendable {
  private let state = Mutex<[R]>([])

  init() {}

  /// The routes in the order in which they were called.
  public var routes: [R] { state.withLock { $0 } }

  /// How often the stub was called.
  public var count: Int { state.withLock { $0.count } }

  func add(_ route: R) { state.withLock { $0.append(route) } }
}

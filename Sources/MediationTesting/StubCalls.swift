import Synchronization

/// The recorded calls of a stub, as route values.
public final class StubCalls<R: Sendable>: Sendable {
  private let state = Mutex<[R]>([])

  init() {}

  /// The routes, in the order of the calls.
  public var routes: [R] { state.withLock { $0 } }

  /// The number of calls.
  public var count: Int { state.withLock { $0.count } }

  func add(_ route: R) { state.withLock { $0.append(route) } }
}

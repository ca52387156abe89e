import Mediation
import Navigation
import Synchronization

/// The recorded calls of a stub, as route values.
public final class StubCalls<R: Sendable>: Sendable {
  private let state = Mutex<[R]>([])

  init() {}

  /// The routes, in the order of the calls.
  public var routes: [R] { state.withLock { $0 } }

  /// Returns the body of a stub, which records its calls.
  func recording<Output>(
    _ body: @escaping @Sendable (R, RouteContext) async throws -> Output
  ) -> @Sendable (R, RouteContext) async throws -> Output {
    { route, context in
      self.state.withLock { $0.append(route) }
      return try await body(route, context)
    }
  }
}

import APIManagers
import Glibc
import HTTPTypes
import Interception

/// Loads an API by a manager on the main actor, and for comparison calls Swift's pool from there.
@MainActor public struct ManagerLoad {
  private let manager: APIManager<HouseCount>

  /// Creates a manager of a client without interceptors, over a stub.
  public init() throws {
    let pipeline = try Pipeline(over: StubDispatcher(cacheControl: "no-store")) {}
    manager = APIManager(HouseCount(), client: APIClient(dispatcher: pipeline))
  }

  /// Loads the API `count` times; throws the first error.
  public func load(_ count: Int) async throws {
    for _ in 0..<count {
      let response = try await manager.load(.response)
      guard response.status == .ok else { throw UnexpectedStatus(code: response.status.code) }
    }
  }

  /// Goes to the pool and back `count` times.
  public func hop(_ count: Int) async {
    for _ in 0..<count { _ = await Self.callPool() }
  }

  // The optimizer removes the hop to a function that calls nothing opaque.
  @inline(never) @concurrent private nonisolated static func callPool() async -> Int32 { getpid() }
}

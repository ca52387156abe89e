import CurlTransport
import HTTPTypes
import Interception
import Synchronization

/// Tasks that send requests at the same time.
enum Senders {
  /// Sends requests with the numbers from 0 by `count` tasks, each of which takes the next number.
  ///
  /// - Parameter status: The status that each response must have.
  static func send(
    _ requests: Int, by count: Int, through dispatcher: CurlDispatcher, expecting status: HTTPResponse.Status,
    _ request: @escaping @Sendable (Int) -> Request
  ) async throws {
    let numbers = Numbers()
    try await withThrowingTaskGroup { group in
      for _ in 0..<min(count, requests) {
        group.addTask {
          while case let number = numbers.next(), number < requests {
            let response = try await dispatcher.dispatch(request(number))
            _ = try await response.body.collect(upTo: 1 << 20)
            guard response.status == status else {
              throw Trouble("the server responded with \(response.status.code)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private final class Numbers: Sendable {
    private let value = Atomic(0)
    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
  }

  /// A dispatcher that keeps a number of connections.
  static func dispatcher(total: Int, perOrigin: Int, kept: Int, queue: Int, loops: Int = 1) -> CurlDispatcher
  {
    CurlDispatcher(
      configuration: CurlDispatcher.Configuration(
        limits: CurlDispatcher.Limits(total: total, perOrigin: perOrigin, queue: queue),
        connections: ConnectionPolicy(kept: kept), loops: loops))
  }

  static func check(_ dispatcher: CurlDispatcher, has connections: Int) async throws {
    let open = await dispatcher.occupancy().openConnections
    guard open == connections else { throw Trouble("\(open) of \(connections) connections are open") }
  }
}

import HTTPTypes
import Interception
import RequestSharing

/// Sends storms of identical requests through the sharing interceptor, over a dispatcher that doesn't respond
/// before all of them wait.
public struct StormLoad: Sendable {
  /// The number of requests in a storm.
  public static let size = 1_000

  private let dispatcher = HeldDispatcher()
  private let queue = SerialQueue()
  private let pipeline: Pipeline
  private let request: Request

  /// Builds the chain.
  public init() throws {
    pipeline = try Pipeline(over: dispatcher) { SharingInterceptor() }
    request = Request(authority: "api.example.com", path: "/v1/houses?city=SACRAMENTO&page=1")
  }

  /// Sends `count` storms, one after another, and returns the maximum number of transfers that one of them
  /// took.
  @concurrent public func send(_ count: Int) async throws -> Int {
    var transfers = 0
    for _ in 0..<count { transfers = max(transfers, try await sendOne()) }
    return transfers
  }

  private func sendOne() async throws -> Int {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.size {
        group.addTask(executorPreference: queue) { try await sendRequest() }
      }
      // The queue keeps the order, so all requests wait when this runs.
      group.addTask(executorPreference: queue) { dispatcher.release() }
      try await group.waitForAll()
    }
    return dispatcher.hold()
  }

  private func sendRequest() async throws {
    let request = Request(request.head, context: request.context)
    let response = try await pipeline.dispatch(request)
    guard response.status == .ok else { throw UnexpectedStatus(code: response.status.code) }
  }
}

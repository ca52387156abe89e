import HTTPTypes
import Interception
import RequestFlights
import SwitchyardTesting

@testable import RequestSharing

/// A pipeline with sharing, over a dispatcher that holds each request until the test releases it.
struct SharingFixture {
  /// What the test permits the dispatcher.
  struct Gate: Sendable {
    var isOpen = false
    var cancelled = 0
    /// The number of requests to each path that the dispatcher has, and the maximum of them so far.
    var onTheWay: [String: Int] = [:]
    var maximumOnTheWay = 0
  }

  let gate = WaitableValue(Gate())
  let sharing = SharingInterceptor()
  let server: ScriptedDispatcher
  let pipeline: Pipeline

  /// Creates a fixture.
  ///
  /// - Parameters:
  ///   - ignoresCancellation: Whether a cancelled request is held, too, until the gate is open.
  ///   - time: The clock of time limits.
  ///   - respond: Returns the response to a request that was released.
  init(
    ignoresCancellation: Bool = false, time: TimeSource = .system, inner: [any Interceptor] = [],
    _ respond: @escaping @Sendable (Request) throws(NetworkError) -> Response = {
      Response(status: .ok, bytes: Array(($0.head.path ?? "").utf8))
    }
  ) throws {
    let gate = gate
    server = ScriptedDispatcher { request, _ throws(NetworkError) in
      let path = request.head.path ?? ""
      gate.update { gate in
        gate.onTheWay[path, default: 0] += 1
        gate.maximumOnTheWay = max(gate.maximumOnTheWay, gate.onTheWay[path] ?? 0)
      }
      defer { gate.update { $0.onTheWay[path, default: 0] -= 1 } }
      do {
        try await gate.wait { $0.isOpen }
      } catch {
        gate.update { $0.cancelled += 1 }
        if ignoresCancellation {
          // Waits in a task of its own, which the cancellation does not reach.
          _ = try? await Task { try await gate.wait { $0.isOpen } }.value
        }
        throw NetworkError(
          .cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: true,
          origin: .dispatcher("Held"))
      }
      return try respond(request)
    }
    let sharing = sharing
    pipeline = try Pipeline(over: server, time: time) {
      sharing
      inner
    }
  }

  static func request(
    _ path: String = "/houses", _ change: (inout Request) -> Void = { _ in }
  ) -> Request {
    var request = Request(authority: "estate.example", path: path)
    change(&request)
    return request
  }

  func send(_ request: Request = request(), priority: TaskPriority? = nil) -> Task<
    Result<Response, NetworkError>, Never
  > {
    Task(priority: priority) { [pipeline] in
      do throws(NetworkError) {
        return .success(try await pipeline.send(request))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Returns when a number of requests wait for a flight.
  func waitUntilWaiting(_ count: Int) async throws {
    try await waitUntil("\(count) requests wait for a flight") { sharing.registry.waitingCount == count }
  }

  /// Returns when a number of requests have reached the dispatcher.
  func waitUntilSent(_ count: Int) async throws {
    try await waitUntil("\(count) requests were sent") { server.requests.count >= count }
  }

  func open() { gate.update { $0.isOpen = true } }
}

extension Result where Success == Response, Failure == NetworkError {
  /// The text of the response's body, or nil for a failure.
  var text: String? {
    guard case .success(let response) = self, case .bytes(let bytes) = response.body else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  var failure: NetworkError? { if case .failure(let error) = self { error } else { nil } }

  var exchange: Exchange? { if case .success(let response) = self { response.exchange } else { nil } }
}

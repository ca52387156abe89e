package import Interception
import Synchronization

/// Owns the flights of an interceptor.
///
/// A flight needs no task of its own: the request that leads it is sent in its caller's task, and cancelled
/// with it. If others have joined, one of them is then sent in its own caller's task, as soon as the
/// cancelled call has ended, so that at most one of them is on the way. A call that ends with a response or
/// another error in spite of the cancellation ends the flight.
package final class FlightRegistry: SharedFlights {
  private typealias Table = FlightTable<SharedRequest>

  private struct Neighbor { weak var flights: (any SharedFlights)? }

  private let table = Mutex(Table())
  private let closingCount = Atomic<UInt64>(0)
  /// The flights of the other interceptors in the same pipelines.
  private let neighbors = Mutex<[Neighbor]>([])

  /// Creates a registry without flights.
  package init() {}

  /// The number of flights.
  package var count: Int { table.withLock { $0.count } }
  /// The number of requests that wait for a flight.
  package var waitingCount: Int { table.withLock { $0.waitingCount } }
  /// Whether nothing is stored about flights.
  package var isEmpty: Bool { table.withLock { $0.isEmpty } }
  package var closings: UInt64 { closingCount.load(ordering: .acquiring) }

  /// Returns the response of the flight that the request joins or leads, and whether it has joined one.
  ///
  /// A request that has joined a flight and leads it after a cancellation is sent itself, and has not joined.
  ///
  /// - Throws: The flight's error; `NetworkError.Kind.cancelled` if the current task is cancelled, at once
  ///   for a request that has joined.
  package func response(
    to key: FlightKey, next: some Dispatcher
  ) async throws(NetworkError) -> (response: Response, hasJoined: Bool) {
    // The table has the reference to the task only until the request has left it, within the closure.
    let ending = await withUnsafeCurrentTask { task in await result(of: SharedRequest(key, task), next) }
    return try ending.get()
  }

  private func result(
    of request: SharedRequest, _ next: some Dispatcher
  ) async -> Result<(response: Response, hasJoined: Bool), NetworkError> {
    var rejected: Set<Table.FlightID> = []
    while true {
      switch table.withLock({ $0.enter(request, except: rejected) }) {
      case .leads(let flight): return await lead(flight, request, next).map { ($0, false) }
      case .joined(let flight): return await wait(request, for: flight, next)
      case .candidate(let flight, let other):
        // Compared without the lock, because values of custom keys have comparisons of their own.
        guard other.context.hasSameCustomValues(as: request.key.request.context) else {
          rejected.insert(flight)
          continue
        }
        guard table.withLock({ $0.join(request, flight, comparedWith: other) }) else { continue }
        return await wait(request, for: flight, next)
      }
    }
  }

  /// Prevents that further requests join the present flights, also those of the other interceptors in the
  /// same pipelines.
  package func closeFlights() {
    closingCount.add(1, ordering: .releasing)
    closeOwnFlights()
    for flights in neighbors.withLock({ $0.compactMap(\.flights) }) { flights.closeOwnFlights() }
  }

  package func closeOwnFlights() { table.withLock { $0.closeAll() } }

  package func closeToo(_ others: [any SharedFlights]) {
    neighbors.withLock { neighbors in
      neighbors.removeAll { neighbor in
        neighbor.flights.map { flights in others.contains { $0 === flights } } ?? true
      }
      neighbors += others.map { Neighbor(flights: $0) }
    }
  }

  /// Waits for a flight that the request has joined, and leads it if its leader is cancelled.
  private func wait(
    _ request: SharedRequest, for flight: Table.FlightID, _ next: some Dispatcher
  ) async -> Result<(response: Response, hasJoined: Bool), NetworkError> {
    let response: Response?
    do throws(NetworkError) {
      response = try await waitForResult(
        of: { request.resume($0) },
        onCancel: {
          // Otherwise the request has a result already, or leads the flight.
          guard table.withLock({ $0.leave(request, flight) }) else { return }
          request.resolve(.failure(Self.cancellation(of: request.key.request)))
        })
    } catch {
      return .failure(error)
    }
    if let response { return .success((response.asJoined, true)) }
    return await lead(flight, request, next).map { ($0, false) }
  }

  private static func cancellation(of request: Request) -> NetworkError {
    NetworkError(
      .cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: true,
      attempt: request.attempt)
  }

  /// Sends the request of a flight, and gives the result to those that have joined, or the flight to one of
  /// them if the request was cancelled.
  private func lead(
    _ flight: Table.FlightID, _ request: SharedRequest, _ next: some Dispatcher
  ) async -> Result<Response, NetworkError> {
    let result: Result<Response, NetworkError>
    var isCancelled = false
    do throws(NetworkError) {
      let response = try await next.dispatch(request.key.request)
      result = .success(try await shareable(response, of: flight, request.key))
    } catch {
      result = .failure(error)
      // A cancellation of another task, such as one of the app's, is an error as any other.
      isCancelled = error.kind == .cancelled(.task) && Task.isCancelled
    }
    switch table.withLock({ $0.land(flight, isCancelled: isCancelled) }) {
    case .ended(let joined): for other in joined { other.resolve(result.map { $0 }) }
    case .continued(let next): next.resolve(.success(nil))
    }
    return result
  }

  /// Returns the response in a form that all waiting requests can read.
  ///
  /// A dispatcher responds to a request with buffered delivery with bytes. An inner interceptor may still
  /// return a stream, which has a single reader, so it is collected if others have joined.
  private func shareable(
    _ response: Response, of flight: Table.FlightID, _ key: FlightKey
  ) async throws(NetworkError) -> Response {
    guard case .stream = response.body, table.withLock({ $0.close(flight) }) > 0 else { return response }
    return try await response.buffered(upTo: key.responseLimit)
  }
}

extension Response {
  /// The response as a request receives it for which nothing was sent.
  fileprivate var asJoined: Response {
    var exchange = exchange
    exchange.attempts = 0
    exchange.transport = nil
    var copy = self
    copy.exchange = exchange
    return copy
  }
}

/// A request that has entered the flights of an interceptor.
///
/// One that has joined a flight is resolved once: with the flight's result, with nil if it leads the flight
/// from now on, or because it was cancelled.
final class SharedRequest: FlightEntrant {
  let key: FlightKey
  let priority: TaskPriority.RawValue
  private let task: TaskReference
  private enum State {
    case pending
    case suspended(ResultContinuation<Response?>)
    case resolved(Result<Response?, NetworkError>)
    case over
  }

  private let state = Mutex(State.pending)

  /// Creates a request of the current task.
  init(_ key: FlightKey, _ task: UnsafeCurrentTask?) {
    self.key = key
    self.task = TaskReference(task: task)
    priority = Task.currentPriority.rawValue
  }

  var isCancelled: Bool { task.task?.isCancelled ?? false }

  func raisePriority(to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      task.task?.escalatePriority(to: priority)
    }
  }

  /// Resolves the request; later calls have no effect.
  func resolve(_ result: Result<Response?, NetworkError>) {
    let continuation = state.withLock { state -> ResultContinuation<Response?>? in
      switch state {
      case .pending:
        state = .resolved(result)
        return nil
      case .suspended(let continuation):
        state = .over
        return continuation
      case .resolved, .over: return nil
      }
    }
    continuation?.resume(returning: result)
  }

  /// Resumes a continuation with the result as soon as the request is resolved.
  func resume(_ continuation: ResultContinuation<Response?>) {
    let result = state.withLock { state -> Result<Response?, NetworkError>? in
      if case .resolved(let result) = state {
        state = .over
        return result
      }
      state = .suspended(continuation)
      return nil
    }
    if let result { continuation.resume(returning: result) }
  }
}

/// A reference to the task of a request.
///
/// It is used only under the table's lock, and the table has the request only while the task executes the
/// closure that received the reference. So the reference is valid, and what is called may be called by other
/// tasks.
private struct TaskReference: @unchecked Sendable {
  let task: UnsafeCurrentTask?
}

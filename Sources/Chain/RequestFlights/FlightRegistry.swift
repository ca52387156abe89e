package import Interception
import Synchronization

/// Owns the flights of an interceptor: runs each in a task of its own, and cancels it when no request waits
/// for it any longer.
package final class FlightRegistry: SharedFlights {
  private typealias Table = FlightTable<WaitingRequest, Task<Void, Never>>

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

  /// Returns the response of the flight that the request joins or starts, and whether it has joined one.
  ///
  /// - Throws: The flight's error, or `NetworkError.Kind.cancelled` as soon as the current task is cancelled.
  package func response(
    to key: FlightKey, next: some Dispatcher
  ) async throws(NetworkError) -> (response: Response, hasJoined: Bool) {
    let waiter = WaitingRequest()
    var rejected: Set<Table.FlightID> = []
    while true {
      switch table.withLock({ $0.enter(waiter, key, except: rejected) }) {
      case .start(let flight):
        let task = start(flight, key, next)
        // A response without suspension, such as one from memory, needs neither the task nor a continuation.
        if let result = waiter.resolved() { return (try result.get(), false) }
        store(task, of: flight)
        return (try await response(for: waiter, key, flight), false)
      case .candidate(let flight, let request):
        // Compared without the lock, because values of custom keys have comparisons of their own.
        guard !key.comparesCustomValues || request.context.hasSameCustomValues(as: key.request.context) else {
          rejected.insert(flight)
          continue
        }
        guard join(flight, waiter) else { continue }
        if let own = key.request.deadline { request.deadline?.extend(to: own) }
        return (try await response(for: waiter, key, flight).asJoined, true)
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

  private func join(_ flight: Table.FlightID, _ waiter: WaitingRequest) -> Bool {
    let priority = Task.currentPriority
    switch table.withLock({ $0.join(waiter, flight, priority: priority) }) {
    case .tooLate: return false
    case .joined(let task):
      if let task { Self.raise(task, to: priority) }
      return true
    }
  }

  private func store(_ task: Task<Void, Never>, of flight: Table.FlightID) {
    let (isFlying, priority) = table.withLock {
      ($0.store(task, of: flight), $0.joinedPriority(of: flight))
    }
    guard isFlying else { return task.cancel() }
    // That of requests that joined before the task was stored.
    if let priority { Self.raise(task, to: priority) }
  }

  /// Raises a flight's task to a priority; a lower one has no effect.
  private static func raise(_ task: Task<Void, Never>, to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      task.escalatePriority(to: priority)
    }
  }

  private func response(
    for waiter: WaitingRequest, _ key: FlightKey, _ flight: Table.FlightID
  ) async throws(NetworkError) -> Response {
    try await waitForResult(
      of: { waiter.resume($0) },
      onCancel: {
        let task = table.withLock { $0.leave(waiter, flight) }
        waiter.resolve(.failure(Self.cancellation(of: key.request)))
        task?.cancel()
      })
  }

  private static func cancellation(of request: Request) -> NetworkError {
    NetworkError(
      .cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: true,
      attempt: request.attempt)
  }

  /// Starts a flight in a task that the cancellation of the starting request does not reach.
  private func start(
    _ flight: Table.FlightID, _ key: FlightKey, _ next: some Dispatcher
  ) -> Task<Void, Never> {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return Task { await run(flight, key, next) }
    }
    // Runs on this thread until it suspends for the first time, which saves a change of threads.
    return Task.immediate { await run(flight, key, next) }
  }

  private func run(_ flight: Table.FlightID, _ key: FlightKey, _ next: some Dispatcher) async {
    let result: Result<Response, NetworkError>
    do throws(NetworkError) {
      result = .success(try await shareable(try await next.dispatch(key.request), of: flight, key))
    } catch {
      result = .failure(error)
    }
    for waiter in table.withLock({ $0.land(flight) }) { waiter.resolve(result) }
  }

  /// Returns the response in a form that all waiting requests can read.
  ///
  /// A dispatcher responds to a request with buffered delivery with bytes. An inner interceptor may still
  /// return a stream, which has a single reader, so it is collected if several requests wait for it.
  private func shareable(
    _ response: Response, of flight: Table.FlightID, _ key: FlightKey
  ) async throws(NetworkError) -> Response {
    guard case .stream = response.body, table.withLock({ $0.close(flight) }) > 1 else { return response }
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

/// A request that waits for a flight, resolved once: with the flight's result, or because it was cancelled.
final class WaitingRequest: Sendable {
  private enum State {
    case pending
    case suspended(ResultContinuation<Response>)
    case resolved(Result<Response, NetworkError>)
    case over
  }

  private let state = Mutex(State.pending)

  /// Resolves the request; later calls have no effect.
  func resolve(_ result: Result<Response, NetworkError>) {
    let continuation = state.withLock { state -> ResultContinuation<Response>? in
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

  /// Returns the result if the request is resolved, without suspending.
  func resolved() -> Result<Response, NetworkError>? {
    state.withLock { state in
      guard case .resolved(let result) = state else { return nil }
      state = .over
      return result
    }
  }

  /// Resumes a continuation with the result as soon as the request is resolved.
  func resume(_ continuation: ResultContinuation<Response>) {
    let result = state.withLock { state -> Result<Response, NetworkError>? in
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

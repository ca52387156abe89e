import Synchronization

/// A value that is created on first use, once for all concurrent callers, and kept until it is released.
///
/// It is created in a separate task, so that cancelling one waiter does not affect the others; when the last
/// waiter has left, the task is cancelled. A failure is passed to all waiters, and the next call tries again.
final class LazyValue<Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Result<Value, any Error>, Never>

  private struct Flight {
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter] = [:]
  }

  private struct State {
    var kept: Value?
    /// The flight whose value will be kept; a flight that was released meanwhile continues for its waiters
    /// only.
    var current: Int?
    var flights: [Int: Flight] = [:]
  }

  private enum Admission {
    case kept(Value)
    case joined
    case started(Int)
    case cycle([String])
  }

  private let declaration: LazyDeclaration<Value>
  private let state = Mutex(State())

  init(_ declaration: LazyDeclaration<Value>) { self.declaration = declaration }

  private var loads: WaitGraph { declaration.loads }

  /// Whether the value exists.
  var isLoaded: Bool { state.withLock { $0.kept != nil } }

  /// Releases the value and returns whether there was one.
  ///
  /// Callers that wait for a value being created still receive it.
  func release() -> Bool {
    state.withLock { state in
      let held = state.kept != nil || state.current != nil
      state.kept = nil
      state.current = nil
      return held
    }
  }

  /// Returns the value, creating it if necessary.
  ///
  /// - Parameter ownTime: The measurement that the time spent here does not count towards.
  /// - Throws: `ModuleError`, or `CancellationError` if the caller is cancelled.
  func get(_ mediator: Mediator, _ ownTime: OwnTime?) async throws -> Value {
    if let value = state.withLock({ $0.kept }) { return value }
    return try await OwnTime.exclude(from: ownTime, mediator.clock) { try await join(mediator).get() }
  }

  private func join(_ mediator: Mediator) async -> Result<Value, any Error> {
    let ticket = loads.nextNumber()
    let inside = loads.current
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        switch enter(ticket, inside, waiter) {
        case .kept(let value): waiter.resume(returning: .success(value))
        case .joined: break
        case .started(let flight): launch(flight, mediator)
        case .cycle(let names): waiter.resume(returning: .failure(ModuleError(.loadCycle(names))))
        }
        // The cancellation handler may have run before the waiter was registered.
        if Task.isCancelled { leave(ticket) }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  private func enter(_ ticket: Int, _ inside: Int?, _ waiter: Waiter) -> Admission {
    state.withLock { state in
      if let value = state.kept { return .kept(value) }
      if let flight = state.current {
        if let cycle = loads.wait(ticket, in: inside, for: flight) { return .cycle(cycle) }
        state.flights[flight]?.waiters[ticket] = waiter
        return .joined
      }
      let flight = loads.nextNumber()
      if let cycle = loads.begin(flight, declaration.name, of: declaration.number, for: ticket, in: inside) {
        return .cycle(cycle)
      }
      state.current = flight
      state.flights[flight] = Flight(waiters: [ticket: waiter])
      return .started(flight)
    }
  }

  private func launch(_ flight: Int, _ mediator: Mediator) {
    let task = loads.run(in: flight) { Task { self.finish(flight, await self.load(mediator)) } }
    let isStillWanted = state.withLock { state in
      guard state.flights[flight] != nil else { return false }
      state.flights[flight]?.task = task
      return true
    }
    if !isStillWanted { task.cancel() }
  }

  private func load(_ mediator: Mediator) async -> Result<Value, any Error> {
    let (name, module) = (declaration.name, declaration.module)
    let (result, ownTime) = await OwnTime.measure(mediator.clock) { ownTime in
      let context = mediator.context(of: module, doing: name, ownTime)
      return await Result { () async throws in try await declaration.make(context) }
    }
    switch result {
    case .success: mediator.observe(.loaded(name, module: module, ownTime: ownTime))
    case .failure(let error):
      mediator.observe(.loadFailed(name, module: module, error, ownTime: ownTime))
    }
    return result.mapError { ModuleError(.loadFailed(name, module: module, $0)) }
  }

  private func finish(_ id: Int, _ result: Result<Value, any Error>) {
    let waiters = state.withLock { state -> [Waiter] in
      if state.current == id {
        state.current = nil
        if case .success(let value) = result { state.kept = value }
      }
      return state.flights.removeValue(forKey: id).map { Array($0.waiters.values) } ?? []
    }
    loads.end(id)
    for waiter in waiters { waiter.resume(returning: result) }
  }

  private func leave(_ ticket: Int) {
    let (waiter, abandoned) = state.withLock { state -> (Waiter?, (Int, Task<Void, Never>?)?) in
      for (id, flight) in state.flights {
        guard let waiter = flight.waiters[ticket] else { continue }
        state.flights[id]?.waiters[ticket] = nil
        guard state.flights[id]?.waiters.isEmpty == true else { return (waiter, nil) }
        if state.current == id { state.current = nil }
        state.flights[id] = nil
        return (waiter, (id, flight.task))
      }
      return (nil, nil)
    }
    guard let waiter else { return }
    loads.leave(ticket)
    if let (id, task) = abandoned {
      loads.end(id)
      task?.cancel()
    }
    waiter.resume(returning: .failure(CancellationError()))
  }
}

extension Result where Failure == any Error {
  /// Captures the outcome of an asynchronous operation.
  fileprivate init(_ operation: () async throws -> Success) async {
    do {
      self = .success(try await operation())
    } catch {
      self = .failure(error)
    }
  }
}

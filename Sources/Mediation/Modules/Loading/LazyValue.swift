import Synchronization

/// A value that is made when it is first asked for, once for all who ask at the same time, and kept until it
/// is released.
///
/// It is made in a task of its own, so that a waiter who is cancelled leaves alone; when the last has left,
/// making it is cancelled. A failure goes to all who wait, and the next who asks begins anew.
final class LazyValue<Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Result<Value, any Error>, Never>

  private struct Flight {
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter] = [:]
  }

  private struct State {
    var kept: Value?
    /// The flight whose value will be kept; one that was released meanwhile goes on for its waiters only.
    var current: Int?
    var flights: [Int: Flight] = [:]
  }

  private enum Entrance {
    case kept(Value)
    case joined
    case started(Int)
    case circle([String])
  }

  private let recipe: LazyRecipe<Value>
  private let state = Mutex(State())

  init(_ recipe: LazyRecipe<Value>) { self.recipe = recipe }

  private var loads: WaitGraph { recipe.loads }

  /// Whether the value is kept now.
  var isLoaded: Bool { state.withLock { $0.kept != nil } }

  /// Lets go of the value and says whether there was one.
  ///
  /// Who waits for one that is being made still gets it.
  func release() -> Bool {
    state.withLock { state in
      let held = state.kept != nil || state.current != nil
      state.kept = nil
      state.current = nil
      return held
    }
  }

  /// The value, made if need be.
  ///
  /// - Throws: `ModuleError`, or `CancellationError` if the caller is cancelled.
  func get(_ mediator: Mediator) async throws -> Value {
    if let value = state.withLock({ $0.kept }) { return value }
    return try await OwnTime.exclude(mediator.clock) { try await join(mediator).get() }
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
        case .circle(let names): waiter.resume(returning: .failure(ModuleError.loadCircle(names)))
        }
        // The handler may have run before the waiter was there.
        if Task.isCancelled { leave(ticket) }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  private func enter(_ ticket: Int, _ inside: Int?, _ waiter: Waiter) -> Entrance {
    state.withLock { state in
      if let value = state.kept { return .kept(value) }
      if let flight = state.current {
        if let circle = loads.wait(ticket, in: inside, for: flight) { return .circle(circle) }
        state.flights[flight]?.waiters[ticket] = waiter
        return .joined
      }
      let flight = loads.nextNumber()
      if let circle = loads.begin(flight, recipe.name, of: recipe.declaration, for: ticket, in: inside) {
        return .circle(circle)
      }
      state.current = flight
      state.flights[flight] = Flight(waiters: [ticket: waiter])
      return .started(flight)
    }
  }

  private func launch(_ flight: Int, _ mediator: Mediator) {
    let task = loads.place(in: flight) { Task { self.finish(flight, await self.load(mediator)) } }
    let isStillWanted = state.withLock { state in
      guard state.flights[flight] != nil else { return false }
      state.flights[flight]?.task = task
      return true
    }
    if !isStillWanted { task.cancel() }
  }

  private func load(_ mediator: Mediator) async -> Result<Value, any Error> {
    let (name, module) = (recipe.name, recipe.module)
    let context = mediator.context(of: module, doing: name)
    let (result, ownTime) = await OwnTime.measure(mediator.clock) {
      await Result { () async throws in try await recipe.make(context) }
    }
    switch result {
    case .success: mediator.observe(.loaded(name, module: module, ownTime: ownTime))
    case .failure(let error):
      mediator.observe(.loadFailed(name, module: module, error, ownTime: ownTime))
    }
    return result.mapError { ModuleError.loadFailed(name, module: module, $0) }
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
  /// What an asynchronous operation returns or throws.
  fileprivate init(_ operation: () async throws -> Success) async {
    do {
      self = .success(try await operation())
    } catch {
      self = .failure(error)
    }
  }
}

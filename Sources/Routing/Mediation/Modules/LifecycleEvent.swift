import Synchronization

/// An event of the whole app that modules can handle.
public enum LifecycleEvent: Sendable, Hashable {
  /// The app has started.
  case launch
  /// The app has become visible to the user.
  case foreground
  /// The app is no longer visible to the user.
  case background
  /// Memory is low. Providers declared `untilMemoryWarning` are released after the modules have handled the
  /// event.
  case memoryWarning
  /// A link has arrived. The event informs modules that count links or prepare for them; `Mediator.receive`
  /// opens the link.
  case link(String, from: LinkSource)
  /// The user has logged out.
  case logout

  /// An event's kind, without its associated values.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The app has started.
    case launch
    /// The app has become visible to the user.
    case foreground
    /// The app is no longer visible to the user.
    case background
    /// Memory is low.
    case memoryWarning
    /// A link has arrived.
    case link
    /// The user has logged out.
    case logout

    /// Whether modules receive the event before the modules they need.
    ///
    /// True for `background`, `memoryWarning` and `logout`, so that a module can still use other modules
    /// while it cleans up.
    package var isReversed: Bool {
      switch self {
      case .background, .memoryWarning, .logout: true
      case .launch, .foreground, .link: false
      }
    }
  }

  /// The kind of the event.
  public var kind: Kind {
    switch self {
    case .launch: .launch
    case .foreground: .foreground
    case .background: .background
    case .memoryWarning: .memoryWarning
    case .link: .link
    case .logout: .logout
    }
  }
}

extension LifecycleEvent {
  /// The outcome of delivering a life-cycle event.
  public struct Report: Sendable {
    /// The outcome of one listener.
    public struct Entry: Sendable {
      /// The name of the module.
      public let module: String
      /// Where the listener was declared.
      package let place: RouteTable.Place
      /// The listener's running time, excluding the time that its calls spend in routes and in creating
      /// providers.
      public let ownTime: Duration
      /// The error that the listener threw, or nil.
      public let failure: (any Error)?
    }

    /// The event.
    package let event: LifecycleEvent
    /// One entry per listener, in the order in which they ran.
    public let entries: [Entry]

    /// The listeners that failed.
    public var failures: [Entry] { entries.filter { $0.failure != nil } }
  }
}

/// A module's handler for one kind of life-cycle event.
struct LifecycleListener: Sendable {
  let kind: LifecycleEvent.Kind
  let place: RouteTable.Place
  let run: @Sendable (LifecycleEvent, RouteContext) async throws -> Void
}

extension RouteTable {
  /// Adds a listener for a kind of life-cycle event.
  ///
  /// A module's listeners for one kind run in declaration order, or in the reverse order for `background`,
  /// `memoryWarning` and `logout`.
  ///
  /// - Parameter body: The handler. An error that it throws is reported and does not stop other listeners.
  public mutating func on(
    _ kind: LifecycleEvent.Kind, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (LifecycleEvent, RouteContext) async throws -> Void
  ) {
    let place = Place(
      module: module, name: "A listener for \(kind)", pattern: nil, file: file, line: line)
    listeners.append(LifecycleListener(kind: kind, place: place, run: body))
  }
}

extension Mediator {
  /// Delivers a life-cycle event to the modules that listen for it, one after the other.
  ///
  /// A module receives the event after the modules it needs, or before them for `background`, `memoryWarning`
  /// and `logout`. A listener that fails does not stop the others: failures are in the report and are passed
  /// to the observers. Events are delivered one at a time, in the order of the calls. An event that a
  /// listener delivers is delivered at once. The navigator follows each event immediately, before earlier
  /// ones are complete: in the background no screen counts as being seen. Listeners run in separate tasks,
  /// off the caller's actor, and all of them run even if the caller is cancelled.
  ///
  /// - Parameter limit: The maximum time for each listener. A listener that exceeds it is cancelled, reported
  ///   with a ``ModuleError`` and no longer awaited. Without a limit, a listener that never returns blocks
  ///   all later ones.
  @discardableResult
  public func deliver(_ event: LifecycleEvent, limit: Duration? = nil) async -> LifecycleEvent.Report {
    for follower in environment.followers { await follower.follow(event) }
    return await deliveries.run {
      var entries: [LifecycleEvent.Report.Entry] = []
      for listener in listeners(for: event.kind) {
        let entry = await deliver(event, to: listener, limit)
        observe(.delivered(event, entry))
        entries.append(entry)
      }
      if event == .memoryWarning {
        for object in registry.modules.objects where object.lifetime == .untilMemoryWarning {
          _ = release(object)
        }
      }
      return LifecycleEvent.Report(event: event, entries: entries)
    }
  }

  private func listeners(for kind: LifecycleEvent.Kind) -> [LifecycleListener] {
    let listeners = registry.modules.modules.flatMap(\.listeners).filter { $0.kind == kind }
    return kind.isReversed ? listeners.reversed() : listeners
  }

  private func deliver(
    _ event: LifecycleEvent, to listener: LifecycleListener, _ limit: Duration?
  ) async -> LifecycleEvent.Report.Entry {
    let module = listener.place.module
    let (failure, ownTime) = await OwnTime.measure(clock) { ownTime async -> (any Error)? in
      let context = context(of: module, doing: "\(module)'s listener for \(event.kind)", ownTime)
      let work = Task {
        guard let limit else {
          try await listener.run(event, context)
          return
        }
        try await DeadlineRace<Void>().run {
          try await listener.run(event, context)
        } against: { [clock] in
          try await clock.sleep(for: limit)
          throw ModuleError(.late(module: module, limit: limit))
        }
      }
      switch await work.result {
      case .success: return nil
      case .failure(let error): return error
      }
    }
    return LifecycleEvent.Report.Entry(
      module: module, place: listener.place, ownTime: ownTime, failure: failure)
  }
}

/// Serializes the delivery of life-cycle events in the order of the calls.
final class DeliveryQueue: Sendable {
  private struct State {
    var isBusy = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The queues whose event the current task is handling.
  // A task-local value, because a listener delivers an event through the mediator, which has no context.
  @TaskLocal static var entered: Set<ObjectIdentifier> = []

  private let state = Mutex(State())

  /// Runs work after all earlier work has finished; nested work runs at once, because it would wait for
  /// itself.
  func run<T>(_ work: () async -> T) async -> T {
    let id = ObjectIdentifier(self)
    if Self.entered.contains(id) { return await work() }
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isBusy { state.waiting.append(continuation) }
        defer { state.isBusy = true }
        return !state.isBusy
      }
      if isFree { continuation.resume() }
    }
    let result = await Self.$entered.withValue(Self.entered.union([id])) { await work() }
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.isBusy = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
    return result
  }
}

public import Mediation
import Synchronization

/// An observer that records events and lets a test wait for them.
public final class RouteEventRecorder: RouteObserver {
  private struct Watcher {
    let matches: @Sendable (String) -> Bool
    let continuation: CheckedContinuation<String, Never>
  }

  private struct State {
    var events: [RouteEvent] = []
    var moduleEvents: [ModuleEvent] = []
    var lines: [String] = []
    var watchers: [Watcher] = []
  }

  private let state = Mutex(State())

  /// Creates a recorder without events.
  public init() {}

  /// The events of calls, in order.
  public var events: [RouteEvent] { state.withLock { $0.events } }

  /// The events of modules, in order.
  package var moduleEvents: [ModuleEvent] { state.withLock { $0.moduleEvents } }

  /// All events in order, one line each: `opened HomeRoute`, `failed HomeRoute: …`, `loaded Homes.Store`.
  public var lines: [String] { state.withLock { $0.lines } }

  /// Removes all recorded events.
  package func clear() {
    state.withLock { state in
      state.events = []
      state.moduleEvents = []
      state.lines = []
    }
  }

  /// Waits for the first line, past or future, that satisfies the condition.
  ///
  /// Waits forever if there is none, so give the test a time limit.
  @discardableResult
  public func line(where matches: @escaping @Sendable (String) -> Bool) async -> String {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state in
        let line = state.lines.first(where: matches)
        if line == nil { state.watchers.append(Watcher(matches: matches, continuation: continuation)) }
        return line
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Records an event of a call.
  public func observe(_ event: RouteEvent) {
    add(event.line) { $0.events.append(event) }
  }

  /// Records an event of a module.
  public func observe(_ event: ModuleEvent) {
    add(event.line) { $0.moduleEvents.append(event) }
  }

  private func add(_ line: String, _ keep: (inout sending State) -> Void) {
    let watchers = state.withLock { state in
      keep(&state)
      state.lines.append(line)
      let fitting = state.watchers.filter { $0.matches(line) }
      state.watchers.removeAll { $0.matches(line) }
      return fitting
    }
    for watcher in watchers { watcher.continuation.resume(returning: line) }
  }
}

extension RouteEvent {
  /// The event in one line, without times and memory addresses.
  ///
  /// Not an exhaustive switch, so that an event that is unknown here still gets a line.
  var line: String {
    if case .opened(let summary, let origin, let opener) = self {
      let by = opener.map { " by \($0)" } ?? ""
      return "opened \(summary.name)\(origin.isExternal ? " from outside" : "")\(by)"
    }
    if case .answered(let summary) = self { return "answered \(summary.name)" }
    if case .verdict(let verdict, let guardID, let summary) = self {
      return "guard \(guardID) on \(summary.name): \(verdict)"
    }
    if case .fellBack(let url, _, let error) = self { return "fell back \(url): \(error)" }
    if case .failed(let url, let name, _, let error) = self {
      return "failed \(name ?? url ?? "-"): \(error)"
    }
    return "\(self)"
  }
}

extension ModuleEvent {
  /// The event in one line, without times.
  var line: String {
    switch self {
    case .delivered(let event, let entry):
      "\(event.kind) delivered to \(entry.module)\(entry.failure.map { ": \($0)" } ?? "")"
    case .loaded(let name, _, _): "loaded \(name)"
    case .loadFailed(let name, _, let error, _): "failed to load \(name): \(error)"
    case .released(let name): "released \(name)"
    }
  }
}

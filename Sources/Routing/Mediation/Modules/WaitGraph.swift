import Synchronization

/// Records which of a mediator's loads wait for which, and refuses a wait that would close a cycle, because
/// it would never end.
final class WaitGraph: Sendable {
  /// The load that a task is part of.
  struct EnclosingLoad: Sendable {
    /// The graph that issued the number; numbers of another mediator do not count.
    let owner: ObjectIdentifier
    let load: Int
  }

  private struct Wait {
    let waiting: Int
    let awaited: Int
  }

  private struct State {
    var lastNumber = 0
    var loads: [Int: (name: String, declaration: Int)] = [:]
    var waits: [Int: Wait] = [:]

    /// Returns a path along the waits from one load to another, both included, or nil.
    func path(from start: Int, to goal: Int) -> [Int]? {
      var previous: [Int: Int] = [start: start]
      var open = [start]
      while let current = open.popLast() {
        if current == goal {
          var path = [goal]
          while let last = path.last, last != start, let before = previous[last] { path.append(before) }
          return path.reversed()
        }
        for wait in waits.values where wait.waiting == current && previous[wait.awaited] == nil {
          previous[wait.awaited] = current
          open.append(wait.awaited)
        }
      }
      return nil
    }

    func names(_ path: [Int]) -> [String] { path.map { loads[$0]?.name ?? "?" } }
  }

  // A task-local value, because it must be known for calls that the loading code makes without its context
  // as well: a cycle that is not noticed never ends.
  @TaskLocal static var enclosing: EnclosingLoad?

  private let state = Mutex(State())

  /// The load that the current task is part of, if it belongs to this graph.
  var current: Int? {
    guard let enclosing = Self.enclosing, enclosing.owner == ObjectIdentifier(self) else { return nil }
    return enclosing.load
  }

  /// Returns a number that no load and no waiter has had.
  func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// Begins a load on behalf of a waiter, and returns the names on the cycle that this would close, or nil.
  ///
  /// A load that begins has no waits of its own yet. But if a load of the same declaration waits for the load
  /// in which this one begins, this one would do the same, and so on forever.
  func begin(
    _ load: Int, _ name: String, of declaration: Int, for waiter: Int, in waiting: Int?
  ) -> [String]? {
    state.withLock { state in
      if let waiting {
        for (other, known) in state.loads where known.declaration == declaration {
          if let path = state.path(from: other, to: waiting) { return state.names(path) + [name] }
        }
        state.waits[waiter] = Wait(waiting: waiting, awaited: load)
      }
      state.loads[load] = (name, declaration)
      return nil
    }
  }

  /// Removes a load and its waiters.
  func end(_ load: Int) {
    state.withLock { state in
      state.loads[load] = nil
      state.waits = state.waits.filter { $0.value.awaited != load }
    }
  }

  /// Records that a waiter in one load waits for another, and returns the names on the cycle that this would
  /// close, or nil.
  func wait(_ waiter: Int, in waiting: Int?, for awaited: Int) -> [String]? {
    guard let waiting else { return nil }
    return state.withLock { state in
      if let cycle = state.path(from: awaited, to: waiting) {
        let names = state.names(cycle)
        return names + names.prefix(1)
      }
      state.waits[waiter] = Wait(waiting: waiting, awaited: awaited)
      return nil
    }
  }

  /// Removes a waiter that has left.
  func leave(_ waiter: Int) { state.withLock { $0.waits[waiter] = nil } }

  /// Runs work as part of a load.
  func run<T>(in load: Int, _ work: () -> T) -> T {
    Self.$enclosing.withValue(EnclosingLoad(owner: ObjectIdentifier(self), load: load), operation: work)
  }
}

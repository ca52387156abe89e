import Synchronization

/// Which loads of a mediator wait for which: a wait that would close a circle is refused instead of lasting for ever.
final class WaitGraph: Sendable {
  /// The load that a task is part of.
  struct Place: Sendable {
    /// Whose load it is: another mediator's numbers mean nothing here.
    let owner: ObjectIdentifier
    let load: Int
  }

  private struct Wait {
    let waiting: Int
    let awaited: Int
  }

  private struct State {
    var lastNumber = 0
    var names: [Int: String] = [:]
    var waits: [Int: Wait] = [:]

    /// The way along waits from one load to another, both included, or nil.
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
  }

  @TaskLocal static var place: Place?

  private let state = Mutex(State())

  /// The load that the current task is part of, if it is one of these.
  var current: Int? {
    guard let place = Self.place, place.owner == ObjectIdentifier(self) else { return nil }
    return place.load
  }

  /// A number that no load and no waiter has had.
  func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// Begins a load.
  func begin(_ load: Int, _ name: String) { state.withLock { $0.names[load] = name } }

  /// Forgets a load and who waited for it.
  func end(_ load: Int) {
    state.withLock { state in
      state.names[load] = nil
      state.waits = state.waits.filter { $0.value.awaited != load }
    }
  }

  /// Notes that a waiter in one load waits for another; the names on the circle that this would close, or nil.
  func wait(_ waiter: Int, in waiting: Int?, for awaited: Int) -> [String]? {
    guard let waiting else { return nil }
    return state.withLock { state in
      if let circle = state.path(from: awaited, to: waiting) {
        let names = circle.map { state.names[$0] ?? "?" }
        return names + names.prefix(1)
      }
      state.waits[waiter] = Wait(waiting: waiting, awaited: awaited)
      return nil
    }
  }

  /// Forgets a waiter that has left.
  func leave(_ waiter: Int) { state.withLock { $0.waits[waiter] = nil } }

  /// Runs work as a part of a load.
  func place<T>(in load: Int, _ work: () -> T) -> T {
    Self.$place.withValue(Place(owner: ObjectIdentifier(self), load: load), operation: work)
  }
}

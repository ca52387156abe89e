import Interception
import Synchronization

/// Numbers that stand for the values of custom context keys, so that keys can be compared under a lock.
///
/// The values have comparisons and ends of their own, which are the code of others, and may ask the loader.
/// Only those that were used last are remembered: requests with others get a new number, and share nothing
/// with earlier ones.
final class ContextNumbers: Sendable {
  private struct Entry {
    let number: UInt64
    let context: RequestContext
  }

  private struct State {
    /// The one that was used last is the last one.
    var entries: [Entry] = []
    var lastNumber: UInt64 = 0

    /// Adds a context, unless there are others than those that it was compared with.
    mutating func step(_ context: RequestContext, after compared: UInt64) -> Step {
      let others = entries.filter { $0.number > compared }
      guard others.isEmpty else { return .others(others) }
      lastNumber += 1
      entries.append(Entry(number: lastNumber, context: context))
      let dropped = Array(entries.prefix(max(0, entries.count - ContextNumbers.limit)))
      entries.removeFirst(dropped.count)
      return .added(lastNumber, dropped: dropped)
    }

    mutating func use(_ number: UInt64) {
      guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
      entries.append(entries.remove(at: index))
    }
  }

  private enum Step {
    case added(UInt64, dropped: [Entry])
    /// Others were added meanwhile.
    case others([Entry])
  }

  /// The maximum number of different contexts that are remembered.
  static let limit = 100

  private let state = Mutex(State())

  /// The number of contexts that are remembered.
  var count: Int { state.withLock { $0.entries.count } }

  /// Returns the number of a context's custom values; 0 if it has none.
  func number(of context: RequestContext) -> UInt64 {
    guard context.hasCustomValues else { return 0 }
    var compared: UInt64 = 0
    // Each repetition is one for contexts that were added meanwhile, and compares only those.
    while true {
      switch state.withLock({ $0.step(context, after: compared) }) {
      case .added(let number, let dropped):
        withExtendedLifetime(dropped) {}
        return number
      case .others(let others):
        for other in others.reversed() where other.context.hasSameCustomValues(as: context) {
          state.withLock { $0.use(other.number) }
          return other.number
        }
        compared = others.reduce(compared) { max($0, $1.number) }
      }
    }
  }

  /// Forgets the contexts, whose numbers are not used again.
  func removeAll() {
    let dropped = state.withLock { state in
      defer { state.entries = [] }
      return state.entries
    }
    withExtendedLifetime(dropped) {}
  }
}

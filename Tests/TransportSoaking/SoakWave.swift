import Synchronization

/// The next request's number and the outcomes so far, shared by the callers of one wave.
final class SoakWave: Sendable {
  private let next: Atomic<Int>
  private let end: Int
  private let tally: Mutex<SoakTally>
  let living = SoakSource.Living()
  let streams = WeakStreams()

  init(_ range: Range<Int>) {
    next = Atomic(range.lowerBound)
    end = range.upperBound
    tally = Mutex(SoakTally(range))
  }

  /// Returns the next request's number; nil if there is none.
  func take() -> Int? {
    let number = next.add(1, ordering: .relaxed).oldValue
    return number < end ? number : nil
  }

  func note(_ number: Int, _ outcome: SoakCall.Outcome, fault: String?) {
    tally.withLock { $0.note(number, outcome, fault: fault) }
  }

  var result: SoakTally { tally.withLock { $0 } }
}

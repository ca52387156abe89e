import Synchronization

/// Counts how often the interceptors of one call have called `next`.
///
/// Each run of an interceptor has a number, because an outer interceptor may repeat it, also concurrently.
/// The first 64 runs are counted in bits, without an allocation.
struct NextCallCounts: ~Copyable, Sendable {
  private let runs = Atomic(0)
  private let called = Atomic<UInt64>(0)
  private let calledAgain = Atomic<UInt64>(0)
  private let laterRuns = Mutex<[Int: Int]>([:])

  /// Returns the number of a run that starts now, from 0.
  func startRun() -> Int { runs.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// Counts a call, and returns the number of calls of the run, of which 2 stands for any more.
  @inline(__always)
  func add(to run: Int) -> Int {
    guard run < UInt64.bitWidth else { return addLater(to: run) }
    let bit = Self.bit(run)
    guard called.bitwiseOr(bit, ordering: .relaxed).oldValue & bit != 0 else { return 1 }
    calledAgain.bitwiseOr(bit, ordering: .relaxed)
    return 2
  }

  /// Returns the number of calls of a run, of which 2 stands for any more.
  @inline(__always)
  func count(of run: Int) -> Int {
    guard run < UInt64.bitWidth else { return countLater(of: run) }
    let bit = Self.bit(run)
    guard called.load(ordering: .relaxed) & bit != 0 else { return 0 }
    return calledAgain.load(ordering: .relaxed) & bit == 0 ? 1 : 2
  }

  @inline(never)
  private func addLater(to run: Int) -> Int {
    laterRuns.withLock { counts in
      let count = min((counts[run] ?? 0) + 1, 2)
      counts[run] = count
      return count
    }
  }

  @inline(never)
  private func countLater(of run: Int) -> Int { laterRuns.withLock { $0[run] ?? 0 } }

  private static func bit(_ run: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: run) }
}

extension InterceptorTraits.NextCalls {
  /// What is wrong with a number of calls of `next` by the time of the response, and the remedy; nil if it is
  /// declared.
  func fault(after calls: Int) -> String? {
    switch (self, calls) {
    case (.anyNumber, _), (_, 1), (.atMostOnce, 0): nil
    case (_, 0):
      "responds without calling next, but its traits declare callsNext: .\(self); declare .atMostOnce, or call "
        + "next."
    default:
      "calls next again, but its traits declare callsNext: .\(self); declare .anyNumber, or call next once."
    }
  }
}

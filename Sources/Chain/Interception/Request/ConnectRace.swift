import Synchronization

/// A race of several attempts to connect for one request, of which only the first one to be connected sends
/// it.
///
/// An interceptor dispatches copies of a request with different targets and an ``Entry`` each. A dispatcher
/// with ``DispatcherCapabilities/connectRacing`` claims the race when an entry's connection is ready, before
/// it opens the body or sends a byte. An entry that comes later fails with ``Overtaken``, so the request is
/// sent at most once, and its body is read at most once.
package final class ConnectRace: Sendable {
  /// One attempt to connect.
  package struct Entry: Sendable {
    package let race: ConnectRace
    /// The number of the attempt, counted from 0.
    package let number: Int

    /// Returns whether this entry sends the request: it is the first one to claim it, or has claimed it
    /// before.
    package func claim() -> Bool { race.claim(for: number) }
  }

  /// The error underlying that of an entry that was connected after another one.
  package struct Overtaken: Error {
    package init() {}
  }

  private static let unclaimed = -1
  private let holder = Atomic(unclaimed)
  private let isStarted = Atomic(false)
  private let standsAside = Atomic(false)

  package init() {}

  /// Returns the entry with a number.
  package func entry(_ number: Int) -> Entry { Entry(race: self, number: number) }

  /// The number of the entry that sends the request; nil until one is connected.
  package var winner: Int? {
    let holder = holder.load(ordering: .acquiring)
    return holder == Self.unclaimed ? nil : holder
  }

  /// Whether an entry has begun to connect; false while all wait in the dispatcher's queue.
  package var isConnecting: Bool { isStarted.load(ordering: .relaxed) }

  /// Whether the dispatcher ignores the entries' targets, because a proxy connects to the host.
  package var isProxied: Bool { standsAside.load(ordering: .relaxed) }

  /// Records that an entry begins to connect.
  package func noteConnecting() { isStarted.store(true, ordering: .relaxed) }

  /// Records that the entries' targets are ignored.
  package func standAside() { standsAside.store(true, ordering: .relaxed) }

  private func claim(for number: Int) -> Bool {
    let (isFirst, holder) = holder.compareExchange(
      expected: Self.unclaimed, desired: number, ordering: .acquiringAndReleasing)
    return isFirst || holder == number
  }
}

public import Interception
import Synchronization

/// Keeps the table of a bypass up to date with a list that a server sends, and stores it between starts.
///
/// The stored list is used at once at the start. A new one is fetched if 24 h have passed since the last
/// success, when no address of a host can be reached, and after a change of the network. A list is verified
/// and checked before it is used: it must have a host, at most 64 addresses for
/// each, and none that isn't public, and it must not be older than the list in use or than 30 days. After a
/// failure the list in use remains, and the next attempt waits for a minute, later for up to an hour.
///
/// Use it if addresses change more often than the app is updated. Don't fetch the list from a host that can
/// only be reached through it.
///
/// ```swift
/// let lists = AddressListRefresher(
///   bypass, file: "/var/lib/estate/addresses",
///   verify: { signed in try listKey.content(of: signed) },  // throws if the signature isn't valid
///   onReport: { print($0) }
/// ) {
///   let response = try await pipeline.send(Request(authority: "lists.estate.example", path: "/addresses"))
///   return try await response.body.collect(upTo: 65_536)
/// }
/// lists.start()
/// ```
///
/// A list is a text with a line for each host and its addresses, separated by spaces:
///
/// ```
/// issued 1764000000
/// api.estate.example 203.0.113.7 [2001:db8::7]:8443
/// ```
///
/// The line `issued` with the seconds since 1970 is optional. Without it, an attacker can replay an earlier
/// list with its valid signature. Empty lines and lines that begin with `#` are ignored. A server's list in
/// another form is written as this text by `verify`.
///
/// The bytes that are fetched are stored as they are, and verified again after a restart. A signature that
/// covers a request's nonce, as that of `ResponseVerifyingInterceptor`, can't be verified again: a
/// program that can write to the app's files could then replace the list. Certificates are still verified.
public final class AddressListRefresher: Sendable {
  /// The maximum length of a list in bytes, 4 MiB.
  package static let maximumSize = 4 << 20
  /// The maximum time for an attempt.
  static let attemptLimit = Duration.seconds(60)
  /// How far ahead of the clock a list may have been issued.
  static let toleratedSkew = Duration.seconds(86_400)
  /// The maximum age of a list that begins to be used: an old list with its valid signature could lead to
  /// addresses that others have by now.
  static let maximumAge = Duration.seconds(30 * 86_400)

  private let work: RefreshWork
  private let running = Mutex(StartedWork<Task<Void, Never>>())

  /// Creates a refresher, which does nothing before ``start()``.
  ///
  /// - Parameters:
  ///   - bypass: The bypass whose table is replaced.
  ///   - path: The path of the file with the list, in a folder that exists; nil stores nothing. Only one
  ///     refresher may use it at a time.
  ///   - interval: The time after a success until the list is fetched again; 24 h, at least a minute.
  ///   - ranges: Ranges that are allowed in addition to public addresses.
  ///   - time: The clocks of the schedule.
  ///   - random: The source of the random part of waits.
  ///   - verify: Verifies the signature of the bytes and returns the list in them; throws if the signature
  ///     isn't valid.
  ///   - onReport: Receives what was done, on any thread.
  ///   - fetch: Fetches the signed bytes; it is cancelled after 60 s.
  public convenience init(
    _ bypass: DNSBypassInterceptor, file path: String?, every interval: Duration = .seconds(86_400),
    allowing ranges: Set<SpecialAddressRange> = [], time: TimeSource = .system,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    verify: @escaping @Sendable (_ signed: [UInt8]) throws -> [UInt8],
    onReport: @escaping @Sendable (AddressListReport) -> Void = { _ in },
    fetch: @escaping @Sendable () async throws -> [UInt8]
  ) {
    self.init(
      bypass, file: path, every: interval, allowing: ranges, time: time, random: random, verify: verify,
      decode: { try AddressList(text: $0) }, onReport: onReport, fetch: fetch)
  }

  /// Creates a refresher that decodes lists itself, which does nothing before ``start()``.
  package init(
    _ bypass: DNSBypassInterceptor, file path: String?, every interval: Duration = .seconds(86_400),
    allowing ranges: Set<SpecialAddressRange> = [], time: TimeSource = .system,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    verify: @escaping @Sendable (_ signed: [UInt8]) throws -> [UInt8],
    decode: @escaping @Sendable (_ list: [UInt8]) throws -> AddressList,
    onReport: @escaping @Sendable (AddressListReport) -> Void = { _ in },
    fetch: @escaping @Sendable () async throws -> [UInt8]
  ) {
    work = RefreshWork(
      bypass: bypass, file: path.map { WholeFile(path: $0) }, interval: interval, ranges: ranges, time: time,
      random: random, verify: verify, decode: decode, onReport: onReport, fetch: fetch)
  }

  deinit { stop() }

  /// Uses the stored list, if there is one, and starts to refresh it in the background; has no effect if the
  /// refresher runs.
  ///
  /// The file is read before this returns, so that the next request uses the list.
  public func start() {
    guard let number = running.withLock({ $0.begin() }) else { return }
    // Not under the lock, because the app's closures are called.
    let wakes = work.begin(number)
    let isCurrent = running.withLock { running in
      // Before the task, which would otherwise follow a stream that was ended.
      guard running.isCurrent(number) else { return false }
      return running.install(Task { [work] in await work.follow(wakes, as: number) }, of: number)
    }
    if !isCurrent { work.end(number) }
  }

  /// Stops to refresh; the list in use remains.
  public func stop() {
    guard let ended = running.withLock({ $0.end() }) else { return }
    ended.work?.cancel()
    work.end(ended.number)
  }

  /// Fetches the list soon, because the network has changed.
  ///
  /// Call it after a change that was debounced, such as those of a `NetworkMonitor`.
  public func networkDidChange() { work.note { $0.noteNetworkChange() } }
}

/// Decides when a list is fetched; a pure value, with the times as parameters.
///
/// A list is fetched when an interval has passed since the last success, and at once when the network has
/// changed or no address of a host can be reached, but at least 30 s after the previous attempt. After a
/// failure the next attempt waits one minute, doubling up to an hour, less up to a quarter at random; a
/// change of the network ends that wait.
struct RefreshSchedule: Sendable {
  /// What to do next.
  enum Action: Hashable {
    /// Wait for an attempt to end.
    case none
    /// Fetch the list, and then call ``didSucceed(at:wall:)`` or ``didFail(at:random:)``.
    case fetch
    /// Ask again after a time.
    case wait(Duration)
  }

  static let gap = Duration.seconds(30)
  static let firstBackOff = Duration.seconds(60)
  static let maximumBackOff = Duration.seconds(3_600)

  private let interval: Duration
  private var lastSuccess: WallTime?
  private var isFetching = false
  private var isWanted = false
  private var failures = 0
  /// The earliest time of the next attempt.
  private var earliest: Duration?
  /// The time before which even a change of the network leads to no attempt.
  private var gapEnd: Duration?

  /// Creates a schedule.
  ///
  /// - Parameters:
  ///   - interval: The time between two successes, at least a minute.
  ///   - lastSuccess: When the stored list was fetched; nil without one.
  init(every interval: Duration, lastSuccess: WallTime?) {
    self.interval = max(interval, .seconds(60))
    self.lastSuccess = lastSuccess
  }

  /// Returns what to do; after ``Action/fetch``, an attempt is in progress.
  mutating func next(at now: Duration, wall: WallTime) -> Action {
    guard !isFetching else { return .none }
    let delay = max(isWanted ? .zero : untilDue(wall), (earliest ?? now) - now)
    guard delay <= .zero else {
      // The wall clock may be set meanwhile.
      return .wait(min(delay, .seconds(3_600)))
    }
    (isFetching, isWanted) = (true, false)
    return .fetch
  }

  /// Notes that no address of a host can be reached.
  mutating func noteExhaustion() { isWanted = true }

  /// Notes a change of the network.
  mutating func noteNetworkChange() {
    isWanted = true
    failures = 0
    earliest = gapEnd
  }

  /// Ends an attempt that has brought a list.
  mutating func didSucceed(at now: Duration, wall: WallTime) {
    isFetching = false
    failures = 0
    lastSuccess = wall
    (earliest, gapEnd) = (now + Self.gap, now + Self.gap)
  }

  /// Ends an attempt that has failed.
  ///
  /// - Parameter random: A random number from 0 to 1.
  mutating func didFail(at now: Duration, random: Double) {
    isFetching = false
    failures += 1
    gapEnd = now + Self.gap
    let backOff = min(Self.firstBackOff * (1 << min(failures - 1, 6)), Self.maximumBackOff)
    earliest = now + backOff * (1 - 0.25 * random)
  }

  private func untilDue(_ wall: WallTime) -> Duration {
    // A success in the future means that the clock was set back.
    guard let lastSuccess, lastSuccess <= wall else { return .zero }
    return max(.zero, interval - lastSuccess.duration(to: wall))
  }
}

/// Tells a refresher that no address of a host can be reached.
final class ExhaustionSignal: Sendable {
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets what is called; nil for nothing.
  func setHandler(_ handler: (@Sendable () -> Void)?) { self.handler.withLock { $0 = handler } }

  /// Calls the handler, if there is one.
  func send() { handler.withLock { $0 }?() }
}

import HTTPTypes
import Interception

/// The token in use, and whether it is being refreshed.
///
/// A pure value: it decides what a request does, and the caller starts tasks and resumes requests. At most
/// one refresh, a flight, is in progress.
struct TokenState: Sendable {
  /// A point in time by both clocks: tokens expire by the wall clock, and refreshes are counted by the
  /// monotonic one.
  struct Instant: Sendable {
    let wall: WallTime
    let elapsed: Duration
  }

  /// A refresh that is to be started.
  struct Flight: Sendable, Hashable {
    let number: UInt64
    let replaced: AccessToken?
  }

  /// What a request does.
  enum Decision: Sendable, Hashable {
    /// It sends the credentials.
    case send(Credentials)
    /// It sends the credentials, and starts a refresh in the background.
    case sendAndRefresh(Credentials, Flight)
    /// It starts a refresh, and waits for it.
    case refresh(Flight)
    /// It waits for the refresh in progress.
    case wait
    /// It fails with the error of the latest refresh, because it is too early for another one.
    case failAgain
    /// It fails, because only a login gives new credentials.
    case needsLogin
    /// It fails, because the token is now that of another login.
    case tokenReplaced
  }

  /// Why a flight ended without a token.
  enum FlightFailure: Sendable, Hashable {
    case needsLogin
    /// There was no network, so the source wasn't asked.
    case offline
    case other
  }

  /// The number of refreshes in `limitWindow` after which a refusal is returned, not answered with a refresh,
  /// and a token is sent although it has expired.
  ///
  /// It stops the loop with a server that refuses each new token, or whose tokens expire at once, however
  /// many requests an app sends.
  static let limit = 5
  static let limitWindow = Duration.seconds(30)
  /// How long no refresh is started after a failed one; the time doubles with each failure up to the limit.
  static let firstPause = Duration.seconds(1)
  static let pauseLimit = Duration.seconds(30)
  /// The number of earlier credentials that are kept.
  static let earlierLimit = 8

  private let leeway: Duration
  private let canRefresh: Bool
  private(set) var token: AccessToken?
  private(set) var credentials: Credentials?
  /// Whether the source has reported that only a login gives a new token.
  private(set) var needsLogin = false
  private(set) var flight: Flight?
  /// Earlier credentials of the same login, the latest last, for requests that are refused late.
  private var earlier: [Credentials] = []
  /// Whether a server refused the token.
  private var isRefused = false
  /// From when a refresh is started in the background.
  private var refreshTime: WallTime?
  private var lastFlight: UInt64 = 0
  /// The refreshes that have failed one after another.
  private var failures: (count: Int, pauseEnd: Duration)?
  /// When the latest refreshes were started.
  private var starts: [Duration] = []

  init(_ token: AccessToken?, leeway: Duration, canRefresh: Bool, at now: WallTime) {
    self.leeway = max(leeway, .zero)
    self.canRefresh = canRefresh
    if let token { adopt(token, at: now) }
  }

  /// The credentials, if a request can send them without any change of state.
  func validCredentials(at now: @autoclosure () -> WallTime) -> Credentials? {
    guard !isRefused, let credentials else { return nil }
    guard let refreshTime else { return credentials }
    return now() < refreshTime ? credentials : nil
  }

  /// Decides what a request does before it is sent.
  mutating func decide(at now: Instant) -> Decision {
    guard canRefresh else { return credentials.map { .send($0) } ?? .needsLogin }
    if let credentials, isUsable(at: now.wall) {
      let isEarly = refreshTime.map { now.wall < $0 } ?? true
      guard !isEarly, flight == nil, !needsLogin, !isPausing(at: now.elapsed),
        isWithinLimit(at: now.elapsed)
      else {
        return .send(credentials)
      }
      return .sendAndRefresh(credentials, start(at: now.elapsed))
    }
    if flight != nil { return .wait }
    if needsLogin { return .needsLogin }
    if isPausing(at: now.elapsed) { return .failAgain }
    // A source whose tokens expire at once must not be asked for each request; the server may accept them.
    if !isRefused, let credentials, !isWithinLimit(at: now.elapsed) { return .send(credentials) }
    return .refresh(start(at: now.elapsed))
  }

  /// Whether a request that was refused with `sent` is to be sent again.
  ///
  /// It isn't if it had the token of another login: it must not be repeated on behalf of another account.
  func canRenew(after sent: Credentials?, at now: Duration) -> Bool {
    guard let sent, let credentials else { return false }
    if credentials != sent { return earlier.contains(sent) }
    return canRefresh && (flight != nil || needsLogin || isWithinLimit(at: now))
  }

  /// Decides what a request does that was refused with `sent`.
  mutating func decide(after sent: Credentials?, at now: Instant) -> Decision {
    guard let sent, let credentials, credentials == sent || earlier.contains(sent) else {
      return .tokenReplaced
    }
    // If the token has been replaced since, the refusal doesn't concern the new one.
    if canRefresh, credentials == sent { isRefused = true }
    return decide(at: now)
  }

  /// Ends a flight with a token and returns its credentials; nil if the flight was superseded.
  mutating func finish(_ number: UInt64, with token: AccessToken, at now: WallTime) -> Credentials? {
    guard flight?.number == number else { return nil }
    flight = nil
    if let credentials { earlier = earlier.suffix(Self.earlierLimit - 1) + [credentials] }
    return adopt(token, at: now)
  }

  /// Ends a flight without a token; returns false if it was superseded.
  mutating func fail(_ number: UInt64, _ failure: FlightFailure, at now: Duration) -> Bool {
    guard flight?.number == number else { return false }
    flight = nil
    needsLogin = failure == .needsLogin
    // The source wasn't asked.
    if failure == .offline { _ = starts.popLast() }
    guard failure == .other else { return true }
    let count = (failures?.count ?? 0) + 1
    let pause = min(Self.firstPause * (1 << min(count - 1, 5)), Self.pauseLimit)
    failures = (count, now + pause)
    return true
  }

  private func isPausing(at now: Duration) -> Bool { failures.map { now < $0.pauseEnd } ?? false }

  /// Sets or removes the token; a refresh in progress is superseded.
  ///
  /// - Returns: The credentials with which its waiting requests continue; nil if they belong to another
  ///   login.
  mutating func replace(with token: AccessToken?, at now: WallTime) -> Credentials? {
    let wasLoggedIn = self.token != nil
    (flight, starts, earlier, failures) = (nil, [], [], nil)
    if let token {
      let credentials = adopt(token, at: now)
      return wasLoggedIn ? nil : credentials
    }
    (self.token, credentials, refreshTime) = (nil, nil, nil)
    (isRefused, needsLogin) = (false, false)
    return nil
  }

  @discardableResult
  private mutating func adopt(_ token: AccessToken, at now: WallTime) -> Credentials {
    let credentials = Credentials(field: HTTPField(name: .authorization, value: "Bearer \(token.value)"))
    self.token = token
    self.credentials = credentials
    (isRefused, needsLogin, failures) = (false, false, nil)
    refreshTime = token.expiry.map { expiry in
      // A token that is valid for less than two leeways is used for half of its time.
      let remaining = max(now.duration(to: expiry), .zero)
      return expiry.advanced(by: .zero - min(leeway, remaining / 2))
    }
    return credentials
  }

  private func isUsable(at now: WallTime) -> Bool {
    guard !isRefused, token != nil else { return false }
    return token?.expiry.map { now < $0 } ?? true
  }

  private mutating func start(at now: Duration) -> Flight {
    lastFlight += 1
    starts = starts.suffix(Self.limit - 1) + [now]
    let flight = Flight(number: lastFlight, replaced: token)
    self.flight = flight
    return flight
  }

  private func isWithinLimit(at now: Duration) -> Bool {
    starts.count < Self.limit || (starts.first.map { now - $0 >= Self.limitWindow } ?? true)
  }
}

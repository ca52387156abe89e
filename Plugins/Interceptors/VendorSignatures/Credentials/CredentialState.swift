import Interception

/// Decides whether a request uses the current credentials, obtains new ones, or waits for another request
/// that does.
struct CredentialState: Sendable {
  /// What a request does for its credentials.
  enum Decision: Sendable {
    /// It signs with these.
    case use(VendorCredentials)
    /// It obtains new credentials.
    case refresh(replacing: VendorCredentials?)
    /// It waits for the request that obtains new credentials.
    case wait
  }

  /// The maximum time between a refresh and the expiry of the previous credentials.
  static let leeway: Duration = .seconds(300)
  /// The time after a failed refresh during which valid credentials are used without another attempt.
  static let pause: Duration = .seconds(10)

  private(set) var current: VendorCredentials?
  private var refreshTime: WallTime?
  private var isRefreshing = false

  /// Decides for a request; after `refresh` the caller must report ``finish(with:at:)``, ``fail(at:)`` or
  /// ``abandon()``.
  mutating func decide(at now: WallTime) -> Decision {
    if let current, isValid(current, at: now) {
      guard !isRefreshing, let refreshTime, now >= refreshTime else { return .use(current) }
      isRefreshing = true
      return .refresh(replacing: current)
    }
    guard !isRefreshing else { return .wait }
    isRefreshing = true
    return .refresh(replacing: current)
  }

  /// Returns what ``decide(at:)`` would decide, without a change.
  func peek(at now: WallTime) -> Decision {
    var copy = self
    return copy.decide(at: now)
  }

  /// Stores new credentials; returns false if they have expired.
  mutating func finish(with new: VendorCredentials, at now: WallTime) -> Bool {
    isRefreshing = false
    guard isValid(new, at: now) else { return false }
    current = new
    refreshTime = new.expires.map { expires in
      let lifetime = now.duration(to: expires)
      return expires.advanced(by: .zero - min(Self.leeway, lifetime / 2))
    }
    return true
  }

  /// Ends a failed refresh; returns the previous credentials if they are still valid.
  mutating func fail(at now: WallTime) -> VendorCredentials? {
    isRefreshing = false
    guard let current, isValid(current, at: now) else { return nil }
    refreshTime = now.advanced(by: Self.pause)
    return current
  }

  /// Ends a refresh whose request was cancelled; the next request starts another one.
  mutating func abandon() { isRefreshing = false }

  private func isValid(_ credentials: VendorCredentials, at now: WallTime) -> Bool {
    credentials.expires.map { now < $0 } ?? true
  }
}

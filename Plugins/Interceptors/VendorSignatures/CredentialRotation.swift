import Interception
import Synchronization

/// Supplies the current credentials of a source, as ``CredentialState`` decides.
///
/// A refresh runs in the task of the request that starts it. If that request is cancelled, one that waits
/// starts another one.
final class CredentialRotation: Sendable {
  private enum Turn: Sendable {
    case decideAgain
    case fail(any Error)
  }

  private struct Shared {
    var state = CredentialState()
    var waiters: [UInt64: ResultContinuation<Turn>] = [:]
    var lastWaiter: UInt64 = 0

    mutating func takeWaiters() -> [ResultContinuation<Turn>] {
      defer { waiters = [:] }
      return Array(waiters.values)
    }
  }

  private let source: any VendorCredentialSource
  private let time: TimeSource
  private let shared = Mutex(Shared())

  init(_ source: some VendorCredentialSource, time: TimeSource) {
    self.source = source
    self.time = time
  }

  /// The number of requests that wait for a refresh.
  var waiterCount: Int { shared.withLock { $0.waiters.count } }

  /// Returns valid credentials.
  func credentials() async throws -> VendorCredentials {
    while true {
      switch shared.withLock({ $0.state.decide(at: time.wallTime()) }) {
      case .use(let current): return current
      case .refresh(let previous): return try await refresh(replacing: previous)
      case .wait:
        if case .fail(let error) = try await turn() { throw error }
      }
    }
  }

  private func refresh(replacing previous: VendorCredentials?) async throws -> VendorCredentials {
    let result: Result<VendorCredentials, any Error>
    do { result = .success(try await source.credentials(replacing: previous)) } catch {
      result = .failure(error)
    }
    let now = time.wallTime()
    switch result {
    case .success(let new):
      let isValid = shared.withLock { $0.state.finish(with: new, at: now) }
      guard isValid else { return try end(with: VendorSignatureError.expiredCredentials, at: now) }
      resumeWaiters(.decideAgain)
      return new
    case .failure(let error) where Task.isCancelled:
      shared.withLock { $0.state.abandon() }
      resumeWaiters(.decideAgain)
      throw error
    case .failure(let error):
      return try end(with: Self.failure(error), at: now)
    }
  }

  /// Ends a failed refresh with the previous credentials, if they are still valid, or with an error for all
  /// requests that wait.
  private func end(with error: any Error, at now: WallTime) throws -> VendorCredentials {
    if let previous = shared.withLock({ $0.state.fail(at: now) }) {
      resumeWaiters(.decideAgain)
      return previous
    }
    resumeWaiters(.fail(error))
    throw error
  }

  private func turn() async throws(NetworkError) -> Turn {
    let id = shared.withLock { shared in
      shared.lastWaiter += 1
      return shared.lastWaiter
    }
    return try await waitForResult { continuation in
      let result: Result<Turn, NetworkError>? = shared.withLock { shared in
        // A cancellation before the lock is taken finds no waiter; it is noticed here.
        if Task.isCancelled { return .failure(Self.cancellation) }
        // The refresh may have ended since the decision to wait.
        guard case .wait = shared.state.peek(at: time.wallTime()) else { return .success(.decideAgain) }
        shared.waiters[id] = continuation
        return nil
      }
      if let result { continuation.resume(returning: result) }
    } onCancel: {
      let waiter = shared.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.resume(returning: .failure(Self.cancellation))
    }
  }

  private func resumeWaiters(_ turn: Turn) {
    for waiter in shared.withLock({ $0.takeWaiters() }) { waiter.resume(returning: .success(turn)) }
  }

  private static var cancellation: NetworkError {
    NetworkError(.cancelled(.task), "The request was cancelled while its credentials were obtained.")
  }

  /// Returns the error of requests for an error of the source, whose text may contain secrets and isn't
  /// quoted.
  private static func failure(_ error: any Error) -> any Error {
    if let known = error as? VendorSignatureError { return known }
    let reason = VendorSignatureError.sourceFailed.description
    guard let cause = error as? NetworkError else {
      return NetworkError(.rejected, reason, underlying: error)
    }
    // The facts of the source's request don't apply to the requests that wait.
    let kind = cause.kind == .cancelled(.task) ? .rejected : cause.kind
    return NetworkError(kind, reason, underlying: cause)
  }
}

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

import Interception
import Synchronization

/// Runs the refreshes that a ``TokenState`` decides on, and resumes the requests that wait for them.
///
/// A refresh belongs to no request: it continues if all of them are cancelled, because a server may already
/// have replaced the refresh token, and losing the new one would log the user out. Its time limit ends it.
final class TokenRefresher: Sendable {
  private struct Shared {
    var state: TokenState
    var identity: Request.Identity
    /// The error of the latest refresh that failed.
    var latestFailure: NetworkError?
    var waiters: [UInt64: ResultContinuation<Credentials>] = [:]
    var lastWaiter: UInt64 = 0
    /// The running refresh and its timer.
    var tasks: [Task<Void, Never>] = []

    mutating func takeWaiters() -> [ResultContinuation<Credentials>] {
      defer { waiters = [:] }
      return Array(waiters.values)
    }

    mutating func takeTasks() -> [Task<Void, Never>] {
      defer { tasks = [] }
      return tasks
    }
  }

  /// The number of unread events that a stream keeps.
  static let eventCapacity = 16

  let broadcast = Broadcast<AuthorizationEvent>(keeping: eventCapacity)
  private let source: (any TokenSource)?
  private let refreshLimit: Duration
  private let time: TimeSource
  private let shared: Mutex<Shared>

  init(
    _ token: AccessToken?, account: String? = nil, source: (any TokenSource)?, leeway: Duration,
    refreshLimit: Duration,
    time: TimeSource
  ) {
    self.source = source
    self.refreshLimit = max(refreshLimit, .milliseconds(1))
    self.time = time
    shared = Mutex(
      Shared(
        state: TokenState(token, leeway: leeway, canRefresh: source != nil, at: time.wallTime()),
        identity: Self.identity(of: account)))
  }

  private static func identity(of account: String?) -> Request.Identity {
    account.map { .account($0) } ?? .unnamed()
  }

  var token: AccessToken? { shared.withLock { $0.state.token } }
  /// The present login; a refresh doesn't change it.
  var identity: Request.Identity { shared.withLock { $0.identity } }
  var needsLogin: Bool { shared.withLock { $0.state.needsLogin } }
  /// The number of requests that wait for a refresh.
  var waiterCount: Int { shared.withLock { $0.waiters.count } }

  func events() -> AsyncStream<AuthorizationEvent> {
    // In one step, so that a login that becomes required is neither missed nor reported twice.
    let stream = shared.withLock { shared in
      broadcast.makeStream(startingWith: shared.state.needsLogin ? .needsLogin : nil)
    }
    broadcast.deliver()
    return stream
  }

  /// Returns the credentials of a token that needs no refresh, and its login; nil without such a token.
  func validCredentials() -> (credentials: Credentials, identity: Request.Identity)? {
    shared.withLock { shared in
      shared.state.validCredentials(at: time.wallTime()).map { ($0, shared.identity) }
    }
  }

  /// Returns the credentials for a request that is about to be sent.
  func credentials() async throws(NetworkError) -> Credentials {
    if let valid = validCredentials() { return valid.credentials }
    return try await result { state, now in state.decide(at: now) }
  }

  func canRenew(after sent: Credentials?) -> Bool {
    let now = time.now()
    return shared.withLock { $0.state.canRenew(after: sent, at: now) }
  }

  /// Returns the credentials for a request that was refused with `sent`.
  func renewedCredentials(after sent: Credentials?) async throws(NetworkError) -> Credentials {
    try await result { state, now in state.decide(after: sent, at: now) }
  }

  func replaceToken(with token: AccessToken?, account: String? = nil) {
    let now = time.wallTime()
    let (credentials, waiters, tasks) = shared.withLock { shared in
      // Nothing was sent for an unnamed login without a token, so its waiting requests are part of this one.
      let isFirst = shared.state.token == nil && token != nil && !shared.identity.isLasting
      shared.identity = isFirst ? shared.identity.named(account) : Self.identity(of: account)
      return (shared.state.replace(with: token, at: now), shared.takeWaiters(), shared.takeTasks())
    }
    for task in tasks { task.cancel() }
    for waiter in waiters {
      let failure = AuthorizationError(.tokenReplaced).networkError
      waiter.resume(returning: credentials.map { .success($0) } ?? .failure(failure))
    }
  }

  /// Follows a decision, which is made in one step with the registration of the waiting request.
  private func result(
    of decide: @Sendable (inout TokenState, TokenState.Instant) -> TokenState.Decision
  ) async throws(NetworkError) -> Credentials {
    let id = shared.withLock { shared in
      shared.lastWaiter += 1
      return shared.lastWaiter
    }
    let now = TokenState.Instant(wall: time.wallTime(), elapsed: time.now())
    return try await waitForResult { continuation in
      var latestFailure: NetworkError?
      let decision: TokenState.Decision? = shared.withLock { shared in
        // A cancellation before the lock is taken finds no waiter; it is noticed here.
        if Task.isCancelled { return nil }
        let decision = decide(&shared.state, now)
        latestFailure = shared.latestFailure
        switch decision {
        case .refresh, .wait: shared.waiters[id] = continuation
        case .send, .sendAndRefresh, .failAgain, .needsLogin, .tokenReplaced: break
        }
        return decision
      }
      switch decision {
      case nil: continuation.resume(returning: .failure(Self.cancellation))
      case .send(let credentials): continuation.resume(returning: .success(credentials))
      case .sendAndRefresh(let credentials, let flight):
        continuation.resume(returning: .success(credentials))
        start(flight)
      case .refresh(let flight): start(flight)
      case .wait: break
      case .failAgain:
        continuation.resume(
          returning: .failure(latestFailure ?? AuthorizationError(.needsLogin).networkError))
      case .needsLogin:
        // The error that required the login may name a remedy, such as a refresh token.
        let cause = latestFailure?.underlying(as: AuthorizationError.self) ?? .needsLogin
        continuation.resume(returning: .failure(cause.networkError))
      case .tokenReplaced:
        continuation.resume(returning: .failure(AuthorizationError(.tokenReplaced).networkError))
      }
    } onCancel: {
      let waiter = shared.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.resume(returning: .failure(Self.cancellation))
    }
  }

  private static var cancellation: NetworkError {
    NetworkError(.cancelled(.task), "The request was cancelled while its access token was refreshed.")
  }

  private func start(_ flight: TokenState.Flight) {
    guard let source else { return }
    // Requests of any priority wait for it, and the first one may be a prefetch.
    let work = Task(priority: .high) {
      do {
        // A login or the time limit may have ended the refresh before this task began.
        try Task.checkCancellation()
        finish(flight, with: .success(try await source.token(replacing: flight.replaced)))
      } catch {
        finish(flight, with: .failure(Self.failure(error)))
      }
    }
    // A task of its own, because a source may ignore its cancellation.
    let timer = Task {
      do { try await time.sleep(for: refreshLimit) } catch { return }
      let error = AuthorizationError(.refreshTimedOut(limit: refreshLimit))
      finish(flight, with: .failure(error.networkError))
    }
    let isRunning = shared.withLock { shared in
      guard shared.state.flight == flight else { return false }
      shared.tasks = [work, timer]
      return true
    }
    if !isRunning {
      work.cancel()
      timer.cancel()
    }
  }

  private func finish(_ flight: TokenState.Flight, with result: Result<AccessToken, NetworkError>) {
    let now = TokenState.Instant(wall: time.wallTime(), elapsed: time.now())
    let ending: (Result<Credentials, NetworkError>, Shared)? = shared.withLock { shared in
      let outcome: Result<Credentials, NetworkError>
      let event: AuthorizationEvent
      switch result {
      case .success(let token):
        guard let credentials = shared.state.finish(flight.number, with: token, at: now.wall) else {
          return nil
        }
        outcome = .success(credentials)
        event = .refreshed(token)
      case .failure(let error):
        guard shared.state.fail(flight.number, Self.kind(of: error), at: now.elapsed) else { return nil }
        shared.latestFailure = error
        outcome = .failure(error)
        event = error.kind == .needsLogin ? .needsLogin : .refreshFailed(error)
      }
      broadcast.post(event)
      let before = shared
      _ = shared.takeWaiters()
      _ = shared.takeTasks()
      return (outcome, before)
    }
    guard let (outcome, before) = ending else { return }
    for task in before.tasks { task.cancel() }
    broadcast.deliver()
    for waiter in before.waiters.values { waiter.resume(returning: outcome) }
  }

  private static func kind(of error: NetworkError) -> TokenState.FlightFailure {
    switch error.kind {
    case .needsLogin: .needsLogin
    case .offline: .offline
    default: .other
    }
  }

  /// Returns the error with which the waiting requests fail, for an error of the source.
  private static func failure(_ error: any Error) -> NetworkError {
    if error is CancellationError {
      return NetworkError(.rejected, "The token source cancelled itself.", underlying: error)
    }
    guard let cause = error as? NetworkError else {
      return AuthorizationError.networkError(for: error, from: "The token source")
    }
    // The facts of the token's request don't apply to the requests that wait.
    let kind = cause.kind == .cancelled(.task) ? .rejected : cause.kind
    return NetworkError(
      kind, "The access token could not be refreshed: \(cause.reason)", underlying: cause.underlying ?? cause)
  }
}

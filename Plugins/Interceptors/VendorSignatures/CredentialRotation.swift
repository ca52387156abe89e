import Interception
import Synchronization

/// Supplies the current credentials of a source, as ``CredentialState`` decides.
///
/// A refresh runs in the task of the request that starts it. If that request is cancelled, one that waits
/// starts another one.
final class CredentialRotation: Sendable {
  private let source: any VendorCredentialSource
  private let time: TimeSource
  private let shared = Mutex(CredentialQueue<ResultContinuation<CredentialTurn>>())

  init(_ source: some VendorCredentialSource, time: TimeSource) {
    self.source = source
    self.time = time
  }

  /// The number of requests that wait for a refresh.
  var waiterCount: Int { shared.withLock { $0.waiterCount } }

  /// Returns valid credentials.
  ///
  /// - Parameter present: Returns whose they must be; the account may be replaced while they are obtained.
  func credentials(
    for present: @Sendable () -> Request.Identity
  ) async throws -> VendorCredentials {
    while true {
      let owner = present()
      switch shared.withLock({ $0.decide(at: time.wallTime(), for: owner) }) {
      case .use(let current): return current
      case .refresh(let previous):
        let refreshed = try await refresh(replacing: previous) { present().isSameAccount(as: owner) }
        if let refreshed { return refreshed }
      case .wait:
        if case .fail(let error, let whose) = try await turn(for: owner), whose.isSameAccount(as: owner) {
          throw error
        }
      }
    }
  }

  /// Obtains credentials; nil if the account was replaced meanwhile, because they may be of either one.
  private func refresh(
    replacing previous: VendorCredentials?, ifStill isSameAccount: () -> Bool
  ) async throws -> VendorCredentials? {
    let result: Result<VendorCredentials, any Error>
    var isCancelled = false
    do { result = .success(try await source.credentials(replacing: previous)) } catch {
      isCancelled = Task.isCancelled
      result = .failure(isCancelled ? error : Self.failure(error))
    }
    let now = time.wallTime()
    let isReplaced = !isCancelled && !isSameAccount()
    let ending = shared.withLock { $0.end(with: result, isAbandoned: isCancelled || isReplaced, at: now) }
    for waiter in ending.waiters { waiter.resume(returning: .success(ending.turn)) }
    return isReplaced ? nil : try ending.outcome.get()
  }

  private func turn(for owner: Request.Identity) async throws(NetworkError) -> CredentialTurn {
    let id = shared.withLock { $0.nextWaiter() }
    return try await waitForResult { continuation in
      let result: Result<CredentialTurn, NetworkError>? = shared.withLock { shared in
        // A cancellation before the lock is taken finds no waiter; it is noticed here.
        if Task.isCancelled { return .failure(Self.cancellation) }
        // The refresh may have ended since the decision to wait.
        return shared.wait(continuation, as: id, at: time.wallTime(), for: owner)
          ? nil : .success(.decideAgain)
      }
      if let result { continuation.resume(returning: result) }
    } onCancel: {
      let waiter = shared.withLock { $0.leave(id) }
      waiter?.resume(returning: .failure(Self.cancellation))
    }
  }

  private static var cancellation: NetworkError {
    NetworkError(.cancelled(.task), "The request was cancelled while its credentials were obtained.")
  }

  /// Returns the error of requests for an error of the source, whose text may contain secrets and isn't
  /// quoted.
  private static func failure(_ error: any Error) -> any Error {
    if let known = error as? VendorSignatureError { return known }
    let reason = VendorSignatureError(.sourceFailed).description
    guard let cause = error as? NetworkError else {
      return NetworkError(.rejected, reason, underlying: error)
    }
    // The facts of the source's request don't apply to the requests that wait.
    let kind = cause.kind == .cancelled(.task) ? .rejected : cause.kind
    return NetworkError(kind, reason, underlying: cause)
  }
}

/// How a request that waited for a refresh proceeds.
enum CredentialTurn: Sendable {
  case decideAgain
  /// The refresh has failed for an account.
  case fail(any Error, for: Request.Identity)
}

/// The state of credentials with the requests that wait for their refresh; a value without I/O.
///
/// The end of a refresh takes its waiting requests out in the step that changes the state: a request that
/// waits for the next refresh must not get the error of this one.
struct CredentialQueue<Waiter: Sendable>: Sendable {
  /// How a refresh ended: for its own request, and for those that waited.
  struct Ending: Sendable {
    let outcome: Result<VendorCredentials, any Error>
    let turn: CredentialTurn
    let waiters: [Waiter]
  }

  private var state = CredentialState()
  private var waiters: [UInt64: Waiter] = [:]
  private var lastWaiter: UInt64 = 0

  var waiterCount: Int { waiters.count }

  /// Decides how a request obtains credentials; a refresh must be ended.
  mutating func decide(
    at now: WallTime, for owner: Request.Identity
  ) -> CredentialState.Decision { state.decide(at: now, for: owner) }

  /// Returns the number of a request that is about to wait.
  mutating func nextWaiter() -> UInt64 {
    lastWaiter += 1
    return lastWaiter
  }

  /// Adds a request; false if there is nothing to wait for any longer.
  mutating func wait(
    _ waiter: Waiter, as number: UInt64, at now: WallTime, for owner: Request.Identity
  ) -> Bool {
    guard case .wait = state.peek(at: now, for: owner) else { return false }
    waiters[number] = waiter
    return true
  }

  /// Removes a request that is cancelled.
  mutating func leave(_ number: UInt64) -> Waiter? { waiters.removeValue(forKey: number) }

  /// Ends a refresh.
  ///
  /// After a failure its request uses the previous credentials, if they are still valid.
  ///
  /// - Parameter isAbandoned: Whether the refreshing request was cancelled, which is no failure of the
  ///   source, or its account was replaced.
  mutating func end(
    with result: Result<VendorCredentials, any Error>, isAbandoned: Bool, at now: WallTime
  ) -> Ending {
    if isAbandoned {
      state.abandon()
      return Ending(outcome: result, turn: .decideAgain, waiters: takeWaiters())
    }
    switch result {
    case .success(let new):
      guard state.finish(with: new, at: now) else {
        return fail(with: VendorSignatureError(.expiredCredentials), at: now)
      }
      return Ending(outcome: result, turn: .decideAgain, waiters: takeWaiters())
    case .failure(let error): return fail(with: error, at: now)
    }
  }

  private mutating func fail(with error: any Error, at now: WallTime) -> Ending {
    if let previous = state.fail(at: now) {
      return Ending(outcome: .success(previous), turn: .decideAgain, waiters: takeWaiters())
    }
    return Ending(
      outcome: .failure(error), turn: .fail(error, for: state.nextOwner), waiters: takeWaiters())
  }

  private mutating func takeWaiters() -> [Waiter] {
    defer { waiters = [:] }
    return Array(waiters.values)
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
  /// Whose the current credentials are, and whose those are that are being obtained.
  private var owner = Request.Identity.unknown
  private(set) var nextOwner = Request.Identity.unknown
  private var refreshTime: WallTime?
  private var isRefreshing = false

  /// Decides for a request on behalf of an account; after `refresh` the caller must report
  /// ``finish(with:at:)``, ``fail(at:)`` or ``abandon()``.
  mutating func decide(at now: WallTime, for asking: Request.Identity) -> Decision {
    let isOwn = owner.isSameAccount(as: asking)
    if isOwn, let current, isValid(current, at: now) {
      guard !isRefreshing, let refreshTime, now >= refreshTime else { return .use(current) }
    } else if isRefreshing {
      return .wait
    }
    (isRefreshing, nextOwner) = (true, asking)
    return .refresh(replacing: isOwn ? current : nil)
  }

  /// Returns what ``decide(at:for:)`` would decide, without a change.
  func peek(at now: WallTime, for asking: Request.Identity) -> Decision {
    var copy = self
    return copy.decide(at: now, for: asking)
  }

  /// Stores new credentials; returns false if they have expired.
  mutating func finish(with new: VendorCredentials, at now: WallTime) -> Bool {
    isRefreshing = false
    guard isValid(new, at: now) else { return false }
    (current, owner) = (new, nextOwner)
    refreshTime = new.expires.map { expires in
      let lifetime = now.duration(to: expires)
      return expires.advanced(by: .zero - min(Self.leeway, lifetime / 2))
    }
    return true
  }

  /// Ends a failed refresh; returns the previous credentials if they are still valid.
  mutating func fail(at now: WallTime) -> VendorCredentials? {
    isRefreshing = false
    guard let current, owner.isSameAccount(as: nextOwner), isValid(current, at: now) else { return nil }
    refreshTime = now.advanced(by: Self.pause)
    return current
  }

  /// Ends a refresh whose request was cancelled; the next request starts another one.
  mutating func abandon() { isRefreshing = false }

  private func isValid(_ credentials: VendorCredentials, at now: WallTime) -> Bool {
    credentials.expires.map { now < $0 } ?? true
  }
}

import Interception
import Synchronization

/// A load of a manager whose request is in flight, and the callers that wait for it.
struct InFlightLoad<Output: Sendable>: Sendable {
  typealias Result = Swift.Result<LoadedResponse<Output>, APIError>
  typealias Waiter = LoadWaiter<Arrival>

  /// What a waiting caller receives.
  enum Arrival: Sendable {
    /// The result of the request that it has sent, and which it finishes.
    case received(RequestID, Result)
    /// The delivered result of a request, or the end of its wait.
    case ended(Result)
  }

  /// What a later load must have in common with the request, besides the content, to join it.
  struct Joinability: Sendable {
    /// The account, also one that only an interceptor knows.
    var partition = ""
    /// Whether the account is known, if an interceptor adds credentials.
    var isKnown = true
    /// The number of times that the flights of the pipeline were closed.
    var closings: UInt64 = 0
  }

  let request: Request
  /// The load's number in the order in which the manager's loads began; that of a transfer is the highest.
  var order = UInt64.max
  var joinability = Joinability()
  /// Whether the response is received as a file or a stream, by the caller alone.
  var isTransfer = false
  /// Whether the delegate receives the result.
  var isForDelegate = false
  /// The caller that has sent the request; nil if it was sent for the delegate.
  var sender: Waiter?
  /// The `async` callers that wait, the sender among them, each with a number.
  var waiters: [UInt64: Waiter] = [:]
  /// Why the request was cancelled; nil if it wasn't.
  var cancellation: String?
  let cancelTask: @Sendable () -> Void

  /// Whether the request counts for a load with the strategy `ignoreNew`.
  func counts(for present: Joinability) -> Bool {
    joinability.partition == present.partition && present.isKnown
      && !(request.isRead && joinability.closings != present.closings)
  }
}

extension Result {
  /// Waits for the result of a function.
  init(awaiting load: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await load())
    } catch {
      self = .failure(error)
    }
  }
}

/// A caller that is resumed once, by whichever side is first: the request's task, or the main actor.
final class LoadWaiter<Value: Sendable>: Sendable {
  private let continuation: CheckedContinuation<Value, Never>
  private let wasResumed = Atomic(false)

  init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = continuation }

  /// Whether the caller was resumed.
  var isResumed: Bool { wasResumed.load(ordering: .acquiring) }

  /// Resumes the caller; returns false if it was resumed before.
  @discardableResult func resume(returning value: Value) -> Bool {
    guard !wasResumed.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    continuation.resume(returning: value)
    return true
  }
}

/// The order in which the loads of a manager began, by which the latest outcome is kept.
struct LoadOrder: Sendable {
  private var begun: UInt64 = 0
  private var latestEnd: UInt64 = 0
  private var latestSuccess: UInt64 = 0

  mutating func begin() -> UInt64 {
    begun += 1
    return begun
  }

  /// Records the end of a load; returns whether no load that began later has succeeded, and whether none has
  /// ended.
  mutating func end(_ load: UInt64, isSuccess: Bool) -> (isLatestSuccess: Bool, isLatest: Bool) {
    defer {
      latestEnd = max(latestEnd, load)
      if isSuccess { latestSuccess = max(latestSuccess, load) }
    }
    return (load > latestSuccess, load > latestEnd)
  }

  /// Forgets what has ended: the next outcome is kept, whichever load it is of.
  mutating func clear() { (latestEnd, latestSuccess) = (0, 0) }
}

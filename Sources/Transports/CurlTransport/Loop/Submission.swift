import Interception
import Synchronization

/// A request on its way from the caller to the loop, and its response on the way back.
final class Submission: Sendable {
  /// A suspended caller whose response was given; it must be resumed once.
  @safe
  struct Waiter: Sendable {
    // It is taken out under the lock, so it is resumed once; a checked continuation would check that again.
    fileprivate let continuation: UnsafeContinuation<Void, Never>

    func resume() { unsafe continuation.resume() }
  }

  private enum Answer {
    case pending
    case awaited(Waiter)
    case given(Result<Response, NetworkError>)
    case taken
  }

  let id: TransferID
  let plan: RequestPlan
  /// Keeps the thread alive while the request is in flight.
  let owner: LoopOwner
  /// The time of the call.
  let handedOver: Duration
  // A task may be cancelled before its request has reached the mailbox, so the thread checks this too.
  private let cancelled = Atomic(false)
  private let state = Mutex(Answer.pending)
  // Whether the response was given; a caller that spins reads it without the lock.
  private let isAnswered = Atomic(false)

  init(id: TransferID, plan: RequestPlan, owner: LoopOwner, handedOver: Duration) {
    self.id = id
    self.plan = plan
    self.owner = owner
    self.handedOver = handedOver
  }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  // MARK: The caller's side

  /// Sends the request to the loop and waits for its response.
  func answered() async throws(NetworkError) -> Response {
    await withTaskCancellationHandler {
      let isOnlyRequest = owner.mailbox.isSpinning
      guard owner.mailbox.post(.submit(self)) else {
        return answer(.failure(.cancelled(.shutdown, origin: plan.origin, mayHaveBeenProcessed: false)))
      }
      if !isOnlyRequest || !spin() { await suspend() }
    } onCancel: {
      cancelled.store(true, ordering: .releasing)
      owner.mailbox.post(.cancel(id))
    }
    // Taken out, not copied: when the caller releases a streamed response, its connection must be freed.
    let given = state.withLock { state in
      let given = state
      state = .taken
      return given
    }
    guard case .given(let result) = given else {
      throw NetworkError(.transport, "The request to \(plan.origin) ended without a response.")
    }
    return try result.get()
  }

  private func suspend() async {
    unsafe await withUnsafeContinuation { continuation in
      let isPending = state.withLock { state in
        guard case .pending = state else { return false }
        state = unsafe .awaited(Waiter(continuation: continuation))
        return true
      }
      if !isPending { unsafe continuation.resume() }
    }
  }

  /// Spins for the response; returns whether it came.
  private func spin() -> Bool {
    guard owner.spinPolicy.withLock({ $0.shouldSpin() }) else { return false }
    let success = SpinPolicy.spin(SpinPolicy.responseTime) { isAnswered.load(ordering: .acquiring) }
    owner.spinPolicy.withLock { $0.record(success: success) }
    return success
  }

  // MARK: The thread's side

  /// Gives the response and resumes the caller; later calls have no effect.
  func answer(_ result: Result<Response, NetworkError>) { give(result)?.resume() }

  /// Gives the response, and returns the caller to resume if it is suspended; later calls have no effect.
  func give(_ result: Result<Response, NetworkError>) -> Waiter? {
    let waiter: Waiter? = state.withLock { state in
      switch state {
      case .given, .taken: return nil
      case .pending:
        state = .given(result)
        return nil
      case .awaited(let waiter):
        state = .given(result)
        return waiter
      }
    }
    isAnswered.store(true, ordering: .releasing)
    return waiter
  }
}

import CCurlShims
import Interception
import Synchronization

/// One request on its way from the caller to libcurl's thread, and its answer on the way back.
final class Submission: Sendable {
  @safe
  private enum Answer {
    case pending
    // Whoever resumes it takes it out under the lock: it is resumed once whatever the callers do, which is what
    // a checked continuation would see to at a price.
    case awaited(UnsafeContinuation<Void, Never>)
    case given(Result<Response, NetworkError>)
    case taken
  }

  let id: TransferID
  let plan: RequestPlan
  /// Keeps the thread alive while anything of this request is under way.
  let owner: LoopOwner
  /// When the caller asked.
  let handedOver: Duration
  // A task can be cancelled before its request has reached the mailbox; the thread looks here first.
  private let cancelled = Atomic(false)
  private let state = Mutex(Answer.pending)
  // What the answer is written into, made by the caller.
  private let blank: Mutex<Response?>
  /// Where ``takeBlank()`` hands memory out from, as far as it is known.
  let room: Room
  // Whether the answer was given; who looks out for it looks without the lock.
  private let isAnswered = Atomic(false)

  init(id: TransferID, plan: RequestPlan, owner: LoopOwner, handedOver: Duration) {
    self.id = id
    self.plan = plan
    self.owner = owner
    self.handedOver = handedOver
    let length = plan.site.expectedLength
    let response = plan.isBuffered ? Response(roomFor: length) : nil
    room = Room(response, bytes: length)
    blank = Mutex(response)
  }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  // MARK: The caller's side

  /// Sends the request to the thread and waits for its answer.
  func answered() async throws(NetworkError) -> Response {
    await withTaskCancellationHandler {
      let isAlone = owner.mailbox.isLookingOut
      guard owner.mailbox.post(.submit(self)) else {
        return answer(
          .failure(.cancelled(.shutdown, origin: plan.origin, mayHaveBeenProcessed: false)))
      }
      if !isAlone || !looksOut() { await suspend() }
    } onCancel: {
      cancelled.store(true, ordering: .releasing)
      owner.mailbox.post(.cancel(id))
    }
    // Taken out, not copied: a streamed answer must be the caller's alone, who frees its connection by dropping it.
    let given = state.withLock { state in
      let given = state
      state = .taken
      return given
    }
    guard case .given(let result) = given else {
      throw NetworkError(.transport, "The request to \(plan.origin) was let go of without an answer.")
    }
    let response = try result.get()
    if plan.isBuffered, case .bytes(let body) = response.body { plan.site.noteLength(body.count) }
    return response
  }

  /// Waits for the answer, which may be there.
  private func suspend() async {
    unsafe await withUnsafeContinuation { continuation in
      let isPending = state.withLock { state in
        guard case .pending = state else { return false }
        state = unsafe .awaited(continuation)
        return true
      }
      if !isPending { unsafe continuation.resume() }
    }
  }

  /// Looks out for the answer for a moment; returns whether it came.
  private func looksOut() -> Bool {
    guard owner.lookOut.withLock({ $0.begins() }) else { return false }
    let hasSeen = LookOut.waits(LookOut.answerTime, for: { isAnswered.load(ordering: .acquiring) })
    owner.lookOut.withLock { $0.end(hasSeen: hasSeen) }
    return hasSeen
  }

  // MARK: The thread's side

  // The sizes below are those of the objects on a 64-bit system, rounded up; where one grows, its end comes when it is read.

  /// Asks the processor for what the thread reads first.
  @inline(__always)
  func fetch() { switchyard_prefetch_to_write(UInt(bitPattern: ObjectIdentifier(self)), 160) }

  /// Asks the processor for what the thread reads of the plan.
  @inline(__always)
  func fetchPlan() { switchyard_prefetch(UInt(bitPattern: ObjectIdentifier(plan)), 384) }

  /// Hands out the response that says nothing yet, once.
  func takeBlank() -> Response? {
    blank.withLock { $0.take() }
  }

  /// Gives the answer; every call but the first one is ignored.
  func answer(_ result: Result<Response, NetworkError>) { give(result)?.resume() }

  /// Gives the answer, and returns whom to wake, if somebody sleeps; every call but the first one is ignored.
  func give(_ result: Result<Response, NetworkError>) -> Waiter? {
    let waiter: Waiter? = state.withLock { state in
      switch state {
      case .given, .taken: return nil
      case .pending:
        state = .given(result)
        return nil
      case .awaited(let continuation):
        state = .given(result)
        return unsafe Waiter(continuation: continuation)
      }
    }
    isAnswered.store(true, ordering: .releasing)
    return waiter
  }

  /// A caller whose answer is there; whoever has it wakes it once.
  @safe
  struct Waiter: Sendable {
    fileprivate let continuation: UnsafeContinuation<Void, Never>

    func resume() { unsafe continuation.resume() }
  }

  /// Where a response that was made beforehand lies.
  struct Room {
    private let parts: UInt
    private let bytes: UInt
    private let count: Int

    fileprivate init(_ response: Response?, bytes count: Int) {
      (parts, bytes) = response?.places ?? (0, 0)
      self.count = count
    }

    /// Asks the processor for it.
    func fetch() {
      guard parts != 0 else { return }
      switchyard_prefetch_to_write(parts, 288)
      if bytes != 0 { switchyard_prefetch_to_write(bytes, count) }
    }
  }
}

import Foundation
import HTTPTypes
import Interception
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request in progress; resumes its caller exactly once, and releases its place exactly once.
final class Transfer: Sendable {
  let plan: RequestPlan
  let owner: SessionOwner
  let ending = BodyStream.Ending()
  let state: Mutex<TransferState>

  init(plan: RequestPlan, owner: SessionOwner, handedOver: Duration) {
    self.plan = plan
    self.owner = owner
    state = Mutex(TransferState(plan.options, handedOver: handedOver))
  }

  var origin: String { plan.address.origin }

  /// Whether the transfer has ended, successfully or not.
  var isOver: Bool { state.withLock { $0.end != nil } }

  // MARK: The caller's side

  /// Sends the request, and waits for the response head or the whole response.
  func run() async throws(NetworkError) -> Response {
    try await waitForResult { continuation in
      let early: NetworkError? = state.withLock { state in
        if case .failed(let error) = state.end { return error }
        state.waiter = continuation
        return nil
      }
      if let early { return continuation.resume(returning: .failure(early)) }
      owner.submit(self)
    } onCancel: {
      cancel(.task)
    }
  }

  // MARK: The owner's side

  func note(id: UInt64) { state.withLock { $0.id = id } }

  /// Reads the body and launches the request after admission.
  func start() {
    let isOver = state.withLock { state in
      guard state.end == nil else { return true }
      state.admittedAt = owner.time.now()
      state.deadlines.admitted()
      rearm(&state)
      return false
    }
    guard !isOver else { return }
    let collector = BodyCollector(body: plan.body, limit: owner.configuration.uploadLimit)
    if let bytes = plan.body.bytes, bytes.count <= collector.limit { return launch(bytes) }
    let upload = Task {
      do throws(NetworkError) {
        launch(try await collector.bytes())
      } catch {
        fail(error)
      }
    }
    let isLate = state.withLock { state in
      if state.end == nil, state.launchedAt == nil { state.upload = upload }
      return state.end != nil
    }
    if isLate { upload.cancel() }
  }

  private func launch(_ body: [UInt8]) {
    guard !isOver else { return }
    guard let handle = owner.makeTaskHandle(plan.urlRequest(body: body), for: self) else {
      return cancel(.shutdown)
    }
    let isOver = state.withLock { state in
      state.upload = nil
      guard state.end == nil else { return true }
      let now = owner.time.now()
      state.handle = handle
      state.launchedAt = now
      state.deadlines.launched(at: now)
      rearm(&state)
      return false
    }
    handle.start()
    if isOver { handle.task.cancel() }
  }

  // MARK: Ends

  /// Cancels the transfer in any phase.
  func cancel(_ cause: NetworkError.Cause) {
    let wasLaunched = state.withLock { $0.launchedAt != nil }
    fail(.cancelled(cause, origin: origin, mayHaveBeenProcessed: wasLaunched))
  }

  /// Ends the transfer with an error.
  func fail(_ error: NetworkError) {
    var error = error
    error.progress = state.withLock { .init(receivedBytes: $0.decodedBytes) }
    settle(.failed(error))
  }

  /// Ends the transfer; only the first call has an effect.
  func settle(_ end: TransferState.End) {
    let taken: (state: TransferState, waiter: ResultContinuation<Response>?)? = state.withLock { state in
      guard state.end == nil else { return nil }
      state.end = end
      let copy = state
      state.waiter = nil
      state.reader = nil
      state.upload = nil
      state.timer = nil
      state.handle = nil
      return (copy, copy.waiter)
    }
    guard let (old, waiter) = taken else { return }
    old.timer?.cancel()
    old.upload?.cancel()
    if case .failed = end { old.handle?.task.cancel() }
    if let id = old.id { owner.leave(id) }
    old.reader?.resume(returning: .success(()))
    guard let waiter else { return }
    switch end {
    case .failed(let error): waiter.resume(returning: .failure(error))
    case .complete: waiter.resume(returning: bufferedResponse(old))
    }
  }

  private func bufferedResponse(_ state: TransferState) -> Result<Response, NetworkError> {
    guard let head = state.head else {
      return .failure(
        NetworkError(
          .protocolViolation, "\(origin) finished without a response; check the server.",
          requestMayHaveBeenProcessed: true))
    }
    return .success(
      Response(
        head.head, body: .bytes(state.buffer), exchange: Exchange(attempts: 1, transport: state.report)))
  }
}

extension Transfer {
  /// Starts to monitor the time limits while the request waits for admission.
  func watchTime() {
    state.withLock { state in if state.end == nil { rearm(&state) } }
  }

  /// Ensures that the limits are checked no later than the next deadline.
  func rearm(_ state: inout TransferState) {
    guard let next = state.deadlines.next else { return }
    if let armed = state.armed, armed <= next.time { return }
    state.timer?.cancel()
    state.armed = next.time
    state.timer = Task { await watch(until: next.time) }
  }

  private func watch(until first: Duration) async {
    var moment = first
    while true {
      let wait = moment - owner.time.now()
      if wait > .zero { do { try await owner.time.sleep(for: wait) } catch { return } }
      guard !Task.isCancelled else { return }
      let look: (next: Duration?, failure: NetworkError?) = state.withLock { state in
        guard state.end == nil, let next = state.deadlines.next else {
          state.armed = nil
          return (nil, nil)
        }
        guard next.time <= owner.time.now() else {
          state.armed = next.time
          return (next.time, nil)
        }
        let failure = NetworkError.timeout(
          next.phase, origin: origin, limit: state.deadlines.limits.limit(of: next.phase),
          mayHaveBeenProcessed: state.launchedAt != nil)
        return (nil, failure)
      }
      if let failure = look.failure { return fail(failure) }
      guard let next = look.next else { return }
      moment = next
    }
  }
}

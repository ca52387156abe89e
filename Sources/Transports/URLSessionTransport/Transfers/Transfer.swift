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
    let request = plan.urlRequest(body: body)
    // In one step, so that a transfer that has ended is not sent, and one that is sent ends as such.
    let isRefused = state.withLock { state in
      guard state.end == nil else { return false }
      state.upload = nil
      guard let handle = owner.makeTaskHandle(request, for: self) else { return true }
      let now = owner.time.now()
      state.handle = handle
      state.launchedAt = now
      state.deadlines.launched(at: now)
      rearm(&state)
      handle.start()
      return false
    }
    if isRefused { cancel(.shutdown) }
  }

  // MARK: Ends

  /// Cancels the transfer in any phase.
  func cancel(_ cause: NetworkError.Cause) {
    settle { .failed(.cancelled(cause, origin: origin, mayHaveBeenProcessed: $0.wasLaunched)) }
  }

  /// Ends the transfer with an error.
  func fail(_ error: NetworkError) { settle { _ in .failed(error) } }

  /// Ends the transfer; only the first call has an effect.
  ///
  /// - Parameter decide: Returns how, from how far the transfer has come; nil if it must not end yet.
  func settle(_ decide: (inout TransferState) -> TransferState.End?) {
    guard let (old, end) = state.withLock({ $0.settle(decide) }) else { return }
    old.timer?.cancel()
    old.upload?.cancel()
    if case .failed = end { old.handle?.task.cancel() }
    if let id = old.id { owner.leave(id) }
    old.reader?.resume(returning: .success(()))
    guard let waiter = old.waiter else { return }
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
      var following: Duration?
      settle { state in
        following = nil
        guard let next = state.deadlines.next else {
          state.armed = nil
          return nil
        }
        guard next.time <= owner.time.now() else {
          state.armed = next.time
          following = next.time
          return nil
        }
        return .failed(
          .timeout(
            next.phase, origin: origin, limit: state.deadlines.limits.limit(of: next.phase),
            mayHaveBeenProcessed: state.wasLaunched))
      }
      guard let following else { return }
      moment = following
    }
  }
}

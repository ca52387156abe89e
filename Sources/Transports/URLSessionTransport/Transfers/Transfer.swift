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
  let state: Mutex<TransferState<SessionOwner.TaskHandle>>

  init(plan: RequestPlan, owner: SessionOwner, handedOver: Duration) {
    self.plan = plan
    self.owner = owner
    state = Mutex(TransferState(plan.options, handedOver: handedOver))
  }

  var origin: String { plan.address.origin }

  /// Whether the transfer has ended, successfully or not.
  var isOver: Bool { state.withLock { $0.phase.isOver } }

  // MARK: The caller's side

  /// Sends the request, and waits for the response head or the whole response.
  func run() async throws(NetworkError) -> Response {
    try await waitForResult { continuation in
      if let error = state.withLock({ $0.suspend(caller: continuation) }) {
        return continuation.resume(returning: .failure(error))
      }
      owner.submit(self)
    } onCancel: {
      cancel(.task)
    }
  }

  // MARK: The owner's side

  func note(id: UInt64) { state.withLock { $0.place = id } }

  /// Reads the body and launches the request after admission.
  func start() {
    let isAdmitted = state.withLock { state in
      guard state.admit(at: owner.time.now()) else { return false }
      arm(&state.watch)
      return true
    }
    guard isAdmitted else { return }
    let collector = BodyCollector(body: plan.body, limit: owner.configuration.uploadLimit)
    if let bytes = plan.body.bytes, bytes.count <= collector.limit { return launch(bytes) }
    let upload = Task {
      do throws(NetworkError) {
        launch(try await collector.bytes())
      } catch {
        fail(error)
      }
    }
    if !state.withLock({ $0.collect(by: upload) }) { upload.cancel() }
  }

  private func launch(_ body: [UInt8]) {
    let request = plan.urlRequest(body: body)
    // In one step, so that a transfer that has ended is not sent, and one that is sent ends as such.
    let launch = state.withLock { state in
      let launch = state.launch(at: owner.time.now()) { owner.makeTaskHandle(request, for: self) }
      if launch == .launched {
        arm(&state.watch)
        state.phase.handle?.start()
      }
      return launch
    }
    if launch == .isRefused { cancel(.shutdown) }
  }

  // MARK: Ends

  /// Cancels the transfer in any phase.
  func cancel(_ cause: NetworkError.Cause) {
    settle { .failed(.cancelled(cause, origin: origin, mayHaveBeenProcessed: $0.phase.isLaunched)) }
  }

  /// Ends the transfer with an error.
  func fail(_ error: NetworkError) { settle { _ in .failed(error) } }

  /// Ends the transfer; only the first call has an effect.
  ///
  /// - Parameter decide: Returns how, from how far the transfer has come; nil if it must not end yet.
  func settle(_ decide: (inout TransferState<SessionOwner.TaskHandle>) -> TransferEnd?) {
    guard let ended = state.withLock({ $0.settle(decide) }) else { return }
    ended.timer?.cancel()
    ended.held.upload?.cancel()
    if case .failed = ended.end { ended.held.handle?.task.cancel() }
    if let place = ended.place { owner.leave(place) }
    ended.held.reader?.resume(returning: .success(()))
    guard let caller = ended.caller else { return }
    switch ended.end {
    case .failed(let error): caller.resume(returning: .failure(error))
    case .complete: caller.resume(returning: bufferedResponse(ended.held.response, ended.measurements))
    }
  }

  private func bufferedResponse(
    _ response: IncomingResponse?, _ measurements: TransferMeasurements
  ) -> Result<Response, NetworkError> {
    guard let response else {
      return .failure(
        NetworkError(
          .protocolViolation, "\(origin) finished without a response; check the server.",
          requestMayHaveBeenProcessed: true))
    }
    let exchange = Exchange(attempts: 1, transport: measurements.report(head: response.head))
    return .success(Response(response.head.head, body: .bytes(response.bytes), exchange: exchange))
  }
}

extension Transfer {
  /// Starts to monitor the time limits while the request waits for admission.
  func watchTime() { state.withLock { state in if !state.phase.isOver { arm(&state.watch) } } }

  /// Ensures that the limits are checked no later than the next deadline.
  func arm(_ watch: inout LimitWatch) { watch.arm { time in Task { await checkLimits(at: time) } } }

  private func checkLimits(at first: Duration) async {
    var moment = first
    while true {
      let wait = moment - owner.time.now()
      if wait > .zero { do { try await owner.time.sleep(for: wait) } catch { return } }
      guard !Task.isCancelled else { return }
      var next: Duration?
      settle { state in
        switch state.watch.check(at: owner.time.now()) {
        case .nothing: return nil
        case .later(let time):
          next = time
          return nil
        case .exceeded(let phase):
          return .failed(
            .timeout(
              phase, origin: origin, limit: state.watch.deadlines.limits.limit(of: phase),
              mayHaveBeenProcessed: state.phase.isLaunched))
        }
      }
      guard let next else { return }
      moment = next
    }
  }
}

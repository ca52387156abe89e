import Interception
import Synchronization

/// The content of a streamed response.
struct ResponseSource: ByteSource {
  let transfer: Transfer

  private enum Step {
    case bytes([UInt8], resumed: SessionOwner.TaskHandle?)
    case ended(TransferState.End, TransportReport)
    case occupied
    case wait
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard !Task.isCancelled else {
      cancel()
      throw Self.cancellation
    }
    while true {
      switch next() {
      case .bytes(let bytes, let resumed):
        resumed?.goOn()
        return bytes
      case .ended(let end, let report):
        transfer.ending.finish(transport: report)
        if case .failed(let error) = end { throw error }
        return nil
      case .occupied:
        throw NetworkError(
          .bodyNotReplayable,
          "The response's stream is already being read; read it in one task only.",
          requestMayHaveBeenProcessed: true)
      case .wait: try await wait()
      }
    }
  }

  func cancel() {
    let isNews = transfer.state.withLock { state in
      state.buffer = []
      defer { state.isAbandoned = true }
      return !state.isAbandoned
    }
    guard isNews else { return }
    transfer.fail(Self.cancellation)
    transfer.ending.finish()
  }

  private func wait() async throws(NetworkError) {
    try await waitForResult { continuation in
      let isReady = transfer.state.withLock { state in
        let isReady = !state.buffer.isEmpty || state.end != nil
        if !isReady { state.reader = continuation }
        return isReady
      }
      if isReady { continuation.resume(returning: .success(())) }
    } onCancel: {
      cancel()
    }
  }

  private func next() -> Step {
    transfer.state.withLock { state in
      if state.isAbandoned { return .ended(.failed(Self.cancellation), state.report) }
      if state.reader != nil { return .occupied }
      if !state.buffer.isEmpty {
        let bytes = state.buffer
        state.buffer = []
        guard state.isPaused else { return .bytes(bytes, resumed: nil) }
        state.isPaused = false
        state.deadlines.released(at: transfer.owner.time.now())
        return .bytes(bytes, resumed: state.handle)
      }
      if let end = state.end { return .ended(end, state.report) }
      return .wait
    }
  }

  private static var cancellation: NetworkError {
    NetworkError(
      .cancelled(.task), "Reading the response was cancelled.", requestMayHaveBeenProcessed: true)
  }
}

import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization

@testable import WebSockets

/// A connection in memory, whose server a test plays.
final class MemoryConnection: UpgradedConnection {
  private struct State {
    var incoming: [[UInt8]] = []
    var isEnded = false
    var isClosed = false
    var reader: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  /// Called before bytes are sent that may have to wait for room.
  let onWrite = Mutex<(@Sendable () async -> Void)?>(nil)
  /// The bytes that were sent.
  let sent = WaitableValue<[UInt8]>([])

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The frames that were sent.
  var frames: [ClientFrame] {
    var rest = sent.value[...]
    var frames: [ClientFrame] = []
    while let frame = ClientFrame(rest) {
      frames.append(frame)
      rest = rest.dropFirst(frame.size)
    }
    return frames
  }

  /// Returns the frames as soon as there are at least `count`.
  func waitForFrames(_ count: Int) async -> [ClientFrame] {
    // A cancelled wait returns what there is, which the test then finds wrong.
    _ = try? await sent.wait { bytes in
      var rest = bytes[...]
      var found = 0
      while let frame = ClientFrame(rest) {
        found += 1
        rest = rest.dropFirst(frame.size)
      }
      return found >= count
    }
    return frames
  }

  func receive(_ frames: ServerFrame...) {
    let reader = state.withLock { state in
      state.incoming.append(frames.flatMap(\.bytes))
      return state.reader.take()
    }
    reader?.resume()
  }

  /// Ends the server's side.
  func end() {
    state.withLock { state in
      state.isEnded = true
      return state.reader.take()
    }?.resume()
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    while true {
      let (bytes, isEnded) = state.withLock { state in
        (state.incoming.isEmpty ? nil : state.incoming.removeFirst(), state.isEnded || state.isClosed)
      }
      if let bytes { return bytes }
      if isEnded { return nil }
      if Task.isCancelled { throw NetworkError(.cancelled(.task), "The wait was cancelled.") }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            let isReady = !state.incoming.isEmpty || state.isEnded || state.isClosed || Task.isCancelled
            if !isReady { state.reader = continuation }
            return isReady
          }
          if isReady { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0.reader.take() }?.resume()
      }
    }
  }

  func write(_ bytes: [UInt8]) async throws(NetworkError) {
    if let onWrite = onWrite.withLock({ $0.take() }) { await onWrite() }
    writeAtOnce(bytes)
  }

  func writeAtOnce(_ bytes: [UInt8]) { if !isClosed { sent.update { $0 += bytes } } }

  func close() {
    state.withLock { state in
      state.isClosed = true
      return state.reader.take()
    }?.resume()
  }
}

/// A dispatcher that switches to connections in memory, or fails as scripted.
final class SwitchingDispatcher: Dispatcher {
  enum Step: Sendable {
    case connection(MemoryConnection)
    case response(Response)
    case failure(NetworkError)
  }

  private let steps: Mutex<[Step]>
  let capabilities: DispatcherCapabilities = .protocolUpgrade

  init(_ steps: [Step]) { self.steps = Mutex(steps) }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    switch steps.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
    case nil: throw NetworkError(.rejected, "The script has ended.")
    case .failure(let error): throw error
    case .response(let response): return response
    case .connection(let connection):
      let key = request.head.headerFields[.secWebSocketKey] ?? ""
      var response = Response(status: .init(code: 101))
      response.head.headerFields = [
        .upgrade: "websocket", .connection: "Upgrade",
        .secWebSocketAccept: (try? OpeningHandshake.acceptance(of: key)) ?? "",
      ]
      response.connection = connection
      return response
    }
  }
}

import Interception
import Synchronization

// What the user of a connection calls.
extension WebSocketSession {
  /// Returns the next message; nil after the end that was agreed on.
  func next() async throws(WebSocketError) -> WebSocketMessage? {
    if let answer = takeAnswer() { return try answer.get() }
    if connection.spin(until: { hasNews.load(ordering: .acquiring) }), let answer = takeAnswer() {
      return try answer.get()
    }
    return try await nextLater()
  }

  /// Returns what a reader is given without a wait; nil if there is nothing yet.
  private func takeAnswer() -> Inbox.Answer? {
    let (answer, receiver) = state.withLock {
      state -> (Inbox.Answer?, CheckedContinuation<Void, Never>?) in
      hasNews.store(false, ordering: .relaxed)
      if let message = state.inbox.take() {
        return (.success(message), state.inbox.isFull ? nil : state.receiver.take())
      }
      return (state.end.map { $0.readingError.map { .failure($0) } ?? .success(nil) }, nil)
    }
    receiver?.resume()
    return answer
  }

  private func nextLater() async throws(WebSocketError) -> WebSocketMessage? {
    let number = state.withLock { $0.number() }
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, receiver) = state.withLock {
          state -> (Inbox.Answer?, CheckedContinuation<Void, Never>?) in
          if let message = state.inbox.take() {
            return (.success(message), state.inbox.isFull ? nil : state.receiver.take())
          }
          if let end = state.end { return (end.readingError.map { .failure($0) } ?? .success(nil), nil) }
          if Task.isCancelled { return (.failure(.cancelled), nil) }
          state.inbox.wait(.init(number: number, continuation: continuation))
          return (nil, nil)
        }
        receiver?.resume()
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.inbox.removeReader(number) }?.continuation.resume(returning: .failure(.cancelled))
    }
    return try answer.get()
  }

  func send(_ message: WebSocketMessage) async throws(WebSocketError) {
    let (end, maySend) = state.withLock { ($0.end, $0.end == nil && $0.closing.beginSending()) }
    if let end { throw end.sendingError }
    guard maySend else { throw .closed(nil) }
    defer {
      // A close frame that was due meanwhile follows the message.
      if let frame = state.withLock({ $0.closing.endSending() }) {
        connection.writeAtOnce(Self.frame(.close, frame.payload))
      }
    }
    let (type, bytes): (FrameType, [UInt8]) =
      switch message {
      case .text(let text): (.text, Array(text.utf8))
      case .binary(let bytes): (.binary, bytes)
      }
    let compressed = deflater?.deflate(bytes)
    let frame = Self.frame(type, isCompressed: compressed != nil, compressed ?? bytes)
    do throws(NetworkError) {
      try await connection.write(frame)
    } catch {
      // The connection is closed by the end, which says more.
      if error.kind != .cancelled(.task), let end = self.end { throw end.sendingError }
      throw WebSocketError(error)
    }
  }

  /// Sends a ping and returns the time until its pong.
  func ping() async throws(WebSocketError) -> Duration {
    // Random, so that a server can't send the pong of a ping that it has not received.
    let payload = (0..<8).map { _ in UInt8.random(in: 0 ... .max) }
    let start = time.now()
    let limit = configuration.pongTimeout
    let isTimedOut = Mutex(false)
    let timer = Task { [time, state = self] in
      guard (try? await time.sleep(for: limit)) != nil else { return }
      isTimedOut.withLock { $0 = true }
      state.cancelPing(payload)
    }
    defer { timer.cancel() }
    let hasPong = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let maySend = state.withLock { state in
          let maySend = state.end == nil && state.closing.maySend && !Task.isCancelled
          if maySend { state.pings[payload] = continuation }
          return maySend
        }
        if maySend {
          connection.writeAtOnce(Self.frame(.ping, payload))
        } else {
          continuation.resume(returning: false)
        }
      }
    } onCancel: {
      cancelPing(payload)
    }
    guard !hasPong else { return time.now() - start }
    if let end { throw end.sendingError }
    if isTimedOut.withLock({ $0 }) { throw .pongTimeout(limit) }
    throw Task.isCancelled ? .cancelled : .closed(nil)
  }

  private func cancelPing(_ payload: [UInt8]) {
    state.withLock { $0.pings.removeValue(forKey: payload) }?.resume(returning: false)
  }

  /// Sends a close frame behind the messages that wait, and waits for the server's, up to the time limit.
  func close(with closure: WebSocketClosure) async {
    let (frame, receiver) = state.withLock { state in
      (state.end == nil ? state.closing.close(with: closure) : nil, state.receiver.take())
    }
    // Messages are dropped from now on, so that the server's close frame is read.
    receiver?.resume()
    let limit = configuration.closeTimeout
    let timer = Task { [time] in
      // A cancelled timer must not close the connection; the end has then come by itself.
      guard (try? await time.sleep(for: limit)) != nil else { return }
      finish(.closed(nil, isLocal: true))
    }
    do throws(NetworkError) {
      if let frame { try await connection.write(Self.frame(.close, frame.payload)) }
    } catch {
      // The frame could not be queued, so the server will not respond to it.
      finish(.closed(nil, isLocal: true))
    }
    await waitForEnd()
    // If this task was cancelled, the limit still holds.
    if end != nil { timer.cancel() }
  }

  /// Waits until the connection has ended, or the task is cancelled.
  func waitForEnd() async {
    let number = state.withLock { $0.number() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          let waits = state.end == nil && !Task.isCancelled
          if waits { state.onEnd[number] = continuation }
          return waits
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.onEnd.removeValue(forKey: number) }?.resume()
    }
  }
}

import Foundation
import Synchronization

/// A server's end of a connection, for handlers that misbehave; used only by the connection's own thread.
public final class WireConnection: Sendable {
  /// The error of a connection that the peer or the server has closed.
  public struct Closed: Error {
    /// Creates the error, for handlers that give up.
    public init() {}
  }

  private struct State {
    var descriptor: CInt
    var unread: [UInt8] = []
    var staysOpen = false
  }

  /// The number of the connection, starting at 1.
  public let number: Int
  private let descriptor: CInt
  private let state: Mutex<State>

  init(descriptor: CInt, number: Int) {
    self.descriptor = descriptor
    self.number = number
    state = Mutex(State(descriptor: descriptor))
  }

  /// Sends bytes, and blocks while the peer accepts none.
  public func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.send(
          descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw Closed()
      }
      sent += count
    }
  }

  /// Sends a text.
  public func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends bytes until all are sent or the peer has accepted none for `stall` milliseconds; returns the
  /// number of bytes sent.
  public func sendUntilStalled(_ bytes: [UInt8], stall: Int = 300) throws -> Int {
    var sent = 0
    while sent < bytes.count {
      var poller = pollfd(descriptor: descriptor, events: Int16(POLLOUT))
      guard poll(&poller, 1, CInt(stall)) > 0 else { return sent }
      let count = bytes.withUnsafeBytes {
        Foundation.send(
          descriptor, $0.baseAddress?.advanced(by: sent), min(bytes.count - sent, 64 << 10),
          CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      }
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { throw Closed() }
      sent += count
    }
    return sent
  }

  /// Returns the next bytes, or nil at the end.
  public func read() throws -> [UInt8]? {
    let unread = state.withLock { state in
      defer { state.unread = [] }
      return state.unread
    }
    guard unread.isEmpty else { return unread }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, filled in
      repeat {
        count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      } while count < 0 && errno == EINTR
      filled = max(count, 0)
    }
    guard count >= 0 else { throw Closed() }
    return count == 0 ? nil : bytes
  }

  /// Waits until the peer closes the connection or the server is stopped.
  public func waitForClose() { while let bytes = try? read(), !bytes.isEmpty {} }

  /// Keeps the connection open for another request after the handler has returned; otherwise it is closed.
  public func stayOpen() { state.withLock { $0.staysOpen = true } }

  /// Closes the connection with a TCP reset.
  public func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }

  /// Closes the connection.
  public func close() {
    state.withLock { state in
      guard state.descriptor >= 0 else { return }
      Foundation.close(state.descriptor)
      state.descriptor = -1
    }
  }

  /// Unblocks pending calls; the reading thread then closes the socket.
  func interrupt() {
    state.withLock { state in if state.descriptor >= 0 { shutdown(state.descriptor, CInt(SHUT_RDWR)) } }
  }

  func takeStaysOpen() -> Bool {
    state.withLock { state in
      defer { state.staysOpen = false }
      return state.staysOpen && state.descriptor >= 0
    }
  }

  func putBack(_ bytes: some Collection<UInt8>) { state.withLock { $0.unread = Array(bytes) + $0.unread } }
}

extension pollfd {
  init(descriptor: CInt, events: Int16) {
    self.init(fd: descriptor, events: events, revents: 0)
  }
}

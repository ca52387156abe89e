import Foundation
import Synchronization

/// The threads and sockets of a scripted server.
final class ServerEngine: Sendable {
  private struct State {
    var isStopped = false
    var connections: [Int: WireConnection] = [:]
  }

  let address: String
  let port: Int
  let counts = Watched(ServerCounts())
  let requests = Mutex<[ReceivedRequest]>([])
  private let listener: CInt
  private let script: ScriptedServer.RawScript
  private let state = Mutex(State())

  init(address: String, port: Int, script: @escaping ScriptedServer.RawScript) throws {
    (listener, self.port) = try LoopbackSocket.bound(to: address, port: port)
    self.address = address
    self.script = script
    guard listen(listener, 256) == 0 else { throw LoopbackError("listen") }
  }

  deinit { close(listener) }

  func start() { Thread.detachNewThread { [self] in acceptAll() } }

  func stopListening() { shutdown(listener, CInt(SHUT_RDWR)) }

  func stop() {
    let connections = state.withLock { state in
      state.isStopped = true
      return Array(state.connections.values)
    }
    // The accepting thread retains the engine until this wakes it; releasing the engine closes the socket.
    shutdown(listener, CInt(SHUT_RDWR))
    for connection in connections { connection.interrupt() }
  }

  private func acceptAll() {
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        // A test may temporarily use all descriptors of the process.
        if errno == EMFILE {
          sched_yield()
          continue
        }
        return
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      var yes: CInt = 1
      setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
      let number = counts.update { counts in
        counts.accepted += 1
        return counts.accepted
      }
      let connection = WireConnection(descriptor: descriptor, number: number)
      let isStopped = state.withLock { state in
        state.connections[number] = connection
        return state.isStopped
      }
      guard !isStopped else { return connection.close() }
      Thread.detachNewThread { [self] in serve(connection) }
    }
  }

  private func serve(_ connection: WireConnection) {
    defer {
      connection.close()
      state.withLock { _ = $0.connections.removeValue(forKey: connection.number) }
      counts.update { $0.closed += 1 }
    }
    do {
      while let request = try connection.readHead() {
        requests.withLock { $0.append(request) }
        counts.update { $0.requests += 1 }
        try script(request, connection)
        guard connection.takeStaysOpen() else { return }
      }
    } catch {
      // The client disconnected, which is normal for a server; the test asserts on the client's side.
    }
  }
}

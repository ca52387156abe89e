import Interception
import RequestLogging

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The thread of a page's server: waits for its descriptors, reads, answers and writes.
// Safe to send: the thread that starts it hands it over and no longer uses it.
final class PageLoop: @unchecked Sendable {
  private let listener: CInt
  private let waking: CInt
  private let control: PageServer.Control
  private let access: PageAccess
  private let answers: PageAnswers
  private let limits: PageConnection.Limits
  private let time = TimeSource.system
  private var connections: [CInt: PageConnection] = [:]
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)
  private var lastEvent = Duration.zero
  /// The time before which no connection is accepted, because the process had no descriptor left.
  private var acceptingStart = Duration.zero
  private static let acceptPause = Duration.milliseconds(100)
  private var isWatching = false

  init(
    listener: CInt, waking: CInt, control: PageServer.Control, access: PageAccess, answers: PageAnswers,
    limits: PageConnection.Limits
  ) {
    (self.listener, self.waking, self.control) = (listener, waking, control)
    (self.access, self.answers, self.limits) = (access, answers, limits)
  }

  /// Starts a detached thread; returns an error number, or 0.
  func start() -> CInt {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    let work = Unmanaged.passRetained(self)
    #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(
      &thread, &attributes,
      { work in
        Unmanaged<PageLoop>.fromOpaque(work).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    #else
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { work in
        if let work { Unmanaged<PageLoop>.fromOpaque(work).takeRetainedValue().run() }
        return nil
      }, work.toOpaque())
    #endif
    if code != 0 { work.release() }
    return code
  }

  private func run() {
    while !control.isStopped { round() }
    answers.log.changes.watch(Int(listener), nil)
    for descriptor in connections.keys { close(descriptor) }
    close(listener)
    // First the end that other threads write to: without a reader a write would end the process.
    control.closeWaker()
    close(waking)
    control.noteEnd()
  }

  /// Waits for something to do, and does it.
  private func round() {
    let order = Array(connections.keys)
    var polled = [pollfd(fd: waking, events: Int16(POLLIN), revents: 0)]
    // A descriptor of -1 is ignored: further browsers wait until a connection or a descriptor is free.
    let isFull = connections.count >= limits.connections || time.now() < acceptingStart
    polled.append(pollfd(fd: isFull ? -1 : listener, events: Int16(POLLIN), revents: 0))
    for descriptor in order {
      guard let connection = connections[descriptor] else { continue }
      let events = (connection.isReading ? POLLIN : 0) | (connection.hasOutput ? POLLOUT : 0)
      polled.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    }
    let count = poll(&polled, nfds_t(polled.count), timeout())
    guard count >= 0 || errno == EINTR else { return control.stop() }
    if polled[0].revents != 0 { drainPipe() }
    for (descriptor, entry) in zip(order, polled.dropFirst(2)) where entry.revents != 0 {
      advance(descriptor, Int32(entry.revents))
    }
    if polled[1].revents != 0 { acceptAll() }
    closeOverdue()
    tellChanges()
  }

  private func drainPipe() {
    // Before it is read, so that a change from now on wakes the thread again.
    control.noteAwake()
    while case .done(let count) = LoopbackSocket.read(waking, into: &buffer), count == buffer.count {}
  }

  private func acceptAll() {
    let now = time.now()
    while connections.count < limits.connections {
      switch LoopbackSocket.accept(listener) {
      case .accepted(let descriptor): connections[descriptor] = PageConnection(at: now)
      case .none: return
      case .exhausted:
        // The connection still waits, so that polling for it would return at once.
        acceptingStart = now + Self.acceptPause
        return
      }
    }
  }

  private func advance(_ descriptor: CInt, _ events: Int32) {
    guard var connection = connections.removeValue(forKey: descriptor) else { return }
    var isOpen = events & (Int32(POLLERR) | Int32(POLLNVAL)) == 0
    if isOpen, events & (Int32(POLLIN) | Int32(POLLHUP)) != 0 {
      isOpen = connection.isReading ? read(descriptor, &connection) : events & Int32(POLLHUP) == 0
    }
    if isOpen { isOpen = write(descriptor, &connection) }
    if isOpen, !connection.isFinished {
      connections[descriptor] = connection
    } else {
      close(descriptor)
    }
  }

  private func read(_ descriptor: CInt, _ connection: inout PageConnection) -> Bool {
    switch LoopbackSocket.read(descriptor, into: &buffer) {
    case .done(let count): connection.receive(buffer.prefix(count), at: time.now(), answer)
    case .later: break
    case .ended: return false
    }
    return true
  }

  /// Writes what the system takes; returns whether the connection is intact.
  private func write(_ descriptor: CInt, _ connection: inout PageConnection) -> Bool {
    while connection.hasOutput {
      switch LoopbackSocket.write(descriptor, connection.pendingOutput) {
      case .done(let count): connection.noteWritten(count, at: time.now(), answer)
      case .later: return true
      case .ended: return false
      }
    }
    return true
  }

  private func answer(_ request: PageRequest) -> PageAnswer {
    switch access.verdict(on: request) {
    case .admitted(let path, let query):
      return answers.answer(to: request.method, path, query, body: request.body)
    case .redirected:
      return PageAnswer(status: 308, fields: [("Location", "/\(access.token)/")])
    case .refused(let status): return .refusal(status)
    }
  }

  private func closeOverdue() {
    let now = time.now()
    for descriptor in connections.keys where connections[descriptor]?.isOverdue(at: now, limits) == true {
      close(descriptor)
      connections[descriptor] = nil
    }
  }

  private func tellChanges() {
    let streams = connections.filter { $0.value.isEventStream }
    if streams.isEmpty == isWatching {
      isWatching = !streams.isEmpty
      if isWatching {
        answers.log.changes.watch(Int(listener)) { [control] in control.wake() }
      } else {
        answers.log.changes.watch(Int(listener), nil)
      }
    }
    let (last, now) = (answers.log.changes.last, time.now())
    guard streams.contains(where: { $0.value.awaits(last) }), now - lastEvent >= limits.pause else { return }
    lastEvent = now
    let text = String(decoding: answers.event.bytes, as: UTF8.self)
    for (descriptor, var connection) in streams {
      connection.tell(last, text, at: now)
      if write(descriptor, &connection) {
        connections[descriptor] = connection
      } else {
        close(descriptor)
        connections[descriptor] = nil
      }
    }
  }

  /// The time to wait in milliseconds; -1 for any.
  private func timeout() -> CInt {
    var deadline = connections.values.map { $0.deadline(limits) }.min()
    let last = answers.log.changes.last
    if connections.values.contains(where: { $0.awaits(last) && !$0.hasOutput }) {
      deadline = min(deadline ?? .seconds(Int64.max >> 1), lastEvent + limits.pause)
    }
    if time.now() < acceptingStart { deadline = min(deadline ?? acceptingStart, acceptingStart) }
    guard let deadline else { return -1 }
    let (seconds, attoseconds) = max(.zero, deadline - time.now()).components
    return CInt(min(seconds, 3_600) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}

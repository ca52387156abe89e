#if os(Linux) && canImport(Glibc)
import Glibc
import Synchronization

/// The thread that reads a netlink socket and reports states to a stream.
final class NetlinkReader: Sendable {
  /// The minimum time between the end of a dump and the next one, in milliseconds, so that a storm of
  /// notifications costs little.
  private static let pause: CInt = 100

  /// The end of a socket pair whose closing ends the thread; nil afterwards.
  private let stopper: Mutex<CInt?>

  private init(stopper: CInt) { self.stopper = Mutex(stopper) }

  deinit { stop() }

  /// Returns the states that a socket reports.
  ///
  /// - Parameter ended: Called by the thread when it has closed its descriptors.
  static func states(
    over socket: consuming NetlinkSocket, ended: (@Sendable () -> Void)? = nil
  ) throws(NetworkMonitorError) -> AsyncStream<NetworkState> {
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .failure(of: "socketpair", errno) }
    let reader = NetlinkReader(stopper: ends[0])
    let (stream, continuation) = AsyncStream.makeStream(
      of: NetworkState.self, bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { _ in reader.stop() }
    let work = Work(socket: socket, stopped: ends[1], continuation: continuation, ended: ended)
    let code = work.start()
    guard code == 0 else {
      close(ends[1])
      throw .failure(of: "pthread_create", code)
    }
    return stream
  }

  /// Ends the thread, which then closes its descriptors.
  func stop() {
    stopper.withLock { stopper in
      if let descriptor = stopper { close(descriptor) }
      stopper = nil
    }
  }

  /// What the thread owns.
  // Safe to send: the thread that starts it hands it over and no longer uses it.
  private final class Work: @unchecked Sendable {
    private var socket: NetlinkSocket?
    private let stopped: CInt
    private let continuation: AsyncStream<NetworkState>.Continuation
    private let ended: (@Sendable () -> Void)?

    init(
      socket: consuming NetlinkSocket, stopped: CInt, continuation: AsyncStream<NetworkState>.Continuation,
      ended: (@Sendable () -> Void)?
    ) {
      self.socket = consume socket
      self.stopped = stopped
      self.continuation = continuation
      self.ended = ended
    }

    /// Starts a detached thread; returns an error number, or 0.
    func start() -> CInt {
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
      var thread = pthread_t()
      let work = Unmanaged.passRetained(self)
      let code = pthread_create(
        &thread, &attributes,
        { work in
          if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
          return nil
        }, work.toOpaque())
      if code != 0 { work.release() }
      return code
    }

    private func run() {
      if let socket = socket.take() { follow(socket) }
      close(stopped)
      continuation.finish()
      ended?()
    }

    private func follow(_ socket: borrowing NetlinkSocket) {
      var session = NetlinkSession(port: socket.port)
      guard socket.write(session.begin()) == 0 else { return }
      var polled = [
        pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
        pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      while true {
        if session.needsDump {
          // Only the end is awaited: what arrives meanwhile is read before the next dump begins.
          let count = poll(&polled, 1, NetlinkReader.pause)
          guard count == 0 || count < 0 && errno == EINTR else { return }
          guard drain(socket, into: &session) else { return }
          if session.needsDump { guard socket.write(session.begin()) == 0 else { return } }
        }
        let count = poll(&polled, 2, -1)
        guard count > 0 || errno == EINTR else { return }
        // Closing the other end makes this one readable.
        if count > 0, polled[0].revents != 0 { return }
        guard drain(socket, into: &session) else { return }
      }
    }

    /// Reads what has arrived; returns whether to continue.
    private func drain(_ socket: borrowing NetlinkSocket, into session: inout NetlinkSession) -> Bool {
      while true {
        let actions: [NetlinkSession.Action]
        switch socket.read() {
        case .datagram(let bytes): actions = session.receive(bytes[...])
        case .loss: actions = session.noteLoss()
        case .empty: return true
        case .failed: return false
        }
        for action in actions {
          switch action {
          case .send(let request): guard socket.write(request) == 0 else { return false }
          case .publish(let table): continuation.yield(table.state(deviceType: DeviceType.read))
          case .fail: return false
          }
        }
      }
    }
  }
}

/// Reads what kind of device an interface is from sysfs.
enum DeviceType {
  /// Returns the value of `DEVTYPE` in the interface's `uevent` file, such as `wlan`; nil if it has none.
  static func read(_ name: String) -> String? {
    guard !name.contains("/"), name != "..", name != "." else { return nil }
    let descriptor = open("/sys/class/net/\(name)/uevent", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let text = [UInt8](unsafeUninitializedCapacity: 1_024) { buffer, filled in
      filled = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    }
    return value(in: String(decoding: text, as: UTF8.self))
  }

  static func value(in text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }.map { String($0.dropFirst(8)) }
  }
}
#endif

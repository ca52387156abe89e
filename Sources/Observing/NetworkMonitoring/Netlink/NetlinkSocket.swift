#if os(Linux) && canImport(Glibc)
import Glibc

/// An open netlink socket, which is closed when the value ends.
struct NetlinkSocket: ~Copyable {
  /// The result of reading.
  enum Reading {
    /// A datagram.
    case datagram([UInt8])
    /// Datagrams were lost, because the socket had no room for them, or one was too long.
    case loss
    /// There is no datagram now.
    case empty
    /// The socket can't be used any more.
    case failed(code: CInt)
  }

  let descriptor: CInt
  /// The number under which the kernel sends to the socket.
  let port: UInt32

  /// Takes over a descriptor.
  init(descriptor: CInt, port: UInt32) {
    self.descriptor = descriptor
    self.port = port
  }

  deinit { close(descriptor) }

  /// Opens a socket that receives notifications of links, addresses and routes, in the network namespace of
  /// the calling thread.
  static func open() throws(NetworkMonitorError) -> NetlinkSocket {
    let kind = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    // The protocol NETLINK_ROUTE is 0.
    let descriptor = socket(AF_NETLINK, kind, 0)
    guard descriptor >= 0 else { throw .failure(of: "socket", errno) }
    // struct sockaddr_nl: family, padding, port, groups. With port 0 the kernel chooses one.
    var name = [UInt16(AF_NETLINK), 0, 0, 0, 0, 0]
    name[4] = UInt16(truncatingIfNeeded: NetlinkConstant.groups)
    if UInt32(1).bigEndian == 1 { name.swapAt(4, 5) }
    var length = socklen_t(12)
    let code = name.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return EINVAL }
      guard bind(descriptor, start, length) == 0, getsockname(descriptor, start, &length) == 0 else {
        return errno
      }
      return 0
    }
    guard code == 0 else {
      close(descriptor)
      throw .failure(of: "bind", code)
    }
    let port = name.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self) }
    return NetlinkSocket(descriptor: descriptor, port: port)
  }

  /// Reads a datagram from the kernel without waiting.
  func read() -> Reading {
    var sender = [UInt32](repeating: 0, count: 4)
    var senderLength = socklen_t(16)
    var count = 0
    var code: CInt = 0
    // The kernel's datagrams have at most 32 KiB.
    let bytes = [UInt8](unsafeUninitializedCapacity: 32 << 10) { buffer, filled in
      repeat {
        count = sender.withUnsafeMutableBytes { name in
          recvfrom(
            descriptor, buffer.baseAddress, buffer.count, CInt(MSG_TRUNC),
            name.baseAddress?.assumingMemoryBound(to: sockaddr.self), &senderLength)
        }
        code = count < 0 ? errno : 0
      } while code == EINTR
      filled = max(0, min(count, buffer.count))
    }
    switch code {
    case 0: break
    case EAGAIN: return .empty
    case ENOBUFS: return .loss
    default: return .failed(code: code)
    }
    // With MSG_TRUNC the result is the datagram's length.
    guard count <= bytes.count else { return .loss }
    // A datagram of another process has its port; the kernel has port 0.
    guard senderLength < 12 || sender[1] == 0 else { return .datagram([]) }
    return .datagram(bytes)
  }

  /// Sends a request to the kernel; returns the error number, or 0.
  func write(_ request: [UInt8]) -> CInt {
    while true {
      if send(descriptor, request, request.count, CInt(MSG_NOSIGNAL)) >= 0 { return 0 }
      if errno != EINTR { return errno }
    }
  }
}

extension NetworkMonitorError {
  static func failure(of call: String, _ code: CInt) -> NetworkMonitorError {
    .system(call: call, reason: String(cString: strerror(code)))
  }
}
#endif

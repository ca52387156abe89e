#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The calls of the system for sockets on 127.0.0.1; none of them blocks.
enum LoopbackSocket {
  /// Opens a port of 127.0.0.1 for connections, and returns its descriptor and number.
  static func listen(on port: UInt16) throws(InspectorError) -> (descriptor: CInt, port: UInt16) {
    #if canImport(Darwin)
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw InspectorError(.system("socket", errno)) }
    var yes: CInt = 1
    // The port is free at once after a restart.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard bound == 0, setUp(descriptor), Self.listen(descriptor) == 0 else {
      let code = errno
      close(descriptor)
      throw InspectorError(
        code == EADDRINUSE
          ? .portTaken(port) : code == EACCES ? .portForbidden(port) : .system("bind", code))
    }
    var given = sockaddr_in()
    var givenLength = length
    let isKnown = withUnsafeMutablePointer(to: &given) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &givenLength) }
    }
    guard isKnown == 0 else {
      let code = errno
      close(descriptor)
      throw InspectorError(.system("getsockname", code))
    }
    return (descriptor, UInt16(bigEndian: given.sin_port))
  }

  // Named apart, because the function of the system has the name of the one above.
  #if canImport(Darwin)
  private static func listen(_ descriptor: CInt) -> CInt { Darwin.listen(descriptor, 64) }
  #elseif canImport(Musl)
  private static func listen(_ descriptor: CInt) -> CInt { Musl.listen(descriptor, 64) }
  #else
  private static func listen(_ descriptor: CInt) -> CInt { Glibc.listen(descriptor, 64) }
  #endif

  /// What accepting a connection led to.
  enum Acceptance: Equatable {
    case accepted(CInt)
    /// None waits, or the one that did is gone.
    case none
    /// One waits, for which the process has no descriptor or the system no memory.
    case exhausted

    /// Returns what an error number of the system means.
    static func failed(with code: CInt) -> Acceptance {
      [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) ? .exhausted : .none
    }
  }

  /// Accepts the next connection.
  static func accept(_ listener: CInt) -> Acceptance {
    #if canImport(Darwin)
    let descriptor = Darwin.accept(listener, nil, nil)
    #elseif canImport(Musl)
    let descriptor = Musl.accept(listener, nil, nil)
    #else
    let descriptor = Glibc.accept(listener, nil, nil)
    #endif
    guard descriptor >= 0 else { return .failed(with: errno) }
    guard setUp(descriptor) else {
      close(descriptor)
      return .none
    }
    return .accepted(descriptor)
  }

  /// Returns the two ends of a pipe, to read and to write.
  static func pipe() throws(InspectorError) -> (reading: CInt, writing: CInt) {
    var ends: [CInt] = [-1, -1]
    #if canImport(Darwin)
    let code = Darwin.pipe(&ends)
    #elseif canImport(Musl)
    let code = Musl.pipe(&ends)
    #else
    let code = Glibc.pipe(&ends)
    #endif
    guard code == 0 else { throw InspectorError(.system("pipe", errno)) }
    guard setUp(ends[0]), setUp(ends[1]) else {
      let code = errno
      ends.forEach { close($0) }
      throw InspectorError(.system("fcntl", code))
    }
    return (ends[0], ends[1])
  }

  /// What reading or writing led to.
  enum Outcome: Equatable {
    case done(Int)
    /// Nothing can be read or written now.
    case later
    /// The other end has closed the connection, or it is broken.
    case ended
  }

  /// Reads into a buffer.
  static func read(_ descriptor: CInt, into buffer: inout [UInt8]) -> Outcome {
    let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
    return count == 0 ? .ended : outcome(count)
  }

  /// Writes as many bytes as the system takes.
  static func write(_ descriptor: CInt, _ bytes: ArraySlice<UInt8>) -> Outcome {
    #if canImport(Darwin)
    let flags: CInt = 0
    #else
    // A connection that has ended is an error and no signal.
    let flags = CInt(MSG_NOSIGNAL)
    #endif
    return outcome(bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) })
  }

  private static func outcome(_ count: Int) -> Outcome {
    if count >= 0 { return .done(count) }
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .later : .ended
  }

  private static func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int
  {
    #if canImport(Darwin)
    Darwin.read(descriptor, buffer, count)
    #elseif canImport(Musl)
    Musl.read(descriptor, buffer, count)
    #else
    Glibc.read(descriptor, buffer, count)
    #endif
  }

  /// Makes a descriptor one that never blocks and that child processes don't inherit.
  private static func setUp(_ descriptor: CInt) -> Bool {
    #if canImport(Darwin)
    var yes: CInt = 1
    // It has no effect on a pipe.
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<CInt>.size))
    #endif
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
      && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
  }
}

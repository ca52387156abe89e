import Foundation

/// The open descriptors of this process, as reported by the system.
public enum OpenSockets {
  /// Returns the number of sockets of this process that are connected *to* a port of the loopback network.
  ///
  /// Their peers, which a server in the same process holds, are not counted.
  public static func count(to port: Int) -> Int { descriptors().count { peerPort($0) == port } }

  /// Returns copies of the descriptors that are connected *to* a port, such as a forked child would have.
  public static func copies(to port: Int) -> [CInt] {
    descriptors().filter { peerPort($0) == port }.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
  }

  /// Returns the number of received but unread bytes in this process's sockets that are connected *to* a
  /// port.
  public static func unreadBytes(from port: Int) -> Int {
    descriptors().filter { peerPort($0) == port }.reduce(0) { sum, descriptor in
      var count: CInt = 0
      return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? sum + Int(count) : sum
    }
  }

  /// Returns the number of open descriptors of any kind.
  public static func descriptorCount() -> Int { descriptors().count }

  /// Returns the current resident memory of this process in bytes.
  public static func residentBytes() -> Int { status("VmRSS") << 10 }

  /// Returns the number of threads of this process.
  public static func threadCount() -> Int { status("Threads") }

  /// Returns a number of this process's status; 0 if there is none.
  private static func status(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  private static func descriptors() -> [CInt] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).compactMap { CInt($0) }
  }

  private static func peerPort(_ descriptor: CInt) -> Int? {
    var name = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
    }
    guard code == 0, name.sin_family == sa_family_t(AF_INET) else { return nil }
    return Int(UInt16(bigEndian: name.sin_port))
  }
}

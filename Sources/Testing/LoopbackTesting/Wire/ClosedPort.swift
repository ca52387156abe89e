#if LoopbackTesting
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A port of 127.0.0.1 that refuses connections for the lifetime of the value.
///
/// It is bound but not listening, so no other process can use it.
package final class ClosedPort: Sendable {
  /// The port number.
  package let number: Int
  private let descriptor: CInt

  /// Reserves a port.
  ///
  /// - Throws: ``LoopbackError`` if the system provides none.
  package init() throws {
    #if canImport(Darwin) || canImport(Musl)
    let kind = SOCK_STREAM
    #else
    let kind = CInt(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
      }
    }
    guard descriptor >= 0, isBound else {
      if descriptor >= 0 { close(descriptor) }
      throw LoopbackError("No port of 127.0.0.1 can be reserved: \(String(cString: strerror(errno))).")
    }
    self.descriptor = descriptor
    number = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }
}
#endif

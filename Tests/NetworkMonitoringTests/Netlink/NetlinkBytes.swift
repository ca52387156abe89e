@testable import NetworkMonitoring

/// Builds netlink messages as the kernel does.
enum NetlinkBytes {
  static func message(
    _ type: UInt16, flags: UInt16 = 2, sequence: UInt32 = 1, port: UInt32 = 7, _ payload: [UInt8] = []
  ) -> [UInt8] {
    let header =
      bytes(UInt32(16 + payload.count)) + bytes(type) + bytes(flags) + bytes(sequence) + bytes(port)
    return padded(header + payload)
  }

  static func link(
    _ index: UInt32, _ name: String, hardware: UInt16 = 1, flags: UInt32 = 0x41
  ) -> [UInt8] {
    [0, 0] + bytes(hardware) + bytes(index) + bytes(flags) + bytes(UInt32(0))
      + attribute(3, Array(name.utf8) + [0])
  }

  static func address(_ link: UInt32, _ bytes: [UInt8], flags: UInt8 = 0x80) -> [UInt8] {
    [bytes.count == 4 ? 2 : 10, 24, flags, 0] + Self.bytes(link) + attribute(1, bytes)
  }

  static func defaultRoute(
    _ link: UInt32, gateway: [UInt8]?, priority: UInt32 = 100, type: UInt8 = 1, prefix: UInt8 = 0
  ) -> [UInt8] {
    [2, prefix, 0, 0, 254, 3, 0, type] + bytes(UInt32(0)) + attribute(4, bytes(link))
      + attribute(6, bytes(priority)) + (gateway.map { attribute(5, $0) } ?? [])
  }

  static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    padded(bytes(UInt16(4 + value.count)) + bytes(type) + value)
  }

  static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { NetlinkMessage.bytes(of: number) }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }
}

extension NetworkTable {
  /// Creates a table from the messages of a dump.
  init(_ payloads: [(type: UInt16, payload: [UInt8])]) {
    self.init()
    for (type, payload) in payloads {
      record(NetlinkMessage(type: type, flags: 2, sequence: 1, port: 7, payload: payload[...]))
    }
  }
}

/// A message of a netlink datagram (RFC 3549, section 2.3.2).
struct NetlinkMessage: Hashable {
  /// The length of a header in bytes.
  static let headerSize = 16

  let type: UInt16
  let flags: UInt16
  let sequence: UInt32
  /// The port of the socket whose request the message belongs to.
  let port: UInt32
  let payload: ArraySlice<UInt8>

  /// Splits a datagram into its messages.
  ///
  /// - Returns: The messages up to the first one with an impossible length, and whether there was none.
  static func messages(in datagram: ArraySlice<UInt8>) -> (messages: [NetlinkMessage], isComplete: Bool) {
    var messages: [NetlinkMessage] = []
    var rest = datagram
    while !rest.isEmpty {
      guard let length = rest.number32(at: 0).map(Int.init), let type = rest.number16(at: 4),
        let flags = rest.number16(at: 6), let sequence = rest.number32(at: 8),
        let port = rest.number32(at: 12),
        (headerSize...rest.count).contains(length)
      else { return (messages, false) }
      messages.append(
        NetlinkMessage(
          type: type, flags: flags, sequence: sequence, port: port,
          payload: rest.dropFirst(headerSize).prefix(length - headerSize)))
      // The last message may lack its padding.
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return (messages, true)
  }

  /// Returns the attributes after a message's fixed part by their types; the last of a type counts.
  ///
  /// Attributes after the first one with an impossible length are ignored.
  static func attributes(_ bytes: ArraySlice<UInt8>) -> [UInt16: ArraySlice<UInt8>] {
    var attributes: [UInt16: ArraySlice<UInt8>] = [:]
    var rest = bytes
    while let length = rest.number16(at: 0).map(Int.init), let type = rest.number16(at: 2),
      (4...rest.count).contains(length)
    {
      // The two highest bits are flags.
      attributes[type & 0x3FFF] = rest.dropFirst(4).prefix(length - 4)
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return attributes
  }

  /// Returns the request for all objects of a kind.
  static func dumpRequest(_ type: UInt16, sequence: UInt32) -> [UInt8] {
    // The payload is the fixed part of the longest kind, for any address family.
    let payload = [UInt8](repeating: 0, count: 16)
    let length = UInt32(headerSize + payload.count)
    return bytes(of: length) + bytes(of: type) + bytes(of: NetlinkConstant.request | NetlinkConstant.dump)
      + bytes(of: sequence) + bytes(of: UInt32(0)) + payload
  }

  /// Returns the bytes of a number in the byte order of this machine, which netlink uses.
  static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }
}

extension ArraySlice<UInt8> {
  /// Reads a number in the byte order of this machine at an offset; nil beyond the end.
  func number16(at offset: Int) -> UInt16? {
    guard count >= offset + 2 else { return nil }
    let start = startIndex + offset
    return (UInt16(self[start]) | UInt16(self[start + 1]) << 8).inMemoryOrder
  }

  /// Reads a number in the byte order of this machine at an offset; nil beyond the end.
  func number32(at offset: Int) -> UInt32? {
    guard count >= offset + 4 else { return nil }
    let start = startIndex + offset
    return (0..<4).reduce(0) { $0 | UInt32(self[start + $1]) << UInt32($1 * 8) }.inMemoryOrder
  }
}

extension FixedWidthInteger {
  /// A number that was assembled in little-endian order, in the byte order of this machine.
  fileprivate var inMemoryOrder: Self { Self(littleEndian: self) }
}

/// Numbers of the headers `linux/netlink.h`, `linux/rtnetlink.h` and `linux/if.h`, which the C library's
/// module doesn't contain.
enum NetlinkConstant {
  // Types of control messages.
  static let error: UInt16 = 2
  static let done: UInt16 = 3
  static let overrun: UInt16 = 4

  // Flags of messages.
  static let request: UInt16 = 0x01
  static let dumpInterrupted: UInt16 = 0x10
  static let dump: UInt16 = 0x300

  // Types of messages about links, addresses and routes.
  static let newLink: UInt16 = 16
  static let deletedLink: UInt16 = 17
  static let getLink: UInt16 = 18
  static let newAddress: UInt16 = 20
  static let deletedAddress: UInt16 = 21
  static let getAddress: UInt16 = 22
  static let newRoute: UInt16 = 24
  static let deletedRoute: UInt16 = 25
  static let getRoute: UInt16 = 26

  /// The multicast groups of links, IPv4 addresses and routes, and IPv6 addresses and routes.
  static let groups: UInt32 = 0x01 | 0x10 | 0x40 | 0x100 | 0x400

  // Attributes.
  static let linkName: UInt16 = 3
  static let addressOfInterface: UInt16 = 1
  static let localAddress: UInt16 = 2
  static let addressFlags: UInt16 = 8
  static let routeInterface: UInt16 = 4
  static let routeGateway: UInt16 = 5
  static let routePriority: UInt16 = 6
  static let routeMultipath: UInt16 = 9

  // Flags of links.
  static let linkIsUp: UInt32 = 0x01
  static let linkIsLoopback: UInt32 = 0x08
  static let linkIsRunning: UInt32 = 0x40

  /// The flags of an address that is checked for duplicates, or is one.
  static let unusableAddress: UInt32 = 0x40 | 0x08

  /// The type of routes to one destination.
  static let unicastRoute: UInt8 = 1
}

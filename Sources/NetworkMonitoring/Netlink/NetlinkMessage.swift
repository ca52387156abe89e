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

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

/// A version of libcurl.
struct LibraryVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// libcurl's number: a byte for each of major, minor and patch.
  let number: UInt32

  init(number: UInt32) { self.number = number }

  init(_ major: UInt8, _ minor: UInt8, _ patch: UInt8 = 0) {
    number = UInt32(major) << 16 | UInt32(minor) << 8 | UInt32(patch)
  }

  var description: String { "\(number >> 16).\(number >> 8 & 0xFF).\(number & 0xFF)" }

  static func < (left: LibraryVersion, right: LibraryVersion) -> Bool { left.number < right.number }
}

/// A version of libcurl.
struct LibraryVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  let major: UInt8
  let minor: UInt8
  let patch: UInt8

  init(_ major: UInt8, _ minor: UInt8, _ patch: UInt8 = 0) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Reads libcurl's number: a byte for each of major, minor and patch.
  init(number: UInt32) {
    self.init(
      UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8),
      UInt8(truncatingIfNeeded: number))
  }

  var description: String { "\(major).\(minor).\(patch)" }

  static func < (left: LibraryVersion, right: LibraryVersion) -> Bool {
    (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
  }
}

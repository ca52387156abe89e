import Cryptography
package import Interception

/// The content of the file of a list: the signed bytes as they were fetched, and when.
///
/// Two lines precede the bytes: one with the version and the time, and one with the SHA-256 of that line and
/// the bytes. The hash shows damage; against forgery the signature is verified again.
package struct AddressListRecord: Hashable {
  private static let title = "switchyard addresses 1 "

  /// When the bytes were fetched.
  package let refreshed: WallTime
  /// The bytes.
  package let signed: [UInt8]

  /// Creates a record.
  package init(refreshed: WallTime, signed: [UInt8]) {
    self.refreshed = refreshed
    self.signed = signed
  }

  /// Returns the file's content; nil if libcrypto can't hash.
  package func encoded() -> [UInt8]? {
    let first = Array("\(Self.title)\(refreshed.seconds)\n".utf8)
    guard let hash = try? Digest.sha256(first + signed) else { return nil }
    return first + Array("\(Hexadecimal.encode(hash))\n".utf8) + signed
  }

  /// Parses the file's content; nil if it is damaged.
  package static func decode(_ bytes: [UInt8]) -> AddressListRecord? {
    let parts = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].starts(with: title.utf8),
      let seconds = Int64(String(decoding: parts[0].dropFirst(title.utf8.count), as: UTF8.self)),
      seconds >= 0
    else { return nil }
    let record = AddressListRecord(
      refreshed: WallTime(secondsSince1970: seconds), signed: Array(parts[2]))
    // Compared as a whole, so that there is one content for each record.
    return record.encoded() == bytes ? record : nil
  }
}

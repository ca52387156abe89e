import Cryptography
package import Interception

/// A list of addresses per host as a server sends it, before it is checked.
package struct AddressList: Sendable, Hashable {
  /// The host names, with an optional port, and their addresses, as in ``AddressTable``.
  package let hosts: [String: [String]]
  /// When the server has issued the list, or nil if that isn't known.
  ///
  /// A list that is older than the one in use is refused, as is one without this time if the one in use has
  /// it. A list that was issued more than 30 days before the clock's time, or more than a day after it, is
  /// refused, too.
  package let issued: WallTime?

  /// Creates a list.
  package init(hosts: [String: [String]], issued: WallTime? = nil) {
    self.hosts = hosts
    self.issued = issued
  }

  /// Parses the text form, which the documentation of ``AddressListRefresher`` describes.
  ///
  /// - Throws: ``AddressListError``.
  package init(text: [UInt8]) throws(AddressListError) {
    var hosts: [String: [String]] = [:]
    var issued: WallTime?
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      // Split at bytes: a space or "#" before a combining character is another Character.
      let parts = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      let words = parts.compactMap { String(validating: $0, as: UTF8.self) }
      guard words.count == parts.count else { throw AddressListError(.malformed(line: index + 1)) }
      guard let name = words.first, name.utf8.first != UInt8(ascii: "#") else { continue }
      if name == "issued" {
        guard words.count == 2, issued == nil, let seconds = Int64(words[1]), seconds >= 0 else {
          throw AddressListError(.malformed(line: index + 1))
        }
        issued = WallTime(secondsSince1970: seconds)
      } else {
        guard words.count > 1, hosts[name] == nil else { throw AddressListError(.malformed(line: index + 1)) }
        hosts[name] = Array(words.dropFirst())
      }
    }
    self.init(hosts: hosts, issued: issued)
  }
}

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

  /// Creates a record; a time before 1970, which a clock has that was never set, is not stored.
  package init(refreshed: WallTime, signed: [UInt8]) {
    self.refreshed = max(refreshed, WallTime(secondsSince1970: 0))
    self.signed = signed
  }

  /// Returns the file's content; nil if no SHA-256 can be computed.
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

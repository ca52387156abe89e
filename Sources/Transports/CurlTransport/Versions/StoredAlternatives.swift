import Cryptography
import Interception

/// The content of an ``AlternativeServiceFile``; a value without I/O.
///
/// The text is a line with the version, a line for each advertisement, sorted, and a line with their number,
/// which shows whether the file is complete:
///
///     switchyard alternatives 1
///     www.estate.example 443 - 443 1790000000
///     end 1
///
/// A line has the origin's host and port, the digest of the partition or "-" for the empty one, the port of
/// the alternative, and the second since 1970 at which it expires.
package struct StoredAlternatives: Sendable, Hashable {
  /// What an advertisement is kept for.
  struct Key: Sendable, Hashable, Comparable {
    let host: String
    let port: Int
    let partition: String

    static func < (left: Key, right: Key) -> Bool {
      (left.host, left.port, left.partition) < (right.host, right.port, right.partition)
    }
  }

  struct Service: Sendable, Hashable {
    let port: Int
    let expiry: Int64
  }

  private static let titlePrefix = "switchyard alternatives "
  private static let title = titlePrefix + "1"
  private static let emptyPartition = "-"
  private static let digestLength = 32
  /// The maximum length of a host; an advertisement of a longer one is not stored.
  static let maximumHostLength = 255
  /// The maximum number of bytes of a text: two ports, a time and their separators take less than 48.
  static let maximumSize = 64 + AlternativeServices.capacity * (maximumHostLength + digestLength + 48)

  private(set) var services: [Key: Service] = [:]

  /// Creates a content without advertisements.
  package init() {}

  var isEmpty: Bool { services.isEmpty }

  // MARK: Changes

  /// Returns the key of an advertisement; nil for one that is not stored.
  static func key(_ origin: WebOrigin, partition: String) -> Key? {
    guard origin.scheme == .https, isStorable(host: origin.host), let name = name(ofPartition: partition)
    else { return nil }
    return Key(host: origin.host, port: origin.port, partition: name)
  }

  /// Returns the name of a partition in the file: a digest, because the partition may be an account; nil for
  /// one that means nothing in another process, or that is not kept on disk.
  static func name(ofPartition partition: String) -> String? {
    if partition.isEmpty { return emptyPartition }
    // Logins without a name, holders of credentials, and several accounts together have a null byte.
    guard partition.isWholeInC else { return nil }
    return HashValue.text(of: "alternative services", partition).map { String($0.prefix(digestLength)) }
  }

  private static func isStorable(host: String) -> Bool {
    host.utf8.count <= maximumHostLength && host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
      && AuthoritySyntax.isHost(host)
  }

  /// Stores a service, or removes it if it is nil; returns whether that changes the content.
  @discardableResult
  mutating func set(_ service: Service?, for key: Key) -> Bool {
    guard services[key] != service else { return false }
    if service != nil, services[key] == nil, services.count >= AlternativeServices.capacity {
      services.min { $0.value.expiry < $1.value.expiry }.map { services[$0.key] = nil }
    }
    services[key] = service
    return true
  }

  /// Removes the services that have expired, and those that a clock which was set back would keep for too
  /// long.
  mutating func removeInvalid(at now: WallTime) {
    let (latest, isOver) = now.seconds.addingReportingOverflow(Int64(AlternativeServices.maximumAge))
    services = services.filter { $0.value.expiry > now.seconds && (isOver || $0.value.expiry <= latest) }
  }

  // MARK: Text

  /// The text.
  var encoded: [UInt8] {
    var text = Self.title + "\n"
    for (key, service) in services.sorted(by: { $0.key < $1.key }) {
      text += "\(key.host) \(key.port) \(key.partition) \(service.port) \(service.expiry)\n"
    }
    return Array("\(text)end \(services.count)\n".utf8)
  }

  /// Whether a text may be replaced: it is empty, or begins as those that this type writes, now or in another
  /// version.
  static func isOwn(_ text: [UInt8]) -> Bool { text.isEmpty || text.starts(with: titlePrefix.utf8) }

  /// Parses a text, without what is not valid at a time; nil unless it is one that was written as a whole.
  init?(_ text: [UInt8], at now: WallTime) {
    guard text.count <= Self.maximumSize else { return nil }
    var lines = text.split(separator: 0x0A, maxSplits: AlternativeServices.capacity + 1)[...]
    guard lines.popFirst()?.elementsEqual(Self.title.utf8) == true, lines.popLast() != nil else { return nil }
    for line in lines {
      guard let (key, service) = Self.advertisement(line) else { return nil }
      services[key] = service
    }
    // In any other form it was changed, or is not complete.
    guard encoded == text else { return nil }
    removeInvalid(at: now)
  }

  private static func advertisement(_ line: ArraySlice<UInt8>) -> (Key, Service)? {
    let words = line.split(separator: 0x20, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard words.count == 5, isStorable(host: words[0]), words[0] == words[0].lowercased(),
      let port = AuthoritySyntax.port(words[1][...]), isPartition(words[2]),
      let alternativePort = AuthoritySyntax.port(words[3][...]), let expiry = Int64(words[4])
    else { return nil }
    return (
      Key(host: words[0], port: port, partition: words[2]), Service(port: alternativePort, expiry: expiry)
    )
  }

  private static func isPartition(_ name: String) -> Bool {
    name == emptyPartition
      || (name.utf8.count == digestLength
        && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
  }
}

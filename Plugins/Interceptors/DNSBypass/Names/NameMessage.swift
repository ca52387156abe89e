import Interception

/// The messages of DNS (RFC 1035, section 4), as far as the addresses of hosts need them.
enum NameMessage {
  /// A type of records that hold addresses.
  enum RecordType: UInt16, Sendable, CaseIterable {
    /// IPv4 addresses.
    case version4 = 1
    /// IPv6 addresses (RFC 3596).
    case version6 = 28

    fileprivate var length: Int { self == .version4 ? 4 : 16 }
  }

  /// What a server said about a name.
  struct Answer: Sendable, Hashable {
    /// The addresses in the server's order; none if the name or such an address doesn't exist.
    var addresses: [IPAddress] = []
    /// The shortest time for which a record that led to the addresses is valid; nil without addresses.
    var timeToLive: Duration?
  }

  /// Why a message is no answer.
  enum Fault: Error, Hashable, CustomStringConvertible {
    /// The message is no response of DNS, or ends early.
    case malformed
    /// The server refused or failed, with a code of RFC 1035, section 4.1.1.
    case refused(code: Int)

    var description: String {
      switch self {
      case .malformed: "its response is no message of DNS"
      case .refused(let code): "it answered with the code \(code) of DNS"
      }
    }
  }

  private static let aliasType: UInt16 = 5
  private static let internet: UInt16 = 1
  /// The maximum number of aliases that are followed.
  private static let maximumAliases = 16

  /// Returns the query for the addresses of a host; nil if it is no name of DNS.
  ///
  /// Its ID is 0, so that equal queries are equal requests (RFC 8484, section 4.1).
  static func query(_ host: String, _ type: RecordType) -> [UInt8]? {
    guard let name = name(of: host) else { return nil }
    // Recursion is desired, and there is one question.
    return [0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + name + [0, UInt8(type.rawValue), 0, UInt8(internet)]
  }

  /// Returns what a response says about a host.
  static func answer(_ message: [UInt8], for host: String, _ type: RecordType) throws(Fault) -> Answer {
    guard let asked = name(of: host) else { throw .malformed }
    var reader = NameReader(message)
    _ = try reader.number()
    let flags = try reader.number()
    // It must be a response, and not be truncated.
    guard flags & 0x8000 != 0, flags & 0x0200 == 0 else { throw .malformed }
    let code = Int(flags & 0x0F)
    // 3: the name doesn't exist.
    guard code == 0 || code == 3 else { throw .refused(code: code) }
    let (questions, answers) = (try reader.number(), try reader.number())
    try reader.skip(4)
    for _ in 0..<questions {
      _ = try reader.name()
      try reader.skip(4)
    }
    var aliases: [[UInt8]: (name: [UInt8], seconds: UInt32)] = [:]
    var found: [(name: [UInt8], address: IPAddress, seconds: UInt32)] = []
    for _ in 0..<answers {
      let name = try reader.name()
      let (recordType, recordClass) = (try reader.number(), try reader.number())
      // A time with the highest bit set means 0 (RFC 2181, section 8).
      let seconds = min(try reader.longNumber(), 0x8000_0000) & 0x7FFF_FFFF
      let data = try reader.data()
      guard recordClass == internet else { continue }
      if recordType == aliasType {
        var target = data
        aliases[name] = (try target.name(), seconds)
      } else if recordType == type.rawValue {
        guard data.bytes.count == type.length, let address = IPAddress(bytes: data.bytes) else {
          throw .malformed
        }
        found.append((name, address, seconds))
      }
    }
    var (current, shortest) = (asked, UInt32.max)
    for _ in 0...maximumAliases {
      let records = found.filter { $0.name == current }
      if !records.isEmpty {
        let seconds = records.map(\.seconds).reduce(shortest, min)
        return Answer(addresses: records.map(\.address), timeToLive: .seconds(Int64(seconds)))
      }
      guard let alias = aliases[current] else { break }
      (current, shortest) = (alias.name, min(shortest, alias.seconds))
    }
    return Answer()
  }

  /// Returns a name as messages have it, in lowercase; nil if it has an empty or a long label.
  private static func name(of host: String) -> [UInt8]? {
    let bytes = Array(host.lowercased().utf8)
    var name: [UInt8] = []
    for label in bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard (1...63).contains(label.count) else { return nil }
      name.append(UInt8(label.count))
      name += label
    }
    return name.count < 255 ? name + [0] : nil
  }
}

/// Reads the parts of a message in order.
struct NameReader {
  /// The maximum length of a name (RFC 1035, section 3.1).
  private static let maximumNameLength = 255
  /// The maximum number of pointers in a name.
  ///
  /// Servers need one or two. A chain of pointers to pointers makes each name of a message as expensive as
  /// the message is long.
  static let maximumPointers = 32

  private let message: [UInt8]
  private var place: Int
  private let end: Int

  init(_ message: [UInt8]) { self.init(message, 0..<message.count) }

  private init(_ message: [UInt8], _ range: Range<Int>) {
    self.message = message
    (place, end) = (range.lowerBound, range.upperBound)
  }

  /// The bytes that were not read.
  var bytes: [UInt8] { Array(message[place..<end]) }

  mutating func number() throws(NameMessage.Fault) -> UInt16 {
    guard end - place >= 2 else { throw .malformed }
    defer { place += 2 }
    return UInt16(message[place]) << 8 | UInt16(message[place + 1])
  }

  mutating func longNumber() throws(NameMessage.Fault) -> UInt32 {
    let high = try number()
    return UInt32(high) << 16 | UInt32(try number())
  }

  mutating func skip(_ count: Int) throws(NameMessage.Fault) {
    guard end - place >= count else { throw .malformed }
    place += count
  }

  /// Reads the data of a record, which its length precedes.
  mutating func data() throws(NameMessage.Fault) -> NameReader {
    let length = Int(try number())
    let start = place
    try skip(length)
    return NameReader(message, start..<place)
  }

  /// Reads a name, which may be compressed (RFC 1035, section 4.1.4), in lowercase.
  mutating func name() throws(NameMessage.Fault) -> [UInt8] {
    var name: [UInt8] = []
    var position = place
    // Each pointer must refer to a place before the part that it ends, so they come to an end.
    var start = place
    var afterPointer: Int?
    var pointers = 0
    while true {
      // A name that began within the data of a record may continue before it, but not behind it.
      guard position < end else { throw .malformed }
      let length = message[position]
      switch length >> 6 {
      case 0:
        let next = position + 1 + Int(length)
        guard next <= end, name.count + 1 + Int(length) <= Self.maximumNameLength else { throw .malformed }
        name.append(length)
        name += message[(position + 1)..<next].map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        position = next
        guard length > 0 else {
          place = afterPointer ?? next
          return name
        }
      case 3:
        pointers += 1
        guard pointers <= Self.maximumPointers, position + 1 < end else { throw .malformed }
        let target = Int(length & 0x3F) << 8 | Int(message[position + 1])
        guard target < start else { throw .malformed }
        afterPointer = afterPointer ?? position + 2
        (position, start) = (target, target)
      default: throw .malformed
      }
    }
  }
}

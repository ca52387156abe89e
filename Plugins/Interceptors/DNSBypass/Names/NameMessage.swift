import Interception

/// The messages of DNS (RFC 1035, section 4), as far as addresses and HTTPS records need them.
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
    /// The host, and the aliases that lead to the addresses; none without addresses.
    var names: [[UInt8]] = []
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

  /// The class of records of the Internet.
  static let internet: UInt16 = 1
  /// The type of HTTPS records (RFC 9460).
  private static let serviceType: UInt16 = 65

  /// Returns the query for the addresses of a host; nil if it is no name of DNS.
  ///
  /// Its ID is 0, so that equal queries are equal requests (RFC 8484, section 4.1).
  static func query(_ host: String, _ type: RecordType) -> [UInt8]? {
    name(of: host).map { query($0, type.rawValue) }
  }

  /// Returns the query for the HTTPS records of a name, which is in the form of messages.
  static func serviceQuery(_ name: [UInt8]) -> [UInt8] { query(name, serviceType) }

  private static func query(_ name: [UInt8], _ type: UInt16) -> [UInt8] {
    // Recursion is desired, and there is one question.
    [0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + name + [0, UInt8(type), 0, UInt8(internet)]
  }

  /// Returns what a response says about a host.
  static func answer(_ message: [UInt8], for host: String, _ type: RecordType) throws(Fault) -> Answer {
    guard let asked = name(of: host) else { throw .malformed }
    let section = try AnswerSection(message, type: type.rawValue)
    for record in section.records { _ = try address(in: record, type) }
    guard let found = section.records(of: asked) else { return Answer() }
    var answer = Answer(names: found.names, timeToLive: found.timeToLive)
    for record in found.records { answer.addresses.append(try address(in: record, type)) }
    return answer
  }

  private static func address(
    in record: AnswerSection.Record, _ type: RecordType
  ) throws(Fault) -> IPAddress {
    let bytes = record.data.bytes
    guard bytes.count == type.length, let address = IPAddress(bytes: bytes) else { throw .malformed }
    return address
  }

  /// Returns what a response says about the HTTPS records of a name, which is in the form of messages.
  ///
  /// One malformed record makes all of them invalid (RFC 9460, section 2.2).
  static func services(_ message: [UInt8], for name: [UInt8]) throws(Fault) -> ServiceAnswer {
    guard let found = try AnswerSection(message, type: serviceType).records(of: name) else {
      return ServiceAnswer()
    }
    var bindings: [ServiceBinding] = []
    for record in found.records { bindings.append(try ServiceBinding(record.data, owner: record.name)) }
    return ServiceAnswer(bindings, timeToLive: found.timeToLive)
  }

  /// Returns a name as messages have it, in lowercase; nil if it has an empty or a long label.
  static func name(of host: String) -> [UInt8]? {
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

  /// Whether everything was read.
  var isAtEnd: Bool { place == end }

  /// The bytes that were not read.
  var bytes: [UInt8] { Array(message[place..<end]) }

  mutating func byte() throws(NameMessage.Fault) -> UInt8 {
    guard place < end else { throw .malformed }
    defer { place += 1 }
    return message[place]
  }

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
  ///
  /// - Parameter maximumPointers: The maximum number of pointers; 0 for a name that must not be compressed.
  mutating func name(maximumPointers: Int = maximumPointers) throws(NameMessage.Fault) -> [UInt8] {
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
        guard pointers <= maximumPointers, position + 1 < end else { throw .malformed }
        let target = Int(length & 0x3F) << 8 | Int(message[position + 1])
        guard target < start else { throw .malformed }
        afterPointer = afterPointer ?? position + 2
        (position, start) = (target, target)
      default: throw .malformed
      }
    }
  }
}

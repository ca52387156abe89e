/// The data of an HTTPS record: an alias, or an endpoint at which a service is reached (RFC 9460).
///
/// `no-default-alpn` is checked and has no effect, because HTTP/3 is raced by a connection over TCP in any
/// case. Addresses in a record are checked and ignored, as the RFC demands where those of the name are
/// known.
struct ServiceBinding: Sendable, Hashable {
  /// The keys of the parameters that are understood.
  private enum Key: UInt16 {
    case mandatory = 0
    case protocols = 1
    case noDefaultProtocol = 2
    case port = 3
    case addresses4 = 4
    case addresses6 = 6
  }

  private static let http3 = Array("h3".utf8)

  /// The order of preference, the lowest first; 0 for an alias.
  let priority: UInt16
  /// The name of the endpoint, or that which the owner is an alias of, in the form of messages.
  ///
  /// An alias of the root, which is one zero, means that there is no service.
  let target: [UInt8]
  /// The protocols of the endpoint as in ALPN, without those that need not be named.
  private(set) var protocols: [[UInt8]] = []
  /// The port of the endpoint; nil for that of the origin.
  private(set) var port: Int?
  /// Whether the record may be used: its parameters agree with each other, and those that must be understood
  /// are.
  private(set) var isCompatible = true

  /// Whether it is an alias, which has no parameters.
  var isAlias: Bool { priority == 0 }

  /// Whether the endpoint speaks HTTP/3.
  var speaksHTTP3: Bool { protocols.contains(Self.http3) }

  /// Reads a record.
  ///
  /// - Parameter owner: The name of the record.
  init(_ data: NameReader, owner: [UInt8]) throws(NameMessage.Fault) {
    var reader = data
    priority = try reader.number()
    // A name within a record of this type is never compressed.
    let name = try reader.name(maximumPointers: 0)
    target = name == [0] && priority > 0 ? owner : name
    // The parameters of an alias are ignored.
    guard priority > 0 else { return }
    var keys: Set<UInt16> = []
    var mandatory: [UInt16] = []
    var last: UInt16?
    while !reader.isAtEnd {
      let number = try reader.number()
      var value = try reader.data()
      guard last.map({ $0 < number }) ?? true else { throw .malformed }
      last = number
      keys.insert(number)
      switch Key(rawValue: number) {
      case .mandatory: mandatory = try Self.keys(&value)
      case .protocols: protocols = try Self.protocols(&value)
      case .noDefaultProtocol: guard value.isAtEnd else { throw .malformed }
      case .port:
        port = Int(try value.number())
        guard value.isAtEnd else { throw .malformed }
      case .addresses4: try Self.checkAddresses(value, length: 4)
      case .addresses6: try Self.checkAddresses(value, length: 16)
      case nil: break
      }
    }
    isCompatible =
      mandatory.allSatisfy { Key(rawValue: $0) != nil && keys.contains($0) } && port != 0
      && (!keys.contains(Key.noDefaultProtocol.rawValue) || !protocols.isEmpty)
  }

  /// Reads the keys that must be understood, of which there is at least one.
  private static func keys(_ value: inout NameReader) throws(NameMessage.Fault) -> [UInt16] {
    var keys: [UInt16] = []
    repeat {
      let key = try value.number()
      // 0, the key of the list itself, is never in it.
      guard key > keys.last ?? 0 else { throw .malformed }
      keys.append(key)
    } while !value.isAtEnd
    return keys
  }

  private static func protocols(_ value: inout NameReader) throws(NameMessage.Fault) -> [[UInt8]] {
    var protocols: [[UInt8]] = []
    repeat {
      let length = try value.byte()
      guard length > 0 else { throw .malformed }
      var name: [UInt8] = []
      for _ in 0..<length { name.append(try value.byte()) }
      protocols.append(name)
    } while !value.isAtEnd
    return protocols
  }

  private static func checkAddresses(_ value: NameReader, length: Int) throws(NameMessage.Fault) {
    let count = value.bytes.count
    guard count > 0, count.isMultiple(of: length) else { throw .malformed }
  }
}

/// A request received over a connection.
public struct ReceivedRequest: Sendable {
  /// The method.
  public let method: String
  /// The request target, as written.
  public let target: String
  /// The header fields in order, with their original names.
  public let fields: [(name: String, value: String)]
  /// The bytes of the head, of which the fields are shown as UTF-8.
  public let head: [UInt8]
  /// The content without framing; empty if a raw handler reads it itself.
  public var body: [UInt8] = []
  /// The number of the connection, starting at 1.
  public let connection: Int

  /// Returns the first value of a field, ignoring case.
  public func value(of name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Returns the bytes of the first value of a field, ignoring case.
  public func bytes(of name: String) -> [UInt8]? {
    for line in head.split(separator: 0x0A) {
      guard let colon = line.firstIndex(of: 0x3A),
        String(decoding: line[..<colon], as: UTF8.self).lowercased() == name.lowercased()
      else { continue }
      return Array(line[(colon + 1)...].drop { $0 == 0x20 }.prefix { $0 != 0x0D })
    }
    return nil
  }

  /// The content as text.
  public var text: String { String(decoding: body, as: UTF8.self) }
}

/// A request received over a connection.
public struct ReceivedRequest: Sendable {
  /// The method.
  public let method: String
  /// The request target, as written.
  public let target: String
  /// The header fields in order, with their original names.
  public let fields: [(name: String, value: String)]
  /// The content without framing; empty if a raw handler reads it itself.
  public var body: [UInt8] = []
  /// The number of the connection, starting at 1.
  public let connection: Int

  /// Returns the first value of a field, ignoring case.
  public func value(of name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The content as text.
  public var text: String { String(decoding: body, as: UTF8.self) }
}

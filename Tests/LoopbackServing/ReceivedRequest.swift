/// A request as it came over the wire.
public struct ReceivedRequest: Sendable {
  /// The method.
  public let method: String
  /// The request target, as written.
  public let target: String
  /// The header fields in order, with names as written.
  public let fields: [(name: String, value: String)]
  /// The content, without its framing; empty where a raw handler reads it itself.
  public var body: [UInt8] = []
  /// The number of the connection, counted from 1.
  public let connection: Int

  /// The first value of a field; case doesn't matter.
  public func value(of name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The content as text.
  public var text: String { String(decoding: body, as: UTF8.self) }
}

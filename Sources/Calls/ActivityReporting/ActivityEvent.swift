#if SQLite
import DurableQueues
public import Interception

/// An action of the user, or another event of an app, as it is stored and reported.
///
/// ```swift
/// let event = ActivityEvent("listing.opened", ["listing": "42", "position": 3])
/// ```
public struct ActivityEvent: Sendable, Hashable, Identifiable {
  /// The value of an attribute.
  public enum Value: Sendable, Hashable {
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A number; one that is infinite or not a number is reported as null.
    case number(Double)
    /// A truth value.
    case boolean(Bool)
  }

  /// Identifies the event; the server can drop repeats by it.
  public let id: String
  /// What happened, such as `listing.opened`.
  public let name: String
  /// When it happened.
  public let time: WallTime
  /// The circumstances; never store credentials here.
  public let attributes: [String: Value]

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - time: The current time by default.
  ///   - id: 128 random bits by default.
  public init(
    _ name: String, _ attributes: [String: Value] = [:], time: WallTime = .now(), id: String? = nil
  ) {
    var random = SystemRandomNumberGenerator()
    self.id = id ?? RandomIdentifier.next(using: &random)
    self.name = name
    self.time = time
    self.attributes = attributes
  }
}

extension ActivityEvent.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Creates a truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension ActivityEvent {
  /// The event as the bytes that are stored.
  var record: [UInt8] {
    var writer = RecordWriter()
    writer.append(id)
    writer.append(name)
    writer.append(time.seconds)
    writer.append(time.nanoseconds)
    writer.append(attributes.count)
    for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
      writer.append(key)
      switch value {
      case .string(let text):
        writer.append(0)
        writer.append(text)
      case .integer(let number):
        writer.append(1)
        writer.append(number)
      case .number(let number):
        writer.append(2)
        writer.append(Int64(bitPattern: number.bitPattern))
      case .boolean(let isTrue): writer.append(isTrue ? 4 : 3)
      }
    }
    return writer.finish()
  }

  /// Decodes the bytes that were stored.
  init(record: [UInt8]) throws(RecordDamage) {
    var reader = try RecordReader(record)
    let id = try reader.text()
    let name = try reader.text()
    let time = WallTime(secondsSince1970: try reader.number(), nanoseconds: try reader.number())
    let count = try reader.count()
    var attributes: [String: Value] = [:]
    for _ in 0..<count {
      let key = try reader.text()
      attributes[key] =
        switch try reader.number() {
        case 0: .string(try reader.text())
        case 1: .integer(try reader.number())
        case 2: .number(Double(bitPattern: UInt64(bitPattern: try reader.number())))
        case 3: .boolean(false)
        case 4: .boolean(true)
        default: throw RecordDamage()
        }
    }
    guard reader.isAtEnd else { throw RecordDamage() }
    self.init(name, attributes, time: time, id: id)
  }
}
#endif

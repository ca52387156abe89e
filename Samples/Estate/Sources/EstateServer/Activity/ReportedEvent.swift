/// An action of a user, as an app reports it.
struct ReportedEvent: Codable, Equatable {
  /// The value of an attribute.
  enum Value: Codable, Equatable {
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let isTrue = try? container.decode(Bool.self) {
        self = .boolean(isTrue)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .string(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .string(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      case .boolean(let isTrue): try container.encode(isTrue)
      case .null: try container.encodeNil()
      }
    }
  }

  let id: String
  let name: String
  /// Seconds since 1970.
  let time: Double
  let attributes: [String: Value]

  /// The maximum size of an event, so that the kept ones take at most a few MiB.
  static let longest = 4 * 1024

  /// The number of bytes of its texts, with eight for every other value.
  var size: Int {
    attributes.reduce(id.utf8.count + name.utf8.count) { size, attribute in
      if case .string(let text) = attribute.value { return size + attribute.key.utf8.count + text.utf8.count }
      return size + attribute.key.utf8.count + 8
    }
  }
}

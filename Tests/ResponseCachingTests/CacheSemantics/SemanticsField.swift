import Foundation
import Interception

/// A header field of the test data.
struct SemanticsField: Decodable, Sendable {
  /// A literal value, or a date.
  enum Value: Decodable, Sendable {
    case text(String)
    /// A date, given in seconds from the server's time.
    case date(Int)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let seconds = try? value.decode(Int.self) {
        self = .date(seconds)
      } else {
        self = .text(try value.decode(String.self))
      }
    }

    /// Returns the value as sent at a time.
    func written(at now: WallTime) -> String {
      switch self {
      case .text(let text): text
      case .date(let seconds): HTTPDate.format(now.advanced(by: .seconds(seconds)))
      }
    }
  }

  /// A name and a literal value.
  struct Literal: Decodable, Sendable {
    let name: String
    let value: String

    init(from decoder: any Decoder) throws {
      var items = try decoder.unkeyedContainer()
      name = try items.decode(String.self)
      value = try items.decode(String.self)
    }
  }

  let name: String
  let value: Value
  /// Whether the client must receive the field unchanged.
  let mustArrive: Bool

  init(from decoder: any Decoder) throws {
    var items = try decoder.unkeyedContainer()
    name = try items.decode(String.self)
    value = try items.decode(Value.self)
    mustArrive = items.isAtEnd ? true : try items.decode(Bool.self)
  }
}

/// An expectation about a header field.
enum SemanticsExpectation: Decodable, Sendable {
  case present(String)
  case value(String, SemanticsField.Value)
  case sameAs(String, String)
  case greater(String, Int)

  init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      self = .present(name)
      return
    }
    var items = try decoder.unkeyedContainer()
    let name = try items.decode(String.self)
    let value = try items.decode(SemanticsField.Value.self)
    guard !items.isAtEnd else {
      self = .value(name, value)
      return
    }
    switch value {
    case .text("="): self = .sameAs(name, try items.decode(String.self))
    case .text(">"): self = .greater(name, try items.decode(Int.self))
    default:
      throw DecodingError.dataCorruptedError(in: items, debugDescription: "Unknown operator \(value).")
    }
  }
}

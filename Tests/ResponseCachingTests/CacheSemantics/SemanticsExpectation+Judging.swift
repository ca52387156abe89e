import HTTPTypes
import Interception

extension SemanticsExpectation {
  /// Whether header fields are as expected; `now` is the time from which dates are counted.
  func holds(in fields: HTTPFields, at now: WallTime?) -> Bool {
    switch self {
    case .present(let name): fields.contains(.named(name))
    case .value(let name, .text(let text)): fields[.named(name)] == text
    case .value(let name, let value): now.map { fields[.named(name)] == value.written(at: $0) } ?? false
    case .sameAs(let name, let other):
      fields.contains(.named(name)) && fields[.named(name)] == fields[.named(other)]
    case .greater(let name, let bound): fields[.named(name)].flatMap { Int($0) }.map { $0 > bound } ?? false
    }
  }

  /// Whether header fields contain what must be missing: a name, or a text within its value.
  ///
  /// The original engine searches in the wrong place and never finds a text; this one finds it.
  func isFound(in fields: HTTPFields) -> Bool {
    switch self {
    case .present(let name): fields.contains(.named(name))
    case .value(let name, .text(let text)): fields[.named(name)]?.contains(text) ?? false
    case .value, .sameAs, .greater: false
    }
  }
}

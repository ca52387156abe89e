/// Why a parameter of a route cannot be read or written.
///
/// The value itself is never part of the fault: it may be a secret.
public enum ParameterFault: Sendable, Hashable, CustomStringConvertible {
  /// The URL or the route gives no value.
  case missing
  /// The value is not of the kind the pattern declares.
  case notOfKind(ValueKind)
  /// The pattern's kind fits, but the route's type does not take the value.
  case unreadable(type: String)
  /// A query field of one value stands several times in a URL from outside.
  case repeated
  /// The path cannot carry this value: it is empty, `.`, `..` or has a NUL.
  case unwritable
  /// The value is longer than this many bytes.
  case tooLong(limit: Int)
  /// The pattern has no placeholder of this name.
  case undeclared
  /// The route refuses the value, for the reason it gives.
  case refused(String)

  /// A clause with what is wrong and what to do.
  public var description: String {
    switch self {
    case .missing: "is missing; give it a value"
    case .notOfKind(let kind): "is not \(kind.words); correct that part of the URL"
    case .unreadable(let type): "is no \(type); give it a value that this type reads"
    case .repeated: "stands more than once in the query; give it one value"
    case .unwritable:
      "is empty, \".\", \"..\" or has a NUL, which a URL's path cannot carry; use another value"
    case .tooLong(let limit): "is longer than \(limit) bytes; pass it by a typed call or shorten it"
    case .undeclared: "has no placeholder in the route's pattern; add {name} to the pattern or use its names"
    case .refused(let reason): "is refused: \(reason)"
    }
  }
}

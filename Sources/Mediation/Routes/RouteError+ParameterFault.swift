extension RouteError {
  /// The reason why a parameter of a route cannot be read or written.
  ///
  /// It never contains the value, which may be a secret.
  public enum ParameterFault: Sendable, Hashable, CustomStringConvertible {
    /// The URL or the route does not supply a value.
    case missing
    /// The value is not of the kind that the pattern declares.
    case notOfKind(RoutePattern.ValueKind)
    /// The value is of the pattern's kind, but the route's type does not accept it.
    case unreadable(type: String)
    /// A single-valued query field occurs several times in an external URL.
    case repeated
    /// A URL's path cannot contain the value: it is empty, `.`, `..` or contains a NUL.
    case unwritable
    /// The value is longer than this limit in bytes.
    case tooLong(limit: Int)
    /// The pattern has no placeholder with this name.
    case undeclared
    /// The route rejected the value for this reason.
    case refused(String)

    /// What is wrong and what to do, as a clause.
    public var description: String {
      switch self {
      case .missing: "is missing; give it a value"
      case .notOfKind(let kind): "is not \(kind.words); correct that part of the URL"
      case .unreadable(let type): "cannot be read as \(type); give it a value that the type accepts"
      case .repeated: "occurs more than once in the query; give it one value"
      case .unwritable:
        "is empty, \".\", \"..\" or contains a NUL, which a URL's path cannot carry; use another value"
      case .tooLong(let limit): "is longer than \(limit) bytes; use a typed call or shorten it"
      case .undeclared:
        "has no placeholder in the route's pattern; add {name} to the pattern or use its names"
      case .refused(let reason): "is refused: \(reason)"
      }
    }
  }
}

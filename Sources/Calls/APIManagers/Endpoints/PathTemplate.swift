import Interception

/// An API's path with placeholders for params: `"/houses/\(\.id)/photos"`.
///
/// A placeholder is a key path of the params, so a name that doesn't exist does not compile. Its value is
/// percent-encoded and always remains a single segment. A value that is empty, `.` or `..` would address
/// another resource, so it is refused with a ``ParamsError``, like a path that does not begin with a slash or
/// that contains `?` or `#`.
public struct PathTemplate<Params>: Sendable, ExpressibleByStringInterpolation {
  fileprivate enum Piece: Sendable {
    case literal(String)
    case value(field: String, @Sendable (Params) -> String)
  }

  private let pieces: [Piece]
  /// Why the path is refused; each request throws it.
  private let fault: ParamsError?

  /// Creates a path without placeholders.
  public init(stringLiteral path: String) {
    pieces = [.literal(PercentEncoding.path(path))]
    fault = Self.fault(in: path, literals: path)
  }

  /// Creates a path from an interpolation.
  public init(stringInterpolation: StringInterpolation) {
    pieces = stringInterpolation.pieces
    fault = Self.fault(in: stringInterpolation.text, literals: stringInterpolation.literals)
  }

  /// Returns why a path is refused: percent-encoding these would give a path that no server has.
  private static func fault(in path: String, literals: String) -> ParamsError? {
    if !path.isEmpty, !path.hasPrefix("/") {
      return ParamsError("The endpoint's path \"\(path)\" does not begin with a slash; write \"/\(path)\".")
    }
    guard let mark = literals.first(where: { $0 == "?" || $0 == "#" }) else { return nil }
    let remedy =
      mark == "?" ? "send query fields as params, or as the service's common params" : "remove the fragment"
    return ParamsError(
      "The endpoint's path \"\(path)\" contains \"\(mark)\", which would be sent as a part of a segment; \(remedy)."
    )
  }

  /// Collects the pieces of a path.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []
    /// The path with the names of its fields in braces.
    fileprivate var text = ""
    fileprivate var literals = ""

    /// Creates an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends a literal part of the path.
    public mutating func appendLiteral(_ literal: String) {
      text += literal
      literals += literal
      if !literal.isEmpty { pieces.append(.literal(PercentEncoding.path(literal))) }
    }

    /// Appends a placeholder for text or a number.
    public mutating func appendInterpolation<Value: LosslessStringConvertible & SendableMetatype>(
      _ field: any KeyPath<Params, Value> & Sendable
    ) {
      append(Self.name(of: field)) { String($0[keyPath: field]) }
    }

    /// Appends a placeholder for an enumeration with text or numbers as raw values.
    public mutating func appendInterpolation<Value: RawRepresentable & SendableMetatype>(
      _ field: any KeyPath<Params, Value> & Sendable
    ) where Value.RawValue: LosslessStringConvertible & SendableMetatype {
      append(Self.name(of: field)) { String($0[keyPath: field].rawValue) }
    }

    private mutating func append(_ field: String, _ read: @escaping @Sendable (Params) -> String) {
      text += "{\(field)}"
      pieces.append(.value(field: field, read))
    }

    private static func name(of field: AnyKeyPath) -> String {
      "\(field)".split(separator: ".").last.map(String.init) ?? "\(field)"
    }
  }

  /// Returns the path with its placeholders filled in, percent-encoded.
  func path(for params: Params) throws(ParamsError) -> String {
    if let fault { throw fault }
    var path = ""
    for piece in pieces {
      switch piece {
      case .literal(let literal): path += literal
      case .value(let field, let read):
        let value = read(params)
        guard !value.isEmpty, value != ".", value != ".." else {
          throw ParamsError(
            field: field,
            "its value is \"\(value)\", which cannot be a path segment; use another value.")
        }
        path += PercentEncoding.component(value)
      }
    }
    return path
  }
}

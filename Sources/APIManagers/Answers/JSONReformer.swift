/// Reads an answer as JSON of a type: the reformer for data that needs no shaping.
///
/// What doesn't fit is reported with the field and what was expected there, such as «`items[3].price` should
/// be Double, but there is something of another type».
public struct JSONReformer<Output: Decodable>: Reformer {
  private let format: JSONFormat

  /// Makes a reader of a type.
  ///
  /// - Parameter format: How keys and dates are written; as in Swift, and as in RFC 3339, by default.
  public init(_ type: Output.Type = Output.self, format: JSONFormat = JSONFormat()) { self.format = format }

  /// Reads the answer.
  ///
  /// - Throws: A ``MalformedAnswer`` that names the field.
  public func reform(_ answer: RawAnswer, from manager: ManagerIdentity) throws(MalformedAnswer) -> Output {
    try answer.json(as: Output.self, format: format)
  }
}

/// A reformer that decodes a response from JSON, for data that needs no further conversion.
public struct JSONReformer<Output: Decodable>: Reformer, Hashable {
  private let format: JSONCoding

  /// Creates a reformer that decodes a type.
  ///
  /// - Parameter format: The format of keys and dates; by default the type's coding keys and RFC 3339.
  public init(_ type: Output.Type = Output.self, format: JSONCoding = JSONCoding()) { self.format = format }

  /// Decodes a response.
  ///
  /// - Throws: A `BodyDecodingError` that names the field.
  public func reform(_ response: APIResponse, from manager: ManagerIdentity) throws(BodyDecodingError)
    -> Output
  {
    try response.json(as: Output.self, format: format)
  }
}

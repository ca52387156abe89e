import BodyFormats
public import Interception

/// How an API's params are encoded: in the query, as a JSON body, as a form, or in a custom format.
///
/// `Encodable` params need no code: ``query``, ``json`` and ``form`` use their fields by name. If the API's
/// names differ from the type's, provide the fields with `query(_:)` or `form(_:)`. For any other format, use
/// `custom(_:)`.
public struct ParamsEncoding<Params: Sendable>: Sendable {
  /// Encoded params.
  public struct Encoded: Sendable {
    /// The fields of the query.
    public var query: [QueryField]
    /// The request's body.
    public var body: RequestBody
    /// The media type of the body; nil if there is none.
    public var contentType: String?

    /// Creates encoded params.
    public init(query: [QueryField] = [], body: RequestBody = .empty, contentType: String? = nil) {
      self.query = query
      self.body = body
      self.contentType = contentType
    }
  }

  let encode: @Sendable (Params, JSONCoding) throws(ParamsError) -> EncodedParams

  /// Encodes with a closure, which throws a ``ParamsError`` for params that cannot be sent.
  public static func custom(
    _ encode: @escaping @Sendable (Params) throws(ParamsError) -> Encoded
  ) -> ParamsEncoding {
    ParamsEncoding { params, _ throws(ParamsError) in
      let encoded = try encode(params)
      return EncodedParams(
        query: QueryText(encoded.query), body: encoded.body, contentType: encoded.contentType)
    }
  }

  /// Sends only the params used in the path.
  public static var pathOnly: ParamsEncoding {
    ParamsEncoding { _, _ throws(ParamsError) in EncodedParams() }
  }

  /// Sends the given fields in the query.
  public static func query(_ fields: @escaping @Sendable (Params) -> [QueryField]) -> ParamsEncoding {
    ParamsEncoding { params, _ throws(ParamsError) in EncodedParams(query: QueryText(fields(params))) }
  }

  /// Sends the given fields as a form, `application/x-www-form-urlencoded`.
  public static func form(_ fields: @escaping @Sendable (Params) -> [QueryField]) -> ParamsEncoding {
    ParamsEncoding { params, _ throws(ParamsError) in .form(QueryText(fields(params))) }
  }
}

extension ParamsEncoding where Params: Encodable {
  /// Sends every field in the query; see ``query(omitting:)``.
  public static var query: ParamsEncoding { .query(omitting: []) }

  /// Sends every field in the query, except those already used in the path.
  ///
  /// A nil is omitted, and an array becomes one field per element. What is a single value in JSON is one
  /// here: a date is written in RFC 3339 format, data in Base64, a URL and a UUID as text, a `Decimal` in
  /// digits. Nested objects have no standard form in a query; they are refused with a ``ParamsError``.
  public static func query(omitting omitted: Set<String>) -> ParamsEncoding {
    ParamsEncoding { params, _ throws(ParamsError) in
      EncodedParams(query: try QueryEncoder.text(of: params, omitting: omitted))
    }
  }

  /// Sends every field as a form, encoded as by ``query(omitting:)``.
  public static var form: ParamsEncoding {
    ParamsEncoding { params, _ throws(ParamsError) in .form(try QueryEncoder.text(of: params)) }
  }

  /// Sends the params as a JSON object in the ``Endpoint/jsonFormat`` of the endpoint, or else of the
  /// service.
  ///
  /// Its keys are sorted, so that equal params produce equal bytes.
  public static var json: ParamsEncoding {
    ParamsEncoding { params, format throws(ParamsError) in
      do {
        return EncodedParams(body: .bytes(try format.encoded(params)), contentType: format.contentType)
      } catch EncodingError.invalidValue(_, let context) {
        throw ParamsError(
          field: FieldPath.text(context.codingPath),
          "its value cannot be represented in JSON; use another value or encoding.")
      } catch {
        // The error's description may repeat a value.
        throw ParamsError(
          "\(Params.self) cannot be encoded as JSON: its encode(to:) threw \(type(of: error)); correct it.")
      }
    }
  }
}

/// Params in the form in which a request is made of them.
struct EncodedParams: Sendable {
  var query = QueryText()
  var body = RequestBody.empty
  var contentType: String?

  static func form(_ fields: QueryText) -> Self {
    Self(body: .bytes(fields.bytes), contentType: "application/x-www-form-urlencoded")
  }
}

/// A name and value of a query or form, before percent-encoding.
public struct QueryField: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

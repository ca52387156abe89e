public import BodyFormats
public import HTTPTypes
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
    package var query: FormFields
    /// The request's body.
    package var body: RequestBody
    /// The media type of the body; nil if there is none.
    package var contentType: String?
    /// The header fields, which override those of the endpoint.
    package var headerFields: HTTPFields

    /// Creates encoded params.
    ///
    /// - Parameter headerFields: The header fields whose values are params; they override those of the
    ///   service and the endpoint.
    public init(
      query: FormFields = [:], body: RequestBody = .empty, contentType: String? = nil,
      headerFields: HTTPFields = [:]
    ) {
      self.query = query
      self.body = body
      self.contentType = contentType
      self.headerFields = headerFields
    }

    /// Creates encoded params with content in a format of its own, such as a form with files.
    ///
    /// ```swift
    /// let encoding = ParamsEncoding<String>.custom { name throws(ParamsError) in
    ///   var form = MultipartForm()
    ///   form.append(name, named: "name")
    ///   return .init(.multipart(form))
    /// }
    /// ```
    public init(_ content: RequestContent, query: FormFields = [:], headerFields: HTTPFields = [:]) {
      self.init(
        query: query, body: content.body, contentType: content.contentType, headerFields: headerFields)
    }
  }

  let encode: @Sendable (Params, JSONCoding) throws(ParamsError) -> Encoded

  /// Encodes with a closure, which throws a ``ParamsError`` for params that cannot be sent.
  public static func custom(
    _ encode: @escaping @Sendable (Params) throws(ParamsError) -> Encoded
  ) -> ParamsEncoding {
    ParamsEncoding { params, _ throws(ParamsError) in try encode(params) }
  }

  /// Sends only the params used in the path.
  public static var pathOnly: ParamsEncoding {
    ParamsEncoding { _, _ throws(ParamsError) in Encoded() }
  }

  /// Sends the given fields in the query.
  public static func query(_ fields: @escaping @Sendable (Params) -> FormFields) -> ParamsEncoding {
    ParamsEncoding { params, _ throws(ParamsError) in Encoded(query: fields(params)) }
  }

  /// Sends the given fields as a form, `application/x-www-form-urlencoded`.
  public static func form(_ fields: @escaping @Sendable (Params) -> FormFields) -> ParamsEncoding {
    ParamsEncoding { params, _ throws(ParamsError) in .form(fields(params)) }
  }
}

extension ParamsEncoding where Params: Encodable {
  /// Sends every field in the query; see ``query(omitting:)``.
  public static var query: ParamsEncoding { .query(omitting: []) }

  /// Sends every field in the query, except those already used in the path.
  ///
  /// A nil is omitted, and an array becomes one field per element. A single JSON value is one value here,
  /// too: a date is written in RFC 3339 format, data in Base64, a URL and a UUID as text, a `Decimal` in
  /// digits. Nested objects have no standard form in a query; they are refused with a ``ParamsError``.
  public static func query(omitting omitted: Set<String>) -> ParamsEncoding {
    ParamsEncoding { params, _ throws(ParamsError) in
      Encoded(query: try fields(of: params, omitting: omitted))
    }
  }

  /// Sends every field as a form, encoded as by ``query(omitting:)``.
  public static var form: ParamsEncoding {
    ParamsEncoding { params, _ throws(ParamsError) in .form(try fields(of: params)) }
  }

  /// Sends the params as a JSON object in the format of the endpoint, or else of the service.
  ///
  /// Its keys are sorted, so that equal params produce equal bytes.
  public static var json: ParamsEncoding {
    ParamsEncoding { params, format throws(ParamsError) in
      do {
        return Encoded(body: .bytes(try format.encoded(params)), contentType: format.contentType)
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

  private static func fields(
    of params: Params, omitting omitted: Set<String> = []
  ) throws(ParamsError) -> FormFields {
    do {
      return try FormFields(encoding: params, omitting: omitted)
    } catch FormEncodingError.nested(let field) {
      throw ParamsError(
        field: field,
        "a query can hold only texts, numbers and arrays of them; use .json, or provide the fields with query(_:)."
      )
    } catch FormEncodingError.infinite(let field, let number) {
      throw ParamsError(field: field, "\(number) is not a finite number; send a finite one.")
    } catch let error as ParamsError {
      throw error
    } catch {
      throw ParamsError(
        "The params cannot be encoded as a query: their encode(to:) threw \(type(of: error)); correct it.")
    }
  }
}

extension ParamsEncoding.Encoded {
  fileprivate static func form(_ fields: FormFields) -> Self {
    Self(body: .bytes(fields.bytes), contentType: "application/x-www-form-urlencoded")
  }
}

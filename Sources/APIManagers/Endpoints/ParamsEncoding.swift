public import Interception

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How an API's params travel: in the query, as a JSON body, as a form, or in bytes of your own.
///
/// Params that are `Encodable` need no code: ``query``, ``json`` and ``form`` take their fields by name.
/// Write the fields yourself with `query(_:)` or `form(_:)` where names differ from the type's, and use
/// `custom(_:)` for any other format.
public struct ParamsEncoding<Params: Sendable>: Sendable {
  /// What params became.
  public struct Encoded: Sendable {
    /// The fields of the query.
    public var query: [QueryField]
    /// The content.
    public var body: RequestBody
    /// The content's media type; nil where there is no content.
    public var contentType: String?

    /// Makes encoded params.
    public init(query: [QueryField] = [], body: RequestBody = .empty, contentType: String? = nil) {
      self.query = query
      self.body = body
      self.contentType = contentType
    }
  }

  let encode: @Sendable (Params) throws(ParamsFault) -> Encoded

  /// Encodes by a closure, which throws a ``ParamsFault`` for what can't be sent.
  public static func custom(
    _ encode: @escaping @Sendable (Params) throws(ParamsFault) -> Encoded
  ) -> ParamsEncoding {
    ParamsEncoding(encode: encode)
  }

  /// Sends nothing but what the path takes.
  public static var pathOnly: ParamsEncoding { .custom { _ throws(ParamsFault) in Encoded() } }

  /// Sends these fields in the query.
  public static func query(_ fields: @escaping @Sendable (Params) -> [QueryField]) -> ParamsEncoding {
    .custom { params throws(ParamsFault) in Encoded(query: fields(params)) }
  }

  /// Sends these fields as a form, `application/x-www-form-urlencoded`.
  public static func form(_ fields: @escaping @Sendable (Params) -> [QueryField]) -> ParamsEncoding {
    .custom { params throws(ParamsFault) in .form(fields(params)) }
  }
}

extension ParamsEncoding where Params: Encodable {
  /// Sends every field in the query, see ``query(omitting:)``.
  public static var query: ParamsEncoding { .query(omitting: []) }

  /// Sends every field in the query, but those that the path carries already.
  ///
  /// A nil is left out, a list becomes a field for each member, a date is written as in RFC 3339. Objects
  /// within objects have no agreed form in a query; they are refused as a ``ParamsFault``.
  public static func query(omitting omitted: Set<String>) -> ParamsEncoding {
    .custom { params throws(ParamsFault) in
      Encoded(query: try QueryFieldEncoder.fields(of: params).filter { !omitted.contains($0.name) })
    }
  }

  /// Sends every field as a form, in the same way as ``query(omitting:)``.
  public static var form: ParamsEncoding {
    .custom { params throws(ParamsFault) in .form(try QueryFieldEncoder.fields(of: params)) }
  }

  /// Sends the params as a JSON object; keys are sorted, so that equal params give equal bytes.
  public static var json: ParamsEncoding {
    .custom { params throws(ParamsFault) in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .iso8601
      do {
        return Encoded(
          body: .bytes(Array(try encoder.encode(params))), contentType: "application/json")
      } catch EncodingError.invalidValue(_, let context) {
        throw ParamsFault(field: FieldPath.text(context.codingPath), "JSON has no form for its value.")
      } catch {
        throw ParamsFault("The params can't be written as JSON: \(error).")
      }
    }
  }
}

extension ParamsEncoding.Encoded {
  fileprivate static func form(_ fields: [QueryField]) -> Self {
    Self(
      body: .text(PercentEncoding.query(fields)), contentType: "application/x-www-form-urlencoded")
  }
}

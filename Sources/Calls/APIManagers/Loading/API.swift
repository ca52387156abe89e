public import Interception

/// An API, declared by business code as a small type.
///
/// ```swift
/// struct HouseList: API {
///   struct Params: Encodable, Sendable { var city: String; var page = 1 }
///   struct Output: Decodable, Sendable { var houses: [House] }
///   static let endpoint = Endpoint<Params>(.estate, "houses.list", path: "/houses", cacheRule: .timed())
///
///   func validate(_ params: Params) throws(ParamsError) {
///     guard !params.city.isEmpty else { throw ParamsError(field: "city", "choose a city.") }
///   }
/// }
/// let page = try await client.load(HouseList(), HouseList.Params(city: "Lodi"))
/// ```
///
/// An API without ``endpoint`` does not compile, nor does loading it with another API's params. Everything
/// else has a default: params are sent unchanged, every response with an accepted status is valid, and the
/// output is the response as received.
///
/// An ``APIClient`` loads an API from any actor, and an ``APIManager`` loads it for a screen. Responses are
/// validated and decoded off the main actor. What concerns all APIs of a service belongs to its ``Service``,
/// what concerns screens to ``APIHooks``, and what concerns every request to an interceptor.
public protocol API: Sendable {
  /// The params that a caller passes; ``NoParams`` if there are none.
  associatedtype Params: Sendable

  /// The type that a response is decoded as; the response as received, ``APIResponse``, by default.
  ///
  /// A `Decodable` type is decoded from JSON. For any other type, implement ``output(from:)``.
  associatedtype Output: Sendable = APIResponse

  /// The type that a rejected response is decoded as, which ``APIError/failureBody(of:)`` returns; none by
  /// default.
  ///
  /// A `Decodable` type is decoded from JSON. For any other type, implement ``failure(from:)``.
  associatedtype Failure: Sendable = Never

  /// The API's name, URL and options.
  static var endpoint: Endpoint<Params> { get }

  /// Returns the params with additions that callers shouldn't have to know; the result is validated.
  func reform(_ params: Params) -> Params

  /// Validates reformed params before anything is sent.
  func validate(_ params: Params) throws(ParamsError)

  /// Returns the names of the data in the response to a load with reformed params; none by default.
  ///
  /// A ``TagRegistry`` invalidates stored responses by them; see ``TagRegistry/init(wipe:)``.
  func tags(for params: Params) -> Set<DataTag>

  /// Validates a response whose status was accepted.
  ///
  /// If the API's responses are cached, it is called before a response is stored, with an empty
  /// ``APIResponse/exchange``, and not again for the load that receives the stored response.
  func validate(_ response: APIResponse) throws(ResponseError)

  /// Returns the output of a valid response.
  ///
  /// It may throw any error; a load reports it as ``APIError/Kind/malformed(field:)``. A
  /// ``DecodingMismatchError`` names the field, and so does the `BodyDecodingError` of JSON. If the API's
  /// responses are cached, it is called before one is stored, as the validator is; one that it throws for
  /// isn't.
  func output(from response: APIResponse) throws -> Output

  /// Returns the failure that a rejected response with content describes.
  ///
  /// Implement it if the content depends on the status. ``APIError/failureBody(of:)`` is nil if it throws.
  func failure(from response: APIResponse) throws -> Failure
}

extension API {
  /// Returns the params unchanged.
  public func reform(_ params: Params) -> Params { params }

  /// Accepts all params.
  public func validate(_ params: Params) throws(ParamsError) {}

  /// No tags.
  public func tags(for params: Params) -> Set<DataTag> { [] }

  /// Accepts every response.
  public func validate(_ response: APIResponse) throws(ResponseError) {}

  /// The names of the service and the API.
  public static var identity: APIIdentity { endpoint.identity }
}

extension API where Output == APIResponse {
  /// Returns the response as received.
  public func output(from response: APIResponse) -> APIResponse { response }
}

extension API where Output: Decodable {
  /// Decodes the output from JSON, in the endpoint's format or else the service's.
  ///
  /// - Throws: A `BodyDecodingError` that names the field.
  public func output(from response: APIResponse) throws -> Output {
    try response.json(as: Output.self, format: Self.endpoint.details.format)
  }
}

extension API where Failure: Decodable {
  /// Decodes the failure from JSON, in the endpoint's format or else the service's.
  ///
  /// - Throws: A `BodyDecodingError` that names the field.
  public func failure(from response: APIResponse) throws -> Failure {
    try response.json(as: Failure.self, format: Self.endpoint.details.format)
  }
}

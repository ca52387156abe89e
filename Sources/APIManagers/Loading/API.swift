public import Interception

/// An API, declared by business code as a small type.
///
/// ```swift
/// struct HouseList: API {
///   struct Params: Encodable, Sendable { var city: String; var page = 1 }
///   static let endpoint = Endpoint<Params>(.estate, "houses.list", path: "/houses", cacheRule: .timed())
///
///   func validate(_ params: Params) throws(ParamsError) {
///     guard !params.city.isEmpty else { throw ParamsError(field: "city", "choose a city.") }
///   }
/// }
/// let houses = APIManager(HouseList(), client: client)
/// ```
///
/// An API without ``endpoint`` does not compile, nor does loading it with another API's params. Everything
/// else has a default: params are sent unchanged, and every response with an accepted status is valid.
///
/// The methods apply to this API alone. For what concerns several APIs, write ``APIHooks``; for what concerns
/// every request, write an interceptor. Responses are validated off the main actor.
public protocol API: Sendable {
  /// The params that a caller passes; ``NoParams`` if there are none.
  associatedtype Params: Sendable

  /// The API's name, URL and options.
  static var endpoint: Endpoint<Params> { get }

  /// Returns the params with additions that callers shouldn't have to know; the result is validated.
  func reform(_ params: Params) -> Params

  /// Validates reformed params before anything is sent.
  func validate(_ params: Params) throws(ParamsError)

  /// Validates a response whose status was accepted.
  func validate(_ response: APIResponse) throws(ResponseError)
}

extension API {
  /// Returns the params unchanged.
  public func reform(_ params: Params) -> Params { params }

  /// Accepts all params.
  public func validate(_ params: Params) throws(ParamsError) {}

  /// Accepts every response.
  public func validate(_ response: APIResponse) throws(ResponseError) {}

  /// The names of the service and the API.
  public static var identity: APIIdentity { endpoint.identity }
}

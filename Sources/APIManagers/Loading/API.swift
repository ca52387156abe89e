public import Interception

/// One API, as business code writes it: one small type each.
///
/// ```swift
/// struct HouseList: API {
///   struct Params: Encodable, Sendable { var city: String; var page = 1 }
///   static let endpoint = Endpoint<Params>(.estate, "houses.list", path: "/houses", cacheRule: .timed())
///
///   func validate(_ params: Params) throws(ParamsFault) {
///     guard !params.city.isEmpty else { throw ParamsFault(field: "city", "choose a city.") }
///   }
/// }
/// let houses = APIManager(HouseList(), in: host)
/// ```
///
/// An API without ``endpoint`` does not compile, and neither does loading it with another API's params. All
/// else has a default: params are sent as they are, and every answer with an accepted status is good.
///
/// The hooks run for this API alone; what concerns several APIs is an ``APIHooks``, and what concerns every
/// request is an interceptor. Answer validation runs off the main actor.
public protocol API: Sendable {
  /// What a caller says to get an answer; ``NoParams`` where there is nothing to say.
  associatedtype Params: Sendable

  /// What the API is called, and where and how it is asked.
  static var endpoint: Endpoint<Params> { get }

  /// Adds to the params what callers shouldn't have to know; the result is validated.
  func reform(_ params: Params) -> Params

  /// Checks reformed params before anything is sent.
  func validate(_ params: Params) throws(ParamsFault)

  /// Checks an answer whose status was accepted.
  func validate(_ answer: RawAnswer) throws(AnswerFault)
}

extension API {
  /// Leaves the params as they are.
  public func reform(_ params: Params) -> Params { params }

  /// Accepts everything.
  public func validate(_ params: Params) throws(ParamsFault) {}

  /// Accepts everything.
  public func validate(_ answer: RawAnswer) throws(AnswerFault) {}

  /// Service and name.
  public static var identity: APIIdentity { endpoint.identity }
}

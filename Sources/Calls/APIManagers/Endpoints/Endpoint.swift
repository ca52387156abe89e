public import BodyFormats
public import HTTPTypes
public import Interception

/// The details of one API of a service: its name, its URL, how its requests are sent and how its
/// responses are cached.
///
/// ```swift
/// let list = Endpoint<HouseSearch>(
///   .estate, "houses.list", path: "/houses", cacheRule: .timed(), inFlight: .ignoreNew)
/// let detail = Endpoint<HouseID>(
///   .estate, "houses.detail", path: "/houses/\(\.id)", encoding: .pathOnly)
/// ```
public struct Endpoint<Params: Sendable>: Sendable {
  private(set) var details: EndpointDescription
  /// The path, relative to the service's base path and version.
  public var path: PathTemplate<Params>
  /// How the params are encoded.
  public var encoding: ParamsEncoding<Params>

  /// The service that provides the API.
  public var service: Service { details.service }
  /// The name within the service, such as `houses.list`, used in signatures, cache keys, logs and metrics.
  public var name: String { details.identity.name }
  /// The names of the service and the API.
  public var identity: APIIdentity { details.identity }

  /// The method.
  public var method: HTTPRequest.Method {
    get { details.values.method }
    set { details = details.with { $0.method = newValue } }
  }
  /// Header fields of every request; they override the service's common ones.
  public var headerFields: HTTPFields {
    get { details.values.headerFields }
    set { details = details.with { $0.headerFields = newValue } }
  }
  /// How responses may be cached; by default as the cache's default rule says, `CacheRule.inherited`.
  public var cacheRule: CacheRule {
    get { details.values.cacheRule }
    set { details = details.with { $0.cacheRule = newValue } }
  }
  /// How a load is handled while an earlier one is in flight.
  public var inFlight: InFlightStrategy {
    get { details.values.inFlight }
    set { details = details.with { $0.inFlight = newValue } }
  }
  /// The time limits (by default 10 s to connect and 20 s without progress), the priority, and the maximum
  /// size of a response.
  public var options: RequestOptions {
    get { details.values.options }
    set { details = details.with { $0.options = newValue } }
  }
  /// Values for interceptors, such as the rule by which a body is compressed; empty by default.
  ///
  /// The API, the cache rule and the partition of a request replace those in here.
  ///
  /// ```swift
  /// var endpoint = Endpoint<Note>(.estate, "notes.add", method: .post, path: "/notes")
  /// endpoint.context.requestCompression = .unlessRefused(.gzip)
  /// ```
  public var context: RequestContext {
    get { details.values.context }
    set { details = details.with { $0.context = newValue } }
  }
  /// The accepted statuses; any other one is reported as ``APIError/Kind/status(_:)``.
  public var acceptedStatuses: Range<Int> {
    get { details.values.acceptedStatuses }
    set { details = details.with { $0.acceptedStatuses = newValue } }
  }
  /// The format of the JSON of params and responses; nil, the default, for the service's.
  public var jsonFormat: JSONCoding? {
    get { details.values.jsonFormat }
    set { details = details.with { $0.jsonFormat = newValue } }
  }

  /// Creates an endpoint with an explicit params encoding.
  public init(
    _ service: Service, _ name: String, method: HTTPRequest.Method = .get, path: PathTemplate<Params>,
    encoding: ParamsEncoding<Params>, headerFields: HTTPFields = [:], cacheRule: CacheRule = .inherited,
    inFlight: InFlightStrategy = .parallel, options: RequestOptions = RequestOptions(),
    acceptedStatuses: Range<Int> = 200..<300, jsonFormat: JSONCoding? = nil
  ) {
    details = EndpointDescription(
      service, APIIdentity(service: service.name, name: name),
      EndpointDescription.Values(
        method: method, headerFields: headerFields, cacheRule: cacheRule, inFlight: inFlight,
        options: options, acceptedStatuses: acceptedStatuses, jsonFormat: jsonFormat))
    self.path = path
    self.encoding = encoding
  }
}

extension Endpoint where Params: Encodable {
  /// Creates an endpoint whose params are sent in the query for GET, HEAD and DELETE, and otherwise as JSON.
  public init(
    _ service: Service, _ name: String, method: HTTPRequest.Method = .get, path: PathTemplate<Params>,
    headerFields: HTTPFields = [:], cacheRule: CacheRule = .inherited, inFlight: InFlightStrategy = .parallel,
    options: RequestOptions = RequestOptions(), acceptedStatuses: Range<Int> = 200..<300,
    jsonFormat: JSONCoding? = nil
  ) {
    let isInQuery = [HTTPRequest.Method.get, .head, .delete].contains(method)
    self.init(
      service, name, method: method, path: path, encoding: isInQuery ? .query : .json,
      headerFields: headerFields, cacheRule: cacheRule, inFlight: inFlight, options: options,
      acceptedStatuses: acceptedStatuses, jsonFormat: jsonFormat)
  }
}

extension Endpoint where Params == NoParams {
  /// Creates an endpoint that takes no params.
  public init(
    _ service: Service, _ name: String, method: HTTPRequest.Method = .get, path: PathTemplate<NoParams>,
    headerFields: HTTPFields = [:], cacheRule: CacheRule = .inherited, inFlight: InFlightStrategy = .parallel,
    options: RequestOptions = RequestOptions(), acceptedStatuses: Range<Int> = 200..<300,
    jsonFormat: JSONCoding? = nil
  ) {
    self.init(
      service, name, method: method, path: path, encoding: .pathOnly, headerFields: headerFields,
      cacheRule: cacheRule, inFlight: inFlight, options: options, acceptedStatuses: acceptedStatuses,
      jsonFormat: jsonFormat)
  }
}

/// How a load is handled while an earlier one of the same manager is in flight.
public enum InFlightStrategy: Sendable, Hashable {
  /// The new request is not sent; suitable for refreshing.
  ///
  /// A load of the same request, header fields included, joins the earlier one, unless that is a download or
  /// a stream; request IDs and the fields of tracing may differ. Any other load is ignored. A load that
  /// demands a response from the server is sent beside an equal one that a cache may answer.
  ///
  /// A request that only reads no longer counts once its response may be outdated: when stored responses were
  /// removed since, as by a `TagRegistry`, when a write by the same pipeline has ended, or when
  /// `SharingInterceptor.closeFlights()` was called. Neither does a request of another account. The next load
  /// is then sent beside it.
  case ignoreNew
  /// The earlier requests are cancelled; suitable for filters and search fields, where only the last response
  /// matters.
  case cancelPrevious
  /// All requests are sent, and each response is delivered; `lastResponse` is that of the load that began
  /// last.
  case parallel
}

/// The params of an API that takes no params.
public struct NoParams: Sendable, Hashable {
  /// Creates the params.
  public init() {}
}

/// What an endpoint says about its requests and responses, independent of the type of its params.
///
/// An endpoint refers to it, so that copying an endpoint, which each load does, costs one retain.
final class EndpointDescription: Sendable {
  /// The values, which an endpoint replaces as a whole.
  struct Values: Sendable {
    var method: HTTPRequest.Method
    var headerFields: HTTPFields
    var cacheRule: CacheRule
    var inFlight: InFlightStrategy
    var options: RequestOptions
    var context = RequestContext()
    var acceptedStatuses: Range<Int>
    var jsonFormat: JSONCoding?
  }

  let service: Service
  let identity: APIIdentity
  let values: Values

  init(_ service: Service, _ identity: APIIdentity, _ values: Values) {
    self.service = service
    self.identity = identity
    self.values = values
  }

  /// The format of the JSON: the endpoint's or else the service's.
  var format: JSONCoding { values.jsonFormat ?? service.jsonFormat }

  /// Whether a cache's default rule can apply to the requests.
  var isRead: Bool { values.method.isRetrieval }

  /// Returns the description with other values.
  func with(_ change: (inout Values) -> Void) -> EndpointDescription {
    var values = values
    change(&values)
    return EndpointDescription(service, identity, values)
  }

  /// Returns why a response is rejected before its output is read, or nil if it isn't.
  ///
  /// The service's rule decides first, then the accepted statuses, then the API's validator.
  func rejection(
    of response: APIResponse, validate: (APIResponse) throws(ResponseError) -> Void
  ) -> APIError? {
    switch service.responseRule.verdict(on: response) {
    case .proceed: break
    case .fail(let error): return APIError(error, response)
    case .swallow(let reason): return APIError(swallowedBy: service.name, reason: reason, response)
    }
    guard values.acceptedStatuses.contains(response.status.code) else {
      return APIError(unacceptedStatusOf: response)
    }
    do throws(ResponseError) {
      try validate(response)
      return nil
    } catch {
      return APIError(error, response)
    }
  }
}

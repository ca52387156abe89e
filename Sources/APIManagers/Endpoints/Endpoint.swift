public import HTTPTypes
public import Interception

/// One API of a service, as a value: what it is called, where it is, how it is asked and how its answers are
/// kept.
///
/// ```swift
/// static let endpoint = Endpoint<HouseSearch>(
///   .estate, "houses.list", path: "/houses", cacheRule: .timed(), inFlight: .ignoreNew)
/// static let endpoint = Endpoint<HouseID>(.estate, "houses.detail", path: "/houses/\(\.id)", encoding: .pathOnly)
/// ```
public struct Endpoint<Params: Sendable>: Sendable {
  /// Who provides it.
  public let service: Service
  /// The name within the service, such as `houses.list`; signatures, cache keys, logs and metrics go by it.
  public let name: String
  /// The method.
  public var method: HTTPRequest.Method
  /// The path, below the service's base and version.
  public var path: PathTemplate<Params>
  /// How params travel.
  public var encoding: ParamsEncoding<Params>
  /// Header fields of every request; they win over the service's common ones.
  public var headerFields: HTTPFields
  /// How answers may be cached; off unless an API turns it on.
  public var cacheRule: CacheRule
  /// What becomes of a load while an earlier one is in flight.
  public var inFlight: InFlightStrategy
  /// Time limits, 20 s for the whole by default, priority and the most bytes of an answer.
  public var options: RequestOptions
  /// The statuses that are an answer; any other one is ``APIFailure/Kind/status(_:)``.
  public var acceptedStatuses: Range<Int>

  /// Service and name.
  public var identity: APIIdentity { APIIdentity(service: service.name, name: name) }

  /// Makes an endpoint that says how its params travel.
  public init(
    _ service: Service, _ name: String, method: HTTPRequest.Method = .get, path: PathTemplate<Params>,
    encoding: ParamsEncoding<Params>, headerFields: HTTPFields = [:], cacheRule: CacheRule = .off,
    inFlight: InFlightStrategy = .parallel, options: RequestOptions = RequestOptions(),
    acceptedStatuses: Range<Int> = 200..<300
  ) {
    self.service = service
    self.name = name
    self.method = method
    self.path = path
    self.encoding = encoding
    self.headerFields = headerFields
    self.cacheRule = cacheRule
    self.inFlight = inFlight
    self.options = options
    self.acceptedStatuses = acceptedStatuses
  }
}

extension Endpoint where Params: Encodable {
  /// Makes an endpoint whose params travel in the query of a GET, HEAD or DELETE, and as JSON otherwise.
  public init(
    _ service: Service, _ name: String, method: HTTPRequest.Method = .get, path: PathTemplate<Params>,
    headerFields: HTTPFields = [:], cacheRule: CacheRule = .off, inFlight: InFlightStrategy = .parallel,
    options: RequestOptions = RequestOptions(), acceptedStatuses: Range<Int> = 200..<300
  ) {
    let isInQuery = [HTTPRequest.Method.get, .head, .delete].contains(method)
    self.init(
      service, name, method: method, path: path, encoding: isInQuery ? .query : .json,
      headerFields: headerFields, cacheRule: cacheRule, inFlight: inFlight, options: options,
      acceptedStatuses: acceptedStatuses)
  }
}

extension Endpoint where Params == NoParams {
  /// Makes an endpoint that takes no params.
  public init(
    _ service: Service, _ name: String, method: HTTPRequest.Method = .get, path: PathTemplate<NoParams>,
    headerFields: HTTPFields = [:], cacheRule: CacheRule = .off, inFlight: InFlightStrategy = .parallel,
    options: RequestOptions = RequestOptions(), acceptedStatuses: Range<Int> = 200..<300
  ) {
    self.init(
      service, name, method: method, path: path, encoding: .pathOnly, headerFields: headerFields,
      cacheRule: cacheRule, inFlight: inFlight, options: options, acceptedStatuses: acceptedStatuses)
  }
}

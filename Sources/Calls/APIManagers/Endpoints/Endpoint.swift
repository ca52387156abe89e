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
  let path: PathTemplate<Params>
  let encoding: ParamsEncoding<Params>

  /// The service that provides the API.
  public var service: Service { details.service }
  /// The names of the service and the API, used in signatures, cache keys, logs and metrics.
  package var identity: APIIdentity { details.identity }

  /// The time limits (by default 10 s to connect and 20 s without progress), the priority, and the maximum
  /// size of a response.
  public var options: RequestOptions {
    get { details.values.options }
    set { details = details.with { $0.options = newValue } }
  }
  /// Values for interceptors, such as the rule by which a body is compressed; empty by default.
  ///
  /// Each request replaces the API, the cache rule and the partition.
  ///
  /// ```swift
  /// var endpoint = Endpoint<Note>(.estate, "notes.add", method: .post, path: "/notes")
  /// endpoint.context.requestCompression = .unlessRefused(.gzip)
  /// ```
  public var context: RequestContext {
    get { details.values.context }
    set { details = details.with { $0.context = newValue } }
  }

  /// Creates an endpoint with an explicit params encoding.
  ///
  /// - Parameters:
  ///   - name: The name within the service, such as `houses.list`.
  ///   - path: The path, relative to the service's base path and version.
  ///   - headerFields: Header fields of every request; they override the service's common ones.
  ///   - cacheRule: How responses may be cached; by default as the cache's default rule says.
  ///   - inFlight: How a manager's load is handled while an earlier one is in flight.
  ///   - acceptedStatuses: Any other status is reported as ``APIError/Kind/status(_:)``.
  ///   - jsonFormat: The format of the JSON of params and responses; nil for the service's.
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
  /// Creates an endpoint whose params are sent in the query for GET, HEAD and DELETE, and otherwise as JSON;
  /// ``NoParams`` send nothing.
  public init(
    _ service: Service, _ name: String, method: HTTPRequest.Method = .get, path: PathTemplate<Params>,
    headerFields: HTTPFields = [:], cacheRule: CacheRule = .inherited, inFlight: InFlightStrategy = .parallel,
    options: RequestOptions = RequestOptions(), acceptedStatuses: Range<Int> = 200..<300,
    jsonFormat: JSONCoding? = nil
  ) {
    let isInQuery = [HTTPRequest.Method.get, .head, .delete].contains(method)
    self.init(
      service, name, method: method, path: path,
      encoding: Params.self == NoParams.self ? .pathOnly : isInQuery ? .query : .json,
      headerFields: headerFields, cacheRule: cacheRule, inFlight: inFlight, options: options,
      acceptedStatuses: acceptedStatuses, jsonFormat: jsonFormat)
  }
}

extension Endpoint {
  /// Returns the request for `params` at `address`, as a manager sends it.
  ///
  /// - Parameter partition: The account on whose behalf the request is sent, or an empty string.
  /// - Throws: A ``ParamsError`` that names the field that cannot be sent.
  public func request(
    for params: Params, at address: ServiceAddress, partition: String = ""
  ) throws(ParamsError) -> Request {
    try request(for: params, at: address, partition: partition, common: CommonFields())
  }

  /// Returns the request with the app's common params and header fields; those of the service take
  /// precedence.
  func request(
    for params: Params, at address: ServiceAddress, partition: String, common: CommonFields
  ) throws(ParamsError) -> Request {
    let encoded = try encoding.encode(params, details.format)
    let path = try self.path.path(for: params)
    return try details.request(
      path: path, encoded.query, encoded.body, encoded.contentType, encoded.headerFields, at: address,
      partition: partition, common: common)
  }
}

/// What an endpoint says about its requests and responses, independent of the type of its params.
///
/// A class, so that copying an endpoint, as each load does, costs one retain.
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

extension EndpointDescription {
  /// Returns the request for encoded params.
  func request(
    path: String, _ query: FormFields, _ body: RequestBody, _ contentType: String?,
    _ headerFields: HTTPFields, at address: ServiceAddress, partition: String, common: CommonFields
  ) throws(ParamsError) -> Request {
    var query = query
    query.append(common: service.common.params(identity))
    query.append(common: common.params(identity))
    let path = query.appended(to: service.urlRule.path(at: address, of: path))

    var fields = common.headerFields(identity)
    fields.replace(with: service.common.headerFields(identity))
    if let contentType {
      guard HTTPField.isValidValue(contentType) else {
        throw ParamsError(
          "The content type contains a control character, or starts or ends with white space; "
            + "use the form type/subtype, such as application/json."
        )
      }
      fields[.contentType] = contentType
    }
    fields.replace(with: values.headerFields)
    fields.replace(with: headerFields)

    var context = values.context
    context.api = identity
    context.cacheRule = values.cacheRule
    context.partition = partition
    if let keyID = address.keyID {
      context[ServiceKey.self] = ServiceKey(id: keyID, authority: address.authority)
    }
    return Request(
      HTTPRequest(
        method: values.method, scheme: address.scheme, authority: address.authority, path: path,
        headerFields: fields),
      body: body, options: values.options, context: context)
  }
}

extension HTTPFields {
  /// Replaces the fields of the same names by others.
  fileprivate mutating func replace(with others: HTTPFields) {
    guard !others.isEmpty else { return }
    if isEmpty {
      self = others
    } else {
      for name in Set(others.map(\.name)) { self[values: name] = others[values: name] }
    }
  }
}

public import HTTPTypes
public import Interception

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
      path: path, query: encoded.query, body: encoded.body, contentType: encoded.contentType, at: address,
      partition: partition, common: common)
  }
}

extension EndpointDescription {
  /// Returns the request for encoded params.
  func request(
    path: String, query: QueryText, body: RequestBody, contentType: String?, at address: ServiceAddress,
    partition: String, common: CommonFields
  ) throws(ParamsError) -> Request {
    var query = query
    query.append(common: service.commonParams(identity))
    query.append(common: common.params(identity))
    let path = query.appended(to: service.urlRule.path(at: address, of: path))

    var fields = common.headerFields(identity)
    fields.replace(with: service.commonHeaderFields(identity))
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

/// Params and header fields of every request of an app, whichever the service.
///
/// ```swift
/// client.common = CommonFields(params: { _ in [QueryField("app", "7.2")] })
/// ```
///
/// An API's own param or field of the same name takes precedence, and so does that of its service. Use it for
/// what all services of the app expect, and ``Service/commonParams`` for what one expects.
public struct CommonFields: Sendable {
  /// Returns the params that are added to the query of a request of an API; called for each request.
  public var params: @Sendable (APIIdentity) -> [QueryField]
  /// Returns the header fields of a request of an API; called for each request.
  public var headerFields: @Sendable (APIIdentity) -> HTTPFields

  /// Creates common fields; none by default.
  public init(
    params: @escaping @Sendable (APIIdentity) -> [QueryField] = { _ in [] },
    headerFields: @escaping @Sendable (APIIdentity) -> HTTPFields = { _ in [:] }
  ) {
    self.params = params
    self.headerFields = headerFields
  }
}

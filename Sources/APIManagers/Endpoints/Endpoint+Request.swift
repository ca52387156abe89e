import HTTPTypes
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
    let encoded = try encoding.encode(params, format)
    let identity = identity
    var query = encoded.query
    query.append(service.commonParams(identity))
    query.append(common.params(identity))
    var path = service.urlRule.path(at: address, of: try self.path.path(for: params))
    if !query.isEmpty { path += "?" + PercentEncoding.query(query) }

    var fields = common.headerFields(identity)
    let serviceFields = service.commonHeaderFields(identity)
    for name in Set(serviceFields.map(\.name)) { fields[values: name] = serviceFields[values: name] }
    if let contentType = encoded.contentType {
      guard HTTPField.isValidValue(contentType) else {
        throw ParamsError(
          "The content type contains a control character, or starts or ends with white space; "
            + "use the form type/subtype, such as application/json."
        )
      }
      fields[.contentType] = contentType
    }
    for name in Set(headerFields.map(\.name)) { fields[values: name] = headerFields[values: name] }

    var context = context
    context.api = identity
    context.cacheRule = cacheRule
    context.partition = partition
    if let keyID = address.keyID {
      context[ServiceKey.self] = ServiceKey(id: keyID, authority: address.authority)
    }
    return Request(
      HTTPRequest(
        method: method, scheme: address.scheme, authority: address.authority, path: path,
        headerFields: fields),
      body: encoded.body, options: options, context: context)
  }
}

extension [QueryField] {
  /// Appends common fields, except those whose names are in use.
  fileprivate mutating func append(_ common: [QueryField]) {
    guard !common.isEmpty else { return }
    let own = Set(map(\.name))
    append(contentsOf: common.filter { !own.contains($0.name) })
  }
}

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
    let encoded = try encoding.encode(params)
    let identity = identity
    let own = Set(encoded.query.map(\.name))
    let query = encoded.query + service.commonParams(identity).filter { !own.contains($0.name) }
    var path = service.urlRule.path(at: address, of: try self.path.path(for: params))
    if !query.isEmpty { path += "?" + PercentEncoding.query(query) }

    var fields = service.commonHeaderFields(identity)
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
    return Request(
      HTTPRequest(
        method: method, scheme: address.scheme, authority: address.authority, path: path,
        headerFields: fields),
      body: encoded.body, options: options, context: context)
  }
}

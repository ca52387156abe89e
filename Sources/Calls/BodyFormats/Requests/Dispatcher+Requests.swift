public import HTTPTypes
public import Interception

/// Requests in one line, by method.
///
/// Each function creates a request for an absolute URL and sends it away from the caller's actor. An HTTP
/// status is not an error: `decoded(as:)` checks it, and `Response.status` has it.
extension Dispatcher {
  /// Sends a GET request.
  ///
  /// ```swift
  /// struct Home: Decodable { let street: String }
  /// let home = try await pipeline.get("https://api.example.com/homes/42").decoded(as: Home.self)
  /// ```
  ///
  /// - Parameters:
  ///   - url: An absolute URL, such as `https://api.example.com/homes`.
  ///   - query: Fields that are appended to the query of the URL.
  ///   - headerFields: The header fields.
  ///   - options: The time limits, priority and delivery.
  /// - Throws: `NetworkError.Kind.invalidRequest` if the URL is invalid, or the dispatcher's error.
  @concurrent public func get(
    _ url: String, query: FormFields = [:], headerFields: HTTPFields = [:],
    options: RequestOptions = RequestOptions()
  ) async throws(NetworkError) -> Response {
    try await send(.get, url, query, headerFields, .empty, options)
  }

  /// Sends a HEAD request; see `get(_:query:headerFields:options:)`.
  @concurrent public func head(
    _ url: String, query: FormFields = [:], headerFields: HTTPFields = [:],
    options: RequestOptions = RequestOptions()
  ) async throws(NetworkError) -> Response {
    try await send(.head, url, query, headerFields, .empty, options)
  }

  /// Sends a DELETE request; see `get(_:query:headerFields:options:)`.
  @discardableResult @concurrent
  public func delete(
    _ url: String, query: FormFields = [:], headerFields: HTTPFields = [:],
    options: RequestOptions = RequestOptions()
  ) async throws(NetworkError) -> Response {
    try await send(.delete, url, query, headerFields, .empty, options)
  }

  /// Sends a POST request with content.
  ///
  /// ```swift
  /// let response = try await pipeline.post("https://api.example.com/homes", .json(home))
  /// ```
  ///
  /// - Parameters:
  ///   - url: An absolute URL, such as `https://api.example.com/homes`.
  ///   - content: The content; its `Content-Type` is overridden by that in `headerFields`, if any.
  ///   - query: Fields that are appended to the query of the URL.
  ///   - headerFields: The header fields.
  ///   - options: The time limits, priority and delivery.
  /// - Throws: `NetworkError.Kind.invalidRequest` if the URL is invalid, or the dispatcher's error.
  @discardableResult @concurrent
  public func post(
    _ url: String, _ content: RequestContent = .empty, query: FormFields = [:],
    headerFields: HTTPFields = [:], options: RequestOptions = RequestOptions()
  ) async throws(NetworkError) -> Response {
    try await send(.post, url, query, headerFields, content, options)
  }

  /// Sends a PUT request with content; see `post(_:_:query:headerFields:options:)`.
  @discardableResult @concurrent
  public func put(
    _ url: String, _ content: RequestContent = .empty, query: FormFields = [:],
    headerFields: HTTPFields = [:], options: RequestOptions = RequestOptions()
  ) async throws(NetworkError) -> Response {
    try await send(.put, url, query, headerFields, content, options)
  }

  /// Sends a PATCH request with content; see `post(_:_:query:headerFields:options:)`.
  @discardableResult @concurrent
  public func patch(
    _ url: String, _ content: RequestContent = .empty, query: FormFields = [:],
    headerFields: HTTPFields = [:], options: RequestOptions = RequestOptions()
  ) async throws(NetworkError) -> Response {
    try await send(.patch, url, query, headerFields, content, options)
  }

  private func send(
    _ method: HTTPRequest.Method, _ url: String, _ query: FormFields, _ headerFields: HTTPFields,
    _ content: RequestContent, _ options: RequestOptions
  ) async throws(NetworkError) -> Response {
    var request = try Request(url, method: method, headerFields: headerFields, body: content.body)
    if headerFields[.contentType] == nil, let contentType = content.contentType {
      request.head.headerFields[.contentType] = contentType
    }
    request.appendQuery(query)
    request.options = options
    var response = try await dispatch(request)
    response.note(request, copying: true)
    return response
  }
}

package import HTTPTypes

/// Finds the handler of a request by its method and path.
///
/// A pattern is a path of which one segment can be a parameter, such as `/v1/homes/{id}`. Paths are compared
/// byte by byte, without decoding. A GET handler also receives HEAD requests.
package struct HTTPRouter<Output: Sendable>: Sendable {
  package typealias Handler = @Sendable (ReceivedRequest) async throws -> Output
  /// Responds to a request whose path has a parameter, given as it was sent.
  package typealias ParameterHandler = @Sendable (ReceivedRequest, String) async throws -> Output

  private struct Route {
    let method: HTTPRequest.Method
    let segments: [Substring]
    let handler: ParameterHandler

    /// Returns the parameter of a matching path: empty if the pattern has none, `nil` if the path does not
    /// match.
    func parameter(of path: [Substring]) -> Substring? {
      guard path.count == segments.count else { return nil }
      var parameter: Substring = ""
      for (segment, pattern) in zip(path, segments) where segment != pattern {
        guard pattern.hasPrefix("{"), !segment.isEmpty else { return nil }
        parameter = segment
      }
      return parameter
    }
  }

  private var routes: [Route] = []

  package init() {}

  package mutating func on(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
    on(method, path) { request, _ in try await handler(request) }
  }

  /// Adds a handler for the paths of a pattern with a parameter.
  package mutating func on(
    _ method: HTTPRequest.Method, _ pattern: String, _ handler: @escaping ParameterHandler
  ) {
    routes.append(Route(method: method, segments: Self.segments(pattern[...]), handler: handler))
  }

  /// Returns what the handler of the request makes of it, or `nil` if no route matches.
  ///
  /// O(number of routes).
  package func output(for request: ReceivedRequest) async throws -> Output? {
    let path = Self.segments(request.path)
    let method = request.head.method == .head ? .get : request.head.method
    for route in routes where route.method == method {
      guard let parameter = route.parameter(of: path) else { continue }
      return try await route.handler(request, String(parameter))
    }
    return nil
  }

  private static func segments(_ path: Substring) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }
}

public import Interception

extension CurlDispatcher {
  /// Opens the connection that a request would use, and sends nothing of it.
  ///
  /// Call it when a request to a host is likely, such as while a screen appears: the first request then
  /// needs no name lookup and no handshakes of TCP and TLS. If such a connection is open, it does nothing.
  ///
  /// ```swift
  /// try await dispatcher.connect(for: Request("https://api.example.com/"))
  /// ```
  ///
  /// The server must speak HTTP/2 over https. libcurl closes any other connection that has not carried a
  /// request; send a cheap first request there, such as HEAD. Limits, trust, proxies, addresses,
  /// `timeouts.connect` and `timeouts.queue` apply as for a request.
  ///
  /// - Parameter request: A request without a body; its path and fields have no meaning.
  /// - Throws: What sending the request would throw before its connection is open;
  ///   `NetworkError.Kind.unsupported` if TLS has not chosen HTTP/2.
  public func connect(for request: Request) async throws(NetworkError) {
    guard request.body.isEmpty else {
      throw .invalidRequest("A request that only connects has no body; remove it, or send the request.")
    }
    do throws(NetworkError) {
      _ = try await dispatch(request, onlyConnects: true)
    } catch {
      guard error.underlying is Connected else { throw error }
    }
  }
}

/// How a transfer ends that was to open a connection, and did.
private struct Connected: Error {}

extension NetworkError {
  static func connected(to origin: WebOrigin) -> NetworkError {
    NetworkError(
      .cancelled(.task), "A connection to \(origin) is open, and the request was not to be sent.",
      underlying: Connected())
  }

  static func keepsNoConnection(to origin: WebOrigin) -> NetworkError {
    NetworkError(
      .unsupported,
      "libcurl keeps no connection to \(origin) that has carried no request, because TLS has not chosen HTTP/2 for "
        + "it; send a first request, such as HEAD.")
  }
}

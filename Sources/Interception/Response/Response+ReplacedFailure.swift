package import HTTPTypes

extension Response {
  /// The failure of a server in whose place a cache returns a stale stored response (RFC 5861, section 4).
  ///
  /// The cache stands after the stage `retry`, so it can't know whether an attempt is the last one. An
  /// interceptor that repeats requests decides by this failure, and returns the stored response only when it
  /// gives up.
  package indirect enum ReplacedFailure: Sendable {
    /// A response with a status that stands for a failure.
    case response(HTTPResponse)
    /// The error of a request that had no response.
    case error(NetworkError)
  }
}

extension Cassette {
  /// A request and its response or failure.
  public struct Interaction: Sendable, Hashable, Codable {
    /// The request.
    public var request: RecordedRequest
    /// The response; nil if the request failed.
    public var response: RecordedResponse?
    /// The failure; nil if there was a response.
    public var failure: RecordedFailure?

    /// Creates an exchange with a response.
    public init(_ request: RecordedRequest, _ response: RecordedResponse) {
      self.request = request
      self.response = response
    }

    /// Creates an exchange that failed.
    public init(_ request: RecordedRequest, failing failure: RecordedFailure) {
      self.request = request
      self.failure = failure
    }
  }

  /// A recorded request, with its secrets replaced.
  public struct RecordedRequest: Sendable, Hashable, Codable {
    /// The method.
    public var method: String
    /// The scheme, in lower case.
    public var scheme: String
    /// The host and port, without user information.
    public var authority: String
    /// The path and query.
    public var path: String
    /// The header fields, in order.
    public var fields: [Field]
    /// The content; nil if there is none.
    public var body: Content?
  }

  /// A recorded response, with its secrets replaced.
  public struct RecordedResponse: Sendable, Hashable, Codable {
    /// The status code.
    public var status: Int
    /// The header fields, in order.
    public var fields: [Field]
    /// The content; nil if there is none.
    public var body: Content?
    /// The trailer fields; nil if there are none.
    public var trailers: [Field]?
    /// Whether the content was received and read completely.
    public var isComplete: Bool
  }

  /// A failure of the dispatcher.
  public struct RecordedFailure: Sendable, Hashable, Codable {
    /// The label of the error kind.
    public var label: String
    /// The reason of the error.
    public var reason: String
    /// Whether the server may have processed the request.
    public var requestMayHaveBeenProcessed: Bool
    /// The limit that the body exceeded; nil for other kinds.
    public var limit: Int64?
  }

  /// A header field.
  public struct Field: Sendable, Hashable, Codable {
    /// The name in its original spelling.
    public var name: String
    /// The value.
    public var value: String
  }

  /// Content as text if it is UTF-8, and in base64 otherwise.
  public struct Content: Sendable, Hashable, Codable {
    /// The content as text.
    public var text: String?
    /// The content in base64.
    public var base64: String?
    /// The number of bytes.
    public var length: Int
    /// The SHA-256 digest of the bytes in hexadecimal.
    public var sha256: String
  }
}

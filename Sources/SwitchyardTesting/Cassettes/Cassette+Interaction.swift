extension Cassette {
  /// One exchange: what was asked, and what came of it.
  public struct Interaction: Sendable, Hashable, Codable {
    /// What was asked.
    public var request: Asked
    /// The answer; nil where the request failed.
    public var response: Answered?
    /// The failure; nil where there was an answer.
    public var failure: Failed?

    /// Makes an exchange that was answered.
    public init(_ request: Asked, _ response: Answered) {
      self.request = request
      self.response = response
    }

    /// Makes an exchange that failed.
    public init(_ request: Asked, failing failure: Failed) {
      self.request = request
      self.failure = failure
    }
  }

  /// A request, with its secrets replaced.
  public struct Asked: Sendable, Hashable, Codable {
    /// The method.
    public var method: String
    /// The scheme, in lower case.
    public var scheme: String
    /// Host and port, without a user's name.
    public var authority: String
    /// Path and query.
    public var path: String
    /// The header fields, in order.
    public var fields: [Field]
    /// The content; nil where there is none.
    public var body: Content?
  }

  /// An answer, with its secrets replaced.
  public struct Answered: Sendable, Hashable, Codable {
    /// The status code.
    public var status: Int
    /// The header fields, in order.
    public var fields: [Field]
    /// The content; nil where there is none.
    public var body: Content?
    /// The fields after the content; nil where there are none.
    public var trailers: [Field]?
    /// False where the content was not read to its end, or broke off.
    public var isComplete: Bool
  }

  /// A failure of the dispatcher.
  public struct Failed: Sendable, Hashable, Codable {
    /// The label of the error's kind.
    public var label: String
    /// The error's sentence.
    public var reason: String
    /// Whether the server may have acted.
    public var requestMayHaveBeenProcessed: Bool
    /// The limit of a body that was too large; nil for other kinds.
    public var limit: Int64?
  }

  /// A header field.
  public struct Field: Sendable, Hashable, Codable {
    /// The name, as it was written.
    public var name: String
    /// The value.
    public var value: String
  }

  /// Content, as text where it is UTF-8 and in base64 otherwise.
  public struct Content: Sendable, Hashable, Codable {
    /// The content as text.
    public var text: String?
    /// The content in base64.
    public var base64: String?
    /// The number of bytes.
    public var length: Int
    /// The SHA-256 of the bytes, in hexadecimal digits.
    public var sha256: String
  }
}

import Mediation

/// A call of a web page.
///
/// As JSON: `{"id": "7", "method": "price", "params": {"id": "3"}}` or
/// `{"id": "7", "url": "estate://price?id=3"}`. The web view's host decodes it and must not take the page's
/// host from it.
public struct PageCall: Sendable, Hashable {
  /// How the page identifies the route.
  public enum Target: Sendable, Hashable {
    /// By the name under which the app allows the route, with texts for its placeholders.
    case method(String, parameters: [String: String])
    /// By the route's URL.
    case url(String)
  }

  /// The id that the page gave the call, unique among its calls in progress.
  public let id: String
  /// The route to call.
  public let target: Target

  /// Creates a call by name.
  public init(id: String, method: String, parameters: [String: String] = [:]) {
    self.id = id
    target = .method(method, parameters: parameters)
  }

  /// Creates a call by URL.
  public init(id: String, url: String) {
    self.id = id
    target = .url(url)
  }
}

extension PageCall: Codable {
  private enum CodingKeys: String, CodingKey {
    case id
    case method
    case url
    case parameters = "params"
  }

  /// Decodes a call that has either a method or a URL.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let id = try fields.decode(String.self, forKey: .id)
    let method = try fields.decodeIfPresent(String.self, forKey: .method)
    let url = try fields.decodeIfPresent(String.self, forKey: .url)
    let parameters = try fields.decodeIfPresent([String: String].self, forKey: .parameters)
    switch (method, url) {
    case (let method?, nil): self.init(id: id, method: method, parameters: parameters ?? [:])
    case (nil, let url?) where parameters == nil: self.init(id: id, url: url)
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .method, in: fields,
        debugDescription: "A call has either \"method\", with or without \"params\", or only \"url\".")
    }
  }

  /// Encodes the call in the form that `init(from:)` decodes.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(id, forKey: .id)
    switch target {
    case .method(let method, let parameters):
      try fields.encode(method, forKey: .method)
      if !parameters.isEmpty { try fields.encode(parameters, forKey: .parameters) }
    case .url(let url): try fields.encode(url, forKey: .url)
    }
  }
}

/// A reply to a call of a web page.
///
/// As JSON: `{"id": "7", "event": "progress", "value": 0.5}`, the same with the event `success`, or
/// `{"id": "7", "event": "failure", "reason": "not_found"}`.
public struct PageReply: Sendable, Hashable {
  /// The kind of the reply, with its value.
  public enum Event: Sendable, Hashable {
    /// A progress report; a call may have any number.
    ///
    /// A report that has not been sent is replaced by a newer one.
    case progress(PageValue)
    /// The result of the call; the final reply.
    case success(PageValue)
    /// The reason of the failure; the final reply.
    case failure(PageFailure)
  }

  /// The id that the page gave the call.
  public let id: String
  /// The kind of the reply, with its value.
  public let event: Event

  /// Creates a reply.
  public init(id: String, event: Event) {
    self.id = id
    self.event = event
  }

  var isLast: Bool {
    if case .progress = event { false } else { true }
  }
}

extension PageReply: Codable {
  private enum CodingKeys: String, CodingKey {
    case id
    case event
    case value
    case reason
  }

  private enum Name: String, Codable {
    case progress
    case success
    case failure
  }

  /// Decodes a reply.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    id = try fields.decode(String.self, forKey: .id)
    event =
      switch try fields.decode(Name.self, forKey: .event) {
      case .progress: .progress(try fields.decode(PageValue.self, forKey: .value))
      case .success: .success(try fields.decode(PageValue.self, forKey: .value))
      case .failure: .failure(try fields.decode(PageFailure.self, forKey: .reason))
      }
  }

  /// Encodes the reply for the page's script.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(id, forKey: .id)
    switch event {
    case .progress(let value):
      try fields.encode(Name.progress, forKey: .event)
      try fields.encode(value, forKey: .value)
    case .success(let value):
      try fields.encode(Name.success, forKey: .event)
      try fields.encode(value, forKey: .value)
    case .failure(let failure):
      try fields.encode(Name.failure, forKey: .event)
      try fields.encode(failure, forKey: .reason)
    }
  }
}

/// The reason why a page's call failed, as far as the page may know it.
///
/// The page receives the raw values; descriptions of errors stay in the app.
public enum PageFailure: String, Error, Sendable, Hashable, Codable {
  /// No route matches, or none that this page may call.
  case notFound = "not_found"
  /// The URL is malformed.
  case malformed
  /// A parameter is missing or invalid.
  case parameter
  /// A guard refused the call.
  case rejected
  /// The user left the screen without a result.
  case dismissed
  /// The call was cancelled.
  case cancelled
  /// The app's code failed.
  case failed
  /// Too many of the page's calls are in progress; the page may try again when one has ended.
  case busy
  /// The call is larger than `PageLimits.size`.
  case tooLarge = "too_large"

  init(_ error: RouteError) {
    switch error {
    case .notFound, .forbidden: self = .notFound
    case .malformedURL: self = .malformed
    case .parameter: self = .parameter
    case .rejected: self = .rejected
    case .dismissed: self = .dismissed
    case .cancelled: self = .cancelled
    case .overdue, .redirectLoop, .resultMismatch, .linkDropped, .linkSuperseded, .failed: self = .failed
    }
  }
}

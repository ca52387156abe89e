import Mediation

/// A call of a web page.
///
/// As JSON: `{"id": "7", "method": "price", "params": {"id": "3"}}` or
/// `{"id": "7", "url": "estate://price?id=3"}`. The web view's host decodes it and must not take the page's
/// host from it.
public struct PageCall: Sendable, Hashable {
  /// How the page identifies the route.
  package enum Target: Sendable, Hashable {
    /// By the name under which the app allows the route, with texts for its placeholders.
    case method(String, parameters: [String: String])
    /// By the route's URL.
    case url(String)
  }

  /// The id that the page gave the call, unique among its calls in progress.
  public let id: String
  /// The route to call.
  package let target: Target

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

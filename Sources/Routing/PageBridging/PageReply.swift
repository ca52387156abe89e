import Mediation

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

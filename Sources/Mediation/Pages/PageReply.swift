/// What a page hears of one of its calls.
///
/// As JSON: `{"id": "7", "event": "progress", "value": 0.5}`, with the event `success`, or `{"id": "7",
/// "event": "failure", "reason": "not_found"}`.
public struct PageReply: Sendable, Hashable {
  /// What happened.
  public enum Event: Sendable, Hashable {
    /// The work goes on; any number of times. Of several that the page had no time to hear only the latest is
    /// sent.
    case progress(PageValue)
    /// The call has its answer; the last event of the call.
    case success(PageValue)
    /// The call has failed; the last event of the call.
    case failure(PageFailure)
  }

  /// The page's number for the call.
  public let id: String
  /// What happened.
  public let event: Event

  /// Pairs a call with what happened to it.
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

  /// Reads a reply as it is written.
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

  /// Writes the reply for the page's script.
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

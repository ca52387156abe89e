public import HTTPTypes
public import Interception

/// A rule by which an ``InterventionInterceptor`` alters calls.
///
/// ```swift
/// let noHomes = InterventionRule(
///   "No homes", matching: .init(method: .get, host: "api.estate.test", path: "/v1/homes*"),
///   .answer(.init(json: #"{"homes": []}"#)))
/// ```
///
/// All rules that are on and match a request apply, in their order, up to the first one that answers or fails
/// it: a delay before an answer makes the answer late.
public struct InterventionRule: Sendable, Hashable {
  /// The name, which marks the calls that the rule alters.
  public var name: String
  /// Whether the rule applies.
  public var isOn: Bool
  /// The requests that the rule applies to.
  package var match: Match
  /// The maximum number of requests that the rule applies to; nil for all that match.
  ///
  /// What is counted are the requests at the interceptor's stage: each attempt and each hop of a call.
  package var times: Int?
  /// What the rule does.
  package var action: Action
  /// Whether its answer is that of a recorded call, which is redacted wherever it is shown.
  package var isRecorded = false

  /// Creates a rule.
  public init(
    _ name: String, matching match: Match = Match(), times: Int? = nil, isOn: Bool = true, _ action: Action
  ) {
    self.name = name
    self.isOn = isOn
    self.match = match
    self.times = times
    self.action = action
  }

  /// What a rule does with a request.
  public enum Action: Sendable, Hashable {
    /// Answers it without sending it.
    case answer(Answer)
    /// Fails it without sending it.
    case fail(NetworkError.Kind)
    /// Waits before it is sent or answered.
    case delay(Duration)
    /// Sends it as over this network.
    case network(Network)
    /// Waits for an ``InterventionEditor``, before it is sent or when its response has been received.
    case pause(Moment)

    /// Whether no further rule applies.
    var isFinal: Bool {
      switch self {
      case .answer, .fail: true
      case .delay, .network, .pause: false
      }
    }
  }

  /// When a call is paused.
  public enum Moment: String, Sendable, Hashable, CaseIterable {
    /// Before the request is sent.
    case request
    /// When the response has been received.
    case response
  }
}

extension InterventionRule {
  /// The properties of the requests that a rule applies to; those that are nil are not compared.
  ///
  /// In a pattern, `*` stands for any characters, also none.
  public struct Match: Sendable, Hashable {
    /// The method.
    package var method: HTTPRequest.Method?
    /// The pattern of the host, or of the host and the port if it has a colon; case is ignored.
    package var host: String?
    /// The pattern of the path, without the query.
    package var path: String?
    /// The names that the query must have, and the patterns of their values, percent-decoded.
    package var query: [String: String]
    /// The name of the service, as in `APIIdentity`.
    package var service: String?
    /// The name of the API within the service.
    package var api: String?

    /// Creates a match; that of all requests by default.
    public init(
      method: HTTPRequest.Method? = nil, host: String? = nil, path: String? = nil,
      query: [String: String] = [:], service: String? = nil, api: String? = nil
    ) {
      self.method = method
      self.host = host
      self.path = path
      self.query = query
      self.service = service
      self.api = api
    }

    /// Returns whether a request has all of the properties.
    func includes(_ request: Request) -> Bool {
      let head = request.head
      if let method, method != head.method { return false }
      if let service, service != request.api?.service { return false }
      if let api, api != request.api?.name { return false }
      if let host {
        let authority = (head.authority ?? "").lowercased()
        let isWhole = host.utf8.contains(UInt8(ascii: ":"))
        let compared = isWhole ? authority[...] : Self.host(of: authority)
        guard TextPattern(host.lowercased()).matches(compared) else { return false }
      }
      let target = (head.path ?? "").prefix { $0 != "#" }
      if let path, !TextPattern(path).matches(target.prefix { $0 != "?" }) { return false }
      return query.isEmpty || includes(QueryItems(String(target)).items)
    }

    private func includes(_ items: [QueryItems.Item]) -> Bool {
      query.allSatisfy { name, pattern in
        items.contains { item in
          item.name.elementsEqual(name.utf8)
            && TextPattern(pattern).matches(String(decoding: item.value, as: UTF8.self)[...])
        }
      }
    }

    /// Returns an authority without its port.
    private static func host(of authority: String) -> Substring {
      guard let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().allSatisfy(\.isNumber)
      else { return authority[...] }
      return authority[..<colon]
    }
  }
}

extension InterventionRule {
  /// A response that isn't from the server.
  ///
  /// It has `Cache-Control: no-store`, so that no cache of the app keeps it, unless it is created as
  /// storable.
  public struct Answer: Sendable, Hashable {
    /// The status.
    package var status: HTTPResponse.Status
    /// The header fields.
    package var headerFields: HTTPFields
    /// The content.
    package var body: [UInt8]
    /// Whether the app's caches may store the answer as they would store the server's.
    package var isStorable: Bool

    /// Creates an answer.
    public init(
      status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:], body: [UInt8] = [],
      isStorable: Bool = false
    ) {
      self.status = status
      self.headerFields = headerFields
      self.body = body
      self.isStorable = isStorable
    }

    /// Creates an answer whose content is JSON.
    public init(status: HTTPResponse.Status = .ok, json: String) {
      self.init(status: status, headerFields: [.contentType: "application/json"], body: Array(json.utf8))
    }

    /// Returns the response to a request, without content if neither the method nor the status allows it.
    func response(to method: HTTPRequest.Method) -> Response {
      let hasContent = method != .head && status != .noContent && status != .notModified
      return Response(status: status, headerFields: headerFields, bytes: hasContent ? body : [])
    }
  }
}

extension Stage {
  /// Alters calls, between the app's cache, its retries and its signatures, and the network.
  ///
  /// Bodies are not compressed at this stage. A request that is edited here keeps the signature of the
  /// original one; pass another stage, such as `Stage(rank: 340, name: "interventions")`, to edit a request
  /// before it is authorized and signed.
  public static let interventions = Stage(rank: 690, name: "interventions")
}

/// A text in which `*` stands for any characters, also none.
struct TextPattern: Sendable, Hashable {
  private let pattern: [UInt8]

  init(_ pattern: String) { self.pattern = Array(pattern.utf8) }

  /// Returns whether a whole text matches, in time that is bounded by the product of both lengths.
  func matches(_ text: some StringProtocol) -> Bool {
    let text = Array(text.utf8)
    var (place, index) = (0, 0)
    // The last "*", and how many bytes it stands for so far.
    var retry: (place: Int, index: Int)?
    while index < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        retry = (place, index)
        place += 1
      } else if place < pattern.count, pattern[place] == text[index] {
        place += 1
        index += 1
      } else if let last = retry {
        retry = (last.place, last.index + 1)
        (place, index) = (last.place + 1, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

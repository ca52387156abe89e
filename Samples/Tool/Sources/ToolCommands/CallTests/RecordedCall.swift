import HTTPTypes
public import Interception

/// A call of an archive, with all its attempts and redirects, without its secrets.
public struct RecordedCall: Sendable {
  /// The number by which the command line names it.
  public let number: Int
  /// The time of the first exchange, as the archive has it.
  public let startedAt: String
  /// What was sent, in order.
  public internal(set) var exchanges: [Exchange]
  /// The status, or the label of the error, with which the call ended for its caller.
  public let word: String
  /// The index of the exchange as which the call ended: mostly the last one.
  private var decisive: Int
  /// What the archive lacks of the call as a whole, in words.
  private var ownGaps: [String] = []

  /// A request of a call and how it ended.
  public struct Exchange: Sendable {
    /// The number of the attempt, counted from 1.
    let attempt: Int
    /// The method.
    let method: HTTPRequest.Method
    /// The URL, without user information.
    let url: String
    /// The header fields of the request that may be shown.
    let fields: HTTPFields
    /// The content of the request; empty if the archive has none.
    let body: [UInt8]
    /// How the exchange ended.
    let ending: Ending
    /// What the archive lacks, or what was hidden, in words.
    let gaps: [String]
  }

  /// How an exchange ended.
  enum Ending: Sendable, Hashable {
    case answered(status: Int, HTTPFields, body: [UInt8])
    /// With an error of this kind.
    case failed(label: String)

    /// The status, or the label of the error.
    var word: String {
      switch self {
      case .answered(let status, _, _): String(status)
      case .failed(let label): label
      }
    }
  }

  /// How a call ended for its caller.
  public enum Outcome: Sendable, Hashable {
    /// With a status and a content.
    case answered(status: Int, body: [UInt8])
    /// With a `NetworkError` of this label.
    case failed(label: String)

    /// The status, or the label of the error.
    public var word: String {
      switch self {
      case .answered(let status, _): String(status)
      case .failed(let label): label
      }
    }
  }

  /// Creates a call, which ended for its caller as the last exchange with its outcome.
  ///
  /// - Parameters:
  ///   - exchanges: The exchanges, at least one.
  ///   - word: The status or the label of the outcome; nil for that of the last exchange.
  init(number: Int, startedAt: String, exchanges: [Exchange], endingWith word: String? = nil) {
    (self.number, self.startedAt, self.exchanges) = (number, startedAt, exchanges)
    decisive = max(0, exchanges.count - 1)
    self.word = word ?? exchanges.last?.ending.word ?? "not_sent"
    guard let word else { return }
    if let index = exchanges.lastIndex(where: { $0.ending.word == word }) {
      decisive = index
    } else {
      ownGaps = ["the caller got \(word), which no server sent, and the test expects what was sent last"]
    }
  }

  /// How the call ended for its caller, as far as it was sent.
  public var outcome: Outcome {
    guard exchanges.indices.contains(decisive) else { return .failed(label: "not_sent") }
    return switch exchanges[decisive].ending {
    case .answered(let status, _, let body): .answered(status: status, body: body)
    case .failed(let label): .failed(label: label)
    }
  }

  /// Whether the call failed for its caller, or its status is 400 or above.
  public var isFailure: Bool { Int(word).map { $0 >= 400 } ?? true }

  /// Whether its caller cancelled it, so that there is nothing that a server or a network did.
  public var isCancelled: Bool { word.hasPrefix("cancelled") }

  /// The method and the URL of the first request.
  public var target: String {
    exchanges.first.map { "\($0.method) \($0.url)" } ?? ""
  }

  /// The URL of the first request.
  public var url: String { exchanges.first?.url ?? "" }

  /// The highest number of an attempt.
  public var attemptCount: Int { exchanges.map(\.attempt).max() ?? 1 }

  /// What the archive lacks, or what was hidden; each once.
  public var gaps: [String] {
    var seen: Set<String> = []
    return (ownGaps + exchanges.flatMap(\.gaps)).filter { seen.insert($0).inserted }
  }

  /// Returns the call with the exchange only as which it ended.
  public var decisiveExchange: RecordedCall {
    var call = self
    if exchanges.indices.contains(decisive) { call.exchanges = [exchanges[decisive]] }
    call.decisive = 0
    return call
  }

  /// The line of a list: number, request, outcome and further exchanges.
  public func line(_ ink: Ink, numberWidth: Int) -> String {
    let outcome = ink(isFailure ? .red : .green, word)
    return "\(Figures.right(String(number), numberWidth))  \(Printable.text(target)) → \(outcome)\(steps)"
  }

  /// The endings of the other exchanges, such as ", after 503, connect".
  public var steps: String {
    let words = exchanges.map(\.ending.word)
    let place = word == outcome.word ? decisive : words.count
    let (earlier, later) = (words.prefix(place), words.dropFirst(place + 1))
    return (earlier.isEmpty ? "" : ", after \(earlier.joined(separator: ", "))")
      + (later.isEmpty ? "" : ", before \(later.joined(separator: ", "))")
  }
}

extension RecordedCall.Exchange {
  /// The request as it was sent.
  ///
  /// - Throws: `NetworkError` if the URL is not one that can be sent.
  public func request() throws(NetworkError) -> Request {
    var request = try Request(url, method: method)
    request.head.headerFields = fields
    if !body.isEmpty { request.body = .bytes(body) }
    return request
  }

  /// Returns the response, or throws the error, with which the exchange ended.
  public func response() throws(NetworkError) -> Response {
    switch ending {
    case .answered(let status, let fields, let body):
      return Response(status: HTTPResponse.Status(code: status), headerFields: fields, bytes: body)
    case .failed(let label):
      let failure = FailureLabel(label)
      throw NetworkError(
        failure.kind, "It failed so when it was recorded.",
        requestMayHaveBeenProcessed: failure.mayHaveBeenProcessed)
    }
  }
}

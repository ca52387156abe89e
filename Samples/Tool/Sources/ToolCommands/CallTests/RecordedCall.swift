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

  /// How the call ended: as its last exchange did.
  public var outcome: Outcome {
    switch exchanges.last?.ending {
    case .answered(let status, _, let body): .answered(status: status, body: body)
    case .failed(let label): .failed(label: label)
    case nil: .failed(label: "not_sent")
    }
  }

  /// Whether the call failed, or its status is 400 or above.
  public var isFailure: Bool {
    if case .answered(let status, _) = outcome { status >= 400 } else { true }
  }

  /// Whether its caller cancelled it, so that there is nothing that a server or a network did.
  public var isCancelled: Bool {
    if case .failed(let label) = outcome { label.hasPrefix("cancelled") } else { false }
  }

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
    return exchanges.flatMap(\.gaps).filter { seen.insert($0).inserted }
  }

  /// Returns the call with its last exchange only.
  public var lastExchange: RecordedCall {
    var call = self
    call.exchanges = Array(exchanges.suffix(1))
    return call
  }

  /// The line of a list: number, request, outcome and further exchanges.
  public func line(_ ink: Ink, numberWidth: Int) -> String {
    let outcome = ink(isFailure ? .red : .green, outcome.word)
    return "\(Figures.right(String(number), numberWidth))  \(Printable.text(target)) → \(outcome)\(steps)"
  }

  /// The endings of the exchanges before the last one, such as ", after 503 and connect".
  public var steps: String {
    let words = exchanges.dropLast().map { exchange in
      switch exchange.ending {
      case .answered(let status, _, _): String(status)
      case .failed(let label): label
      }
    }
    return words.isEmpty ? "" : ", after \(words.joined(separator: ", "))"
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

import HTTPTypes
public import Interception
import Synchronization

/// A dispatcher that responds from a cassette and never uses a network.
///
/// A request without a match fails with ``/Interception/NetworkError/Kind/notStored``, and the error
/// describes the differences. Time limits are ignored; the delivery option and its limits apply.
public final class ReplayDispatcher: Dispatcher {
  /// How often and in which order exchanges are replayed.
  package enum Mode: Sendable, Hashable {
    /// Each exchange is replayed once; equal ones in recorded order.
    case once
    /// Each exchange is replayed once, and only after all exchanges before it.
    case inOrder
    /// Each exchange can be replayed repeatedly; of equal ones the first.
    case any
  }

  /// The capabilities that the dispatcher declares.
  public let capabilities: DispatcherCapabilities
  private let mode: Mode
  private let matching: CassetteMatching
  private let redaction: CassetteRedaction
  private let interactions: [Cassette.Interaction]
  private let used: Mutex<Set<Int>> = Mutex([])

  /// Creates a dispatcher for a cassette.
  ///
  /// - Parameter redaction: The redaction that the cassette was recorded with; it is applied to requests
  ///   before matching.
  public convenience init(
    _ cassette: Cassette, redaction: CassetteRedaction = CassetteRedaction(),
    capabilities: DispatcherCapabilities = [.connectTarget]
  ) {
    self.init(
      cassette, mode: .once, matching: CassetteMatching(), redaction: redaction, capabilities: capabilities)
  }

  /// Creates a dispatcher that replays and matches by rules.
  package init(
    _ cassette: Cassette, mode: Mode, matching: CassetteMatching = CassetteMatching(),
    redaction: CassetteRedaction = CassetteRedaction(),
    capabilities: DispatcherCapabilities = [.connectTarget]
  ) {
    interactions = cassette.interactions
    self.mode = mode
    self.matching = matching
    self.redaction = redaction
    self.capabilities = capabilities
  }

  /// The requests that were not replayed, such as `GET https://api.example.com/houses`, so that a test can
  /// assert that there are none.
  public var unused: [String] {
    let used = used.withLock(\.self)
    return interactions.indices.filter { !used.contains($0) }.map { index in
      let request = interactions[index].request
      return "\(request.method) \(request.scheme)://\(request.authority)\(request.path)"
    }
  }

  /// Responds from the cassette.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    guard !Task.isCancelled else { throw NetworkError(.cancelled(.task), "The request was cancelled.") }
    let redacted = redaction.written(request, body: try await request.body.collect(upTo: 64 << 20))
    let found = used.withLock { used in find(redacted, &used) }
    let interaction: Cassette.Interaction
    switch found {
    case .success(let index): interaction = interactions[index]
    case .failure(let miss): throw NetworkError(.notStored, "\(miss)", underlying: miss)
    }
    if let failure = interaction.failure { throw failure.networkError }
    guard let answered = interaction.response else {
      throw NetworkError(
        .notStored,
        "The exchange for \(redacted.method) \(redacted.path) has neither a response nor a failure; record it again."
      )
    }
    return try await response(answered, request.options)
  }

  private func find(_ redacted: Cassette.RecordedRequest, _ used: inout Set<Int>) -> Result<
    Int, CassetteMissError
  > {
    var differences: [String] = []
    for index in interactions.indices where mode == .any || !used.contains(index) {
      guard let difference = matching.difference(redacted, interactions[index].request) else {
        used.insert(index)
        return .success(index)
      }
      differences.append("in exchange \(index + 1) \(difference)")
      if mode == .inOrder { break }
    }
    // The later the difference in this list, the more similar the requests.
    let order = ["content", "path", "origin", "method"]
    let nearest = differences.sorted { left, right in
      let ranks = [left, right].map { text in order.firstIndex { text.contains("the \($0) ") } ?? order.count
      }
      return ranks[0] < ranks[1]
    }
    return .failure(CassetteMissError(request: redacted, differences: Array(nearest.prefix(3))))
  }

  private func response(
    _ recorded: Cassette.RecordedResponse, _ options: RequestOptions
  ) async throws(NetworkError) -> Response {
    var head = HTTPResponse(status: HTTPResponse.Status(code: recorded.status))
    head.headerFields = HTTPFields(recorded.fields)
    let trailers = recorded.trailers.map { HTTPFields($0) }
    let bytes = recorded.body?.bytes ?? []
    let ending = BodyStream.Ending()
    ending.finish(trailers: trailers)
    let source = ScriptedByteSource(
      bytes.isEmpty ? [] : [bytes],
      endingWith: recorded.isComplete
        ? nil
        : NetworkError(
          .transport, "The recorded response is incomplete; record it again and read the whole body.",
          requestMayHaveBeenProcessed: true))
    let limit = options.delivery == .streamed ? options.streamLimit : nil
    let stream = BodyStream(
      length: recorded.isComplete ? Int64(bytes.count) : nil, ending: ending,
      LimitedByteSource(source, limit: limit ?? .max))
    let response = Response(head, body: .stream(stream), trailers: trailers, exchange: Exchange(attempts: 1))
    guard case .buffered(let limit) = options.delivery else { return response }
    return try await response.buffered(upTo: limit)
  }
}

extension HTTPFields {
  fileprivate init(_ fields: [Cassette.Field]) {
    self.init()
    for field in fields {
      guard let name = HTTPField.Name(field.name) else { continue }
      if field.isLatin1 == true {
        let bytes = field.value.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
        append(HTTPField(name: name, value: bytes))
      } else {
        append(HTTPField(name: name, value: field.value))
      }
    }
  }
}

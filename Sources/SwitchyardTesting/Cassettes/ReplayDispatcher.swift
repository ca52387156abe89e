import HTTPTypes
public import Interception
import Synchronization

/// A dispatcher that answers from a cassette, and never from a network.
///
/// A request that nothing matches fails with ``/Interception/NetworkError/Kind/notStored`` around a
/// ``CassetteMiss``, which says what differed. Time limits don't apply; delivery and its limits do.
public final class ReplayDispatcher: Dispatcher {
  /// How often and in which order exchanges answer.
  public enum Mode: Sendable, Hashable {
    /// Each answers once; equal ones in the order of the recording.
    case once
    /// Each answers once, and only when all before it have.
    case inOrder
    /// Each answers as often as it is asked; of equal ones the first.
    case any
  }

  /// The abilities that it claims to have.
  public let capabilities: DispatcherCapabilities
  private let mode: Mode
  private let matching: CassetteMatching
  private let redaction: CassetteRedaction
  private let interactions: [Cassette.Interaction]
  private let used: Mutex<Set<Int>> = Mutex([])

  /// Makes a player.
  ///
  /// - Parameter redaction: The one that the cassette was recorded with; it is applied to requests before
  ///   they are matched.
  public init(
    _ cassette: Cassette, mode: Mode = .once, matching: CassetteMatching = CassetteMatching(),
    redaction: CassetteRedaction = CassetteRedaction(),
    capabilities: DispatcherCapabilities = [.connectTarget, .responseDecoding]
  ) {
    interactions = cassette.interactions
    self.mode = mode
    self.matching = matching
    self.redaction = redaction
    self.capabilities = capabilities
  }

  /// The exchanges that have answered nobody, so that a test can assert that there are none.
  public var unused: [Cassette.Interaction] {
    let used = used.withLock(\.self)
    return interactions.indices.filter { !used.contains($0) }.map { interactions[$0] }
  }

  /// Answers from the cassette.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    guard !Task.isCancelled else { throw NetworkError(.cancelled(.task), "The request was cancelled.") }
    let asked = redaction.written(request, body: try await request.body.collect(upTo: 64 << 20))
    let found = used.withLock { used in find(asked, &used) }
    let interaction: Cassette.Interaction
    switch found {
    case .success(let index): interaction = interactions[index]
    case .failure(let miss): throw NetworkError(.notStored, "\(miss)", underlying: miss)
    }
    if let failure = interaction.failure { throw failure.networkError }
    guard let answered = interaction.response else {
      throw NetworkError(
        .notStored,
        "The exchange for \(asked.method) \(asked.path) has neither answer nor failure; record it anew.")
    }
    return try await response(answered, request.options)
  }

  private func find(_ asked: Cassette.Asked, _ used: inout Set<Int>) -> Result<Int, CassetteMiss> {
    var differences: [String] = []
    for index in interactions.indices where mode == .any || !used.contains(index) {
      guard let difference = matching.difference(asked, interactions[index].request) else {
        used.insert(index)
        return .success(index)
      }
      differences.append("in exchange \(index + 1) \(difference)")
      if mode == .inOrder { break }
    }
    // What got further before it differed is nearer.
    let order = ["content", "path", "origin", "method"]
    let nearest = differences.sorted { left, right in
      let ranks = [left, right].map { text in order.firstIndex { text.contains("the \($0) ") } ?? order.count
      }
      return ranks[0] < ranks[1]
    }
    return .failure(CassetteMiss(asked: asked, differences: Array(nearest.prefix(3))))
  }

  private func response(
    _ answered: Cassette.Answered, _ options: RequestOptions
  ) async throws(NetworkError) -> Response {
    var head = HTTPResponse(status: HTTPResponse.Status(code: answered.status))
    head.headerFields = HTTPFields(answered.fields)
    let trailers = answered.trailers.map { HTTPFields($0) }
    let bytes = answered.body?.bytes ?? []
    let ending = StreamEnding()
    ending.finish(trailers: trailers)
    let source = ScriptedByteSource(
      bytes.isEmpty ? [] : [bytes],
      endingWith: answered.isComplete
        ? nil
        : NetworkError(
          .transport, "The recorded answer breaks off here; record it anew, and read it to its end.",
          requestMayHaveBeenProcessed: true))
    let stream = BodyStream(
      length: answered.isComplete ? Int64(bytes.count) : nil, ending: ending,
      LimitedByteSource(source, options))
    let response = Response(head, body: .stream(stream), trailers: trailers, exchange: Exchange(attempts: 1))
    guard case .buffered(let limit) = options.delivery else { return response }
    return try await response.buffered(upTo: limit)
  }
}

extension HTTPFields {
  fileprivate init(_ fields: [Cassette.Field]) {
    self.init()
    for field in fields {
      if let name = HTTPField.Name(field.name) { append(HTTPField(name: name, value: field.value)) }
    }
  }
}

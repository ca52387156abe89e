import ContentCodings
import HTTPTypes
public import Interception
import Synchronization

/// Gzip-codes the bodies that go out, asks for coded answers, and limits what they become.
///
/// A request's body is coded when it has at least `threshold` bytes, can be sent again, isn't compressed by
/// its type, carries neither `Content-Encoding` nor a digest, and a tenth is saved. A body that isn't in
/// memory is coded while it is sent: its length is then unknown, and whether it saves anything isn't asked.
///
/// A server that refuses with a 415 and an `Accept-Encoding` field (RFC 7694, section 3), or a coded stream
/// with a 411, is sent the body uncoded, once, and is remembered for 24 hours. A 415 without that field is
/// about something else. A server that doesn't know the coding and answers 400 isn't recognised: set
/// ``RequestCoding/whereAccepted`` or ``RequestCoding/never`` for it.
///
/// The answer is decoded by the dispatcher; the decoded bytes are counted here too.
public final class CompressionInterceptor: Interceptor {
  /// Stage ``Stage/compression``; it calls `next` again after a refusal.
  public let traits: InterceptorTraits
  private let requests: RequestCoding
  private let threshold: Int
  private let level: Int
  private let codings: [ContentCoding]
  private let limits: AnswerLimits
  private let time: TimeSource
  private let memory: Mutex<CodingMemory>

  /// Makes an interceptor.
  ///
  /// - Parameters:
  ///   - requests: Which bodies are coded, where ``RequestContext/requestCoding`` says nothing else.
  ///   - threshold: The shortest body that is coded, in bytes.
  ///   - level: The effort, 1 to 9.
  ///   - codings: What answers may be coded with, where a request names no codings, no `Accept-Encoding` and
  ///     no `Range`. An empty list asks for none, and needs no dispatcher that decodes.
  ///   - limits: How much an answer may hold.
  ///   - time: The clock by which refusals are forgotten.
  public init(
    requests: RequestCoding = .whenLarge, threshold: Int = 1024, level: Int = 6,
    accepting codings: [ContentCoding] = [.gzip, .brotli, .zstd, .deflate],
    limits: AnswerLimits = AnswerLimits(), time: TimeSource = .system
  ) {
    traits = InterceptorTraits(
      stage: .compression, callsNext: .anyNumber,
      requires: codings.isEmpty ? [] : [.dispatcher(.responseDecoding)])
    self.requests = requests
    self.threshold = threshold
    self.level = level
    self.codings = codings
    self.limits = limits
    self.time = time
    memory = Mutex(CodingMemory())
  }

  /// Sends the request, coded where that pays, and limits its answer.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    var request = request
    limits.tighten(&request.options)
    if asksForCodings(request, capabilities: next.capabilities) { request.options.acceptedCodings = codings }
    let response = try await answered(request, next)
    return try limits.checked(response, asked: request.options)
  }

  private func asksForCodings(_ request: Request, capabilities: DispatcherCapabilities) -> Bool {
    // A range of a coded representation can't be decoded by itself.
    request.options.acceptedCodings.isEmpty && capabilities.contains(.responseDecoding)
      && !request.head.headerFields.contains { $0.name == .acceptEncoding || $0.name == .range }
  }

  private func answered(_ request: Request, _ next: some Dispatcher) async throws -> Response {
    guard let coded = try coded(request) else {
      let response = try await next.dispatch(request)
      learn(from: response, to: request)
      return response
    }
    let response = try await next.dispatch(coded)
    guard Self.isRefusal(response, of: coded) else {
      learn(from: response, to: request)
      return response
    }
    let resource = CodingMemory.Resource(request.head)
    memory.withLock { $0.note(.refuses, on: resource, at: time.now()) }
    return try await next.dispatch(request)
  }

  /// Returns the request with its body coded; nil where it is to be sent as it is.
  private func coded(_ request: Request) throws(NetworkError) -> Request? {
    // What is too short is never coded, whatever the resource takes; most requests have no body at all.
    if let length = request.body.length, length < Int64(max(threshold, 1)) { return nil }
    let resource = CodingMemory.Resource(request.head)
    let verdict = memory.withLock { $0.verdict(on: resource, at: time.now()) }
    let plan = CodingPlan(
      for: request, rule: request.context.requestCoding ?? requests, threshold: threshold, verdict: verdict)
    var coded = request
    switch plan {
    case .identity: return nil
    case .whole(let limit):
      guard let bytes = try GzipEncoder.encode(request.body.bytes ?? [], level: level, atMost: limit) else {
        return nil
      }
      coded.body = .bytes(bytes)
    case .chunkwise:
      let (body, level) = (request.body, level)
      coded.body = .restartable(length: nil) { () async throws(NetworkError) -> any ByteSource in
        try GzipByteSource(try await body.open(), announced: body.length, level: level)
      }
    }
    coded.head.headerFields[.contentEncoding] = ContentCoding.gzip.name
    coded.head.headerFields[.contentLength] = nil
    return coded
  }

  private static func isRefusal(_ response: Response, of coded: Request) -> Bool {
    switch response.status.code {
    case 415:
      // Without the field the type of the content was refused, not its coding.
      response.head.headerFields[.acceptEncoding].map { AcceptEncoding($0).acceptsIdentity } ?? false
    case 411: coded.body.length == nil
    default: false
    }
  }

  private func learn(from response: Response, to request: Request) {
    guard let field = response.head.headerFields.value(of: .acceptEncoding) else { return }
    let verdict: CodingMemory.Verdict = AcceptEncoding(field).accepts(.gzip) ? .accepts : .refuses
    let resource = CodingMemory.Resource(request.head)
    memory.withLock { $0.note(verdict, on: resource, at: time.now()) }
  }
}

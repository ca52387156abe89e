import HTTPTypes
import Interception

/// How much of the bodies is logged; nothing by default.
///
/// Only text is logged: `text/*`, JSON, XML, forms, JavaScript and GraphQL. Content in a content coding is
/// logged if a `CompressionInterceptor` decodes it. Values in forms and in JSON are redacted like those in a
/// query, see `shownQueryNames`, also where a sample is cut off. Other text is logged unchanged,
/// including passwords: hide them with `redacting`, and don't enable sampling for real users.
public struct BodySampling: Sendable {
  /// The maximum number of bytes of a request's body; only a body in memory is logged.
  package let requestBytes: Int
  /// The maximum number of bytes of a response's body.
  package let responseBytes: Int
  /// The sampling period: one request in this many is sampled.
  package let period: UInt64
  let redact: @Sendable (String) -> String

  /// Logs no bodies.
  public static let none = BodySampling(requestBytes: 0, responseBytes: 0)

  /// Creates a sampling configuration.
  ///
  /// - Parameters:
  ///   - requestBytes: The maximum number of bytes of a request's body.
  ///   - responseBytes: The maximum number of bytes of a response's body.
  ///   - period: 1 samples every request, 100 one in a hundred, by request number.
  ///   - redact: A closure that receives each truncated sample and returns the text to log.
  public init(
    requestBytes: Int = 1024, responseBytes: Int = 1024, oneIn period: Int = 1,
    redacting redact: @escaping @Sendable (_ text: String) -> String = { $0 }
  ) {
    self.requestBytes = max(0, requestBytes)
    self.responseBytes = max(0, responseBytes)
    self.period = UInt64(max(1, period))
    self.redact = redact
  }
}

extension BodySampling {
  /// What is sampled of a response.
  func sample(of response: HTTPResponse, to request: Request) -> ResponseSample {
    guard responseBytes > 0, samples(request.id), Self.isText(response.headerFields) else { return .none }
    let codings = response.headerFields.contentCodings
    guard !codings.isEmpty else { return ResponseSample(limit: responseBytes) }
    return request.context.sampleDecoder.map {
      ResponseSample(limit: responseBytes, codings: codings, decoder: $0)
    } ?? .none
  }

  /// The text of a request's body to log, on one line, or nil.
  func text(of request: Request, redaction: Redaction) -> String? {
    sample(of: request) { bytes, whole, fields in
      text(bytes, whole: whole, fields: fields, redaction: redaction)
    }
  }

  /// The text of a request's body, redacted, or nil if it isn't to be shown.
  func sample(of request: Request, redaction: Redaction) -> String? {
    sample(of: request) { bytes, _, fields in
      text(of: bytes, fields: fields, redaction: redaction)
    }
  }

  private func sample(
    of request: Request, _ format: (ArraySlice<UInt8>, _ whole: Int64, HTTPFields) -> String
  ) -> String? {
    guard requestBytes > 0, samples(request.id), let bytes = request.body.bytes, !bytes.isEmpty else {
      return nil
    }
    let fields = request.head.headerFields
    return Self.isText(fields) && fields.contentCodings.isEmpty
      ? format(bytes.prefix(requestBytes), Int64(bytes.count), fields) : nil
  }

  /// The text of a sampled part of a body, on one line; `whole` is the length of the content, if it is known.
  func text(
    _ sample: some Collection<UInt8>, whole: Int64?, fields: HTTPFields, redaction: Redaction
  ) -> String {
    let shown = LogText.escaped(text(of: sample, fields: fields, redaction: redaction), upTo: .max)
    guard let whole else { return sample.count < responseBytes ? shown : "\(shown)…" }
    let left = whole - Int64(sample.count)
    return left > 0 ? "\(shown)… (+\(left) bytes)" : shown
  }

  /// The text of a sampled part of a body, redacted.
  func text(of sample: some Collection<UInt8>, fields: HTTPFields, redaction: Redaction) -> String {
    let text = String(decoding: sample, as: UTF8.self)
    let isForm = Self.type(of: fields) == "application/x-www-form-urlencoded"
    let isJSON = Self.type(of: fields).hasSuffix("json") || Redaction.isJSON(text)
    return redact(isForm ? redaction.query(text) : isJSON ? redaction.json(text) : text)
  }

  private func samples(_ request: RequestID) -> Bool { request.number % period == 0 }

  private static func type(of fields: HTTPFields) -> String {
    MediaTypeSyntax.essence(of: fields.mediaType ?? "")
  }

  private static func isText(_ fields: HTTPFields) -> Bool {
    let type = type(of: fields)
    let texts: Set<String> = [
      "application/json", "application/xml", "application/x-www-form-urlencoded", "application/javascript",
      "application/graphql", "application/x-ndjson", "application/problem+json",
    ]
    return texts.contains(type) || type.hasPrefix("text/") || type.hasSuffix("+json")
      || type.hasSuffix("+xml")
  }
}

/// What is sampled of a response: its first bytes, decoded if they are coded.
struct ResponseSample: Sendable {
  static let none = ResponseSample(limit: 0)

  private let limit: Int
  private let codings: [String]
  private let decoder: SampleDecoder?

  fileprivate init(limit: Int, codings: [String] = [], decoder: SampleDecoder? = nil) {
    (self.limit, self.codings, self.decoder) = (limit, codings, decoder)
  }

  /// The number of bytes to keep of a stream.
  var keptBytes: Int { decoder == nil ? limit : max(limit, SampleDecoder.sufficientBytes) }

  /// Returns the sample of a body, or of its kept bytes.
  func bytes(of body: [UInt8]) -> [UInt8] {
    guard limit > 0, !body.isEmpty else { return [] }
    return decoder?.sample(of: body, in: codings, upTo: limit) ?? Array(body.prefix(limit))
  }
}

extension Response {
  /// Returns the response with its stream counted and sampled.
  ///
  /// - Parameter notify: Called once with how the stream ended, and with the transfer's latest report.
  func sampling(
    _ stream: BodyStream, upTo limit: Int,
    whenEnded notify:
      @escaping @Sendable (SampledByteSource.Ending, SampledByteSource.Seen, TransportReport?) -> Void
  ) throws(NetworkError) -> Response {
    let (transport, ending) = (exchange.transport, stream.ending)
    let source = SampledByteSource(try stream.claim(), samplingUpTo: limit) { result, seen in
      notify(result, seen, ending.transport ?? transport)
    }
    var response = self
    response.body = .stream(BodyStream(length: stream.length, ending: ending, source))
    return response
  }
}

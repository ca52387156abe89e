import HTTPTypes
import Interception
import Logging

/// One attempt to send a request, formatted as log metadata.
struct ExchangeRecord: Sendable {
  let request: Request
  let redaction: Redaction
  let details: LogDetails
  let bodies: BodySampling

  /// The metadata of the line before sending.
  func started() -> Logger.Metadata {
    var line = identified()
    line.addBytes(of: request)
    line.addTarget(of: request)
    return line.values
  }

  /// The metadata of the line after a response; a stream's figures are those at its end.
  func finished(
    _ response: HTTPResponse, exchange: Exchange, bytes: Int64, isStream: Bool, sample: [UInt8],
    after duration: Duration
  ) -> Logger.Metadata {
    var line = described()
    add(response, bytes: bytes, isStream: isStream, to: &line)
    if details.contains(.headers) {
      line.addHeaders(response.headerFields, as: "response.headers", redaction)
    }
    if !sample.isEmpty {
      line.add(
        body: bodies.text(sample, whole: bytes, fields: response.headerFields, redaction: redaction),
        as: "response.body")
    }
    line.add(duration: duration)
    line.add(cache: exchange.cache)
    if details.contains(.transport) { line.add(transport: exchange.transport) }
    return line.values
  }

  /// The metadata of the line after an error; `response` is the head of a stream that failed.
  func failed(
    _ error: NetworkError, response: HTTPResponse? = nil, bytes: Int64 = 0, after duration: Duration
  ) -> Logger.Metadata {
    var line = described()
    if let response { add(response, bytes: bytes, isStream: true, to: &line) }
    line.add(duration: duration)
    line.add(error) { redaction.scrubbed($0, of: request) }
    return line.values
  }

  private func add(_ response: HTTPResponse, bytes: Int64, isStream: Bool, to line: inout LineMetadata) {
    line.add(status: response.status)
    line.add(responseBytes: bytes, isStream: isStream)
  }

  private func identified() -> LineMetadata {
    var line = LineMetadata()
    line.add(request.id, attempt: request.attempt)
    line.add(Request.Summary(request))
    line.addQuery(of: request, redaction)
    return line
  }

  private func described() -> LineMetadata {
    var line = identified()
    line.addBytes(of: request)
    line.addTarget(of: request)
    if details.contains(.headers) {
      line.addHeaders(request.head.headerFields, as: "request.headers", redaction)
    }
    if details.contains(.curlCommand) { line.add(curl: CurlCommand(request, redaction: redaction)) }
    line.add(body: bodies.text(of: request, redaction: redaction), as: "request.body")
    return line
  }
}

import HTTPTypes
import Interception
import Logging

/// One attempt to send a request, formatted as log metadata.
struct ExchangeRecord: Sendable {
  let request: Request
  let format: LineFormat
  /// The metadata of the line before sending, if it was logged; the other lines begin with it.
  private let start: LineMetadata?

  /// Creates a record, with the metadata of the line before sending only if that is logged.
  init(_ request: Request, format: LineFormat, logsStart: Bool) {
    self.request = request
    self.format = format
    start = logsStart ? LineMetadata(of: request, format.redaction) : nil
  }

  /// The metadata of the line before sending.
  func started() -> Logger.Metadata { identified().values }

  /// The metadata of the line after a response; a stream's figures are those at its end.
  func finished(
    _ response: HTTPResponse, exchange: Exchange, bytes: Int64, isStream: Bool, sample: [UInt8],
    after duration: Duration
  ) -> Logger.Metadata {
    var line = described()
    add(response, bytes: bytes, isStream: isStream, to: &line)
    if format.details.contains(.headers) {
      line.addHeaders(response.headerFields, as: "response.headers", format, of: request)
    }
    if !sample.isEmpty {
      line.add(
        body: format.bodies.text(
          sample, whole: response.headerFields.contentCodings.isEmpty ? bytes : nil,
          fields: response.headerFields, redaction: format.redaction),
        as: "response.body")
    }
    line.add(duration: duration)
    line.add(cache: exchange.cache)
    if format.details.contains(.transport) { line.add(transport: exchange.transport) }
    return line.values
  }

  /// The metadata of the line after an error; `response` is the head of a stream that failed.
  func failed(
    _ error: NetworkError, response: HTTPResponse? = nil, bytes: Int64 = 0, after duration: Duration
  ) -> Logger.Metadata {
    var line = described()
    if let response { add(response, bytes: bytes, isStream: true, to: &line) }
    line.add(duration: duration)
    line.add(error) { format.redaction.scrubbed($0, of: request) }
    return line.values
  }

  private func add(_ response: HTTPResponse, bytes: Int64, isStream: Bool, to line: inout LineMetadata) {
    line.add(status: response.status)
    line.add(responseBytes: bytes, isStream: isStream)
  }

  private func identified() -> LineMetadata { start ?? LineMetadata(of: request, format.redaction) }

  private func described() -> LineMetadata {
    var line = identified()
    if format.details.contains(.headers) {
      line.addHeaders(request.head.headerFields, as: "request.headers", format, of: request)
    }
    if format.details.contains(.curlCommand) {
      line.add(curl: CurlCommand(request, redaction: format.redaction))
    }
    line.add(body: format.bodies.text(of: request, redaction: format.redaction), as: "request.body")
    return line
  }
}

/// What the lines of an interceptor show.
///
/// A class, so that each request retains one object instead of copying its parts.
final class LineFormat: Sendable {
  let redaction: Redaction
  let details: LogDetails
  let bodies: BodySampling
  /// The replacement for a hidden value, on one line.
  let mark: Logger.MetadataValue
  /// The fields whose values are shown; true for those that contain a URL.
  ///
  /// The decision is made once for each name, because it takes several look-ups.
  private let shownFields: [HTTPField.Name: Bool]

  init(redaction: Redaction, details: LogDetails, bodies: BodySampling) {
    self.redaction = redaction
    self.details = details
    self.bodies = bodies
    mark = .string(LogText.escaped(redaction.mark))
    shownFields = redaction.shownHeaders.reduce(into: [:]) { fields, name in
      if !redaction.hides(name) { fields[name] = Redaction.containsURL(name) }
    }
  }

  /// Returns the value of a field of a request or its response, redacted and on one line.
  ///
  /// - Parameter credentials: The credential fields of the request; the decisions made once know the usual
  ///   ones only.
  func value(of field: HTTPField, besides credentials: CredentialFields) -> Logger.MetadataValue {
    guard let containsURL = shownFields[field.name],
      credentials.isUsual || !credentials.contains(field.name)
    else { return mark }
    return .string(LogText.escaped(containsURL ? redaction.url(field.text) : field.text))
  }
}

import HTTPTypes
import Interception
import RequestLogging

/// Writes records as an HTTP Archive, and as command lines, redacted.
struct CallArchive {
  let app: String
  let shown: ShownText

  /// Returns the exchanges of calls, and the calls that sent nothing, as HAR 1.2.
  ///
  /// - Parameter earlier: Entries that were written before, for the calls before the first one.
  func document(of records: [CallRecord], after earlier: [[UInt8]] = [], omittedCount: Int) -> [UInt8] {
    var document = emptyDocument
    for entries in earlier { document.add(entries) }
    for record in records { add(record, to: &document) }
    return document.bytes(omittedCount: omittedCount)
  }

  /// Returns the entries of a call, separated by commas, for a later document.
  func entries(of record: CallRecord) -> [UInt8] {
    var document = emptyDocument
    add(record, to: &document)
    return document.entriesBytes
  }

  private var emptyDocument: ArchiveDocument {
    ArchiveDocument(redaction: shown.redaction, application: (app, ""))
  }

  /// Returns a command line that sends the last request of a call.
  func curl(of record: CallRecord) -> String {
    let sent = record.exchanges.last?.request ?? record.request
    var request = request(sent, of: record)
    request.options = record.options
    request.context.connectTarget = sent.connectTarget
    return CurlCommand(request, redaction: shown.redaction).line
  }

  private func add(_ record: CallRecord, to document: inout ArchiveDocument) {
    let shown = shown
    let redact: @Sendable (String) -> String = { shown.scrubbed($0, of: record) }
    for exchange in record.exchanges {
      // A request whose response is still awaited is not part of an archive.
      guard let end = exchange.end, let result = result(of: exchange, in: record) else { continue }
      document.add(
        request(exchange.request, of: record).asAttempt(exchange.attempt), id: record.requestID, result,
        startedAt: record.startedAt.advanced(by: exchange.start), after: end - exchange.start,
        alterations: record.alterationTexts, redacting: redact)
    }
    guard record.exchanges.isEmpty, let duration = record.duration, let outcome = record.outcome else {
      return
    }
    let result: ArchivedResult =
      switch outcome {
      case .delivered(let response, _): self.result(of: response, nil)
      case .failed(let error): .failed(error.archived)
      }
    document.add(
      request(record.request, of: record), id: record.requestID, result, cache: record.report?.cache,
      startedAt: record.startedAt, after: duration, alterations: record.alterationTexts, redacting: redact)
  }

  private func request(_ sent: RecordedRequest, of record: CallRecord) -> Request {
    let isShown = shown.isShown(sent.body, fields: sent.head.headerFields)
    let body: RequestBody =
      if isShown, !sent.body.isCut {
        .bytes(sent.body.bytes)
      } else {
        // Only its length is known, or shown.
        .restartable(length: sent.body.size) { () throws(NetworkError) in BufferedByteSource([]) }
      }
    var request = Request(sent.head, body: sent.body.size == 0 ? .empty : body)
    request.context.credentialFields = record.credentialFields
    request.context.api = record.api
    return request
  }

  private func result(of exchange: RecordedExchange, in record: CallRecord) -> ArchivedResult? {
    if var response = exchange.response {
      // The last response is delivered decoded.
      if exchange.attempt == record.exchanges.last?.attempt,
        case .delivered(let delivered, _) = record.outcome,
        delivered.head.status == response.head.status, delivered.head.headerFields.contentCodings.isEmpty,
        !response.head.headerFields.contentCodings.isEmpty
      {
        response = delivered
      }
      guard let failure = exchange.failure else { return result(of: response, exchange.transport) }
      return .interrupted(
        response.head, bytes: response.body.size ?? 0, exchange.transport, failure.archived)
    }
    return exchange.failure.map { .failed($0.archived) }
  }

  private func result(of response: RecordedResponse, _ transport: TransportReport?) -> ArchivedResult {
    let size = response.body.size ?? Int64(response.body.bytes.count)
    if response.body.omission == .dropped { return .interrupted(response.head, bytes: size, transport, nil) }
    let isShown = shown.isShown(response.body, fields: response.head.headerFields)
    return .answered(response.head, bytes: size, sample: isShown ? response.body.bytes : [], transport)
  }
}

extension RecordedError {
  /// The error as an archive names it, by its label.
  fileprivate var archived: ArchivedFailure { ArchivedFailure(label: label, origin: origin) }
}

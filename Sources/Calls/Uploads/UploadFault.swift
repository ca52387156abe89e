public import HTTPTypes
import Interception

/// Why an upload failed; the `underlying` error of a `NetworkError`.
public enum UploadFault: Error, Sendable, Hashable {
  /// The server responded with a status that ends the upload.
  case status(HTTPResponse)
  /// The server created no upload that can be resumed: its response has no `Location`.
  case notResumable
  /// The URL of the upload is invalid or longer than 8 KiB, there are different ones, or it is not encrypted
  /// although that of the request is.
  case invalidLocation
  /// The server does not speak the protocol's version.
  case unsupportedVersion
  /// The server does not know the checksum.
  case unsupportedChecksum
  /// The server received other bytes than those of the checksum, as often as the policy allows.
  case checksumMismatch
  /// The file is larger than the server accepts, or a request can't be as small as it demands.
  case tooLarge
  /// The server stored only a part of a request's content, and the run ended before the rest was sent.
  case incomplete
  /// The server no longer has the upload, or it has expired, although it was begun anew.
  case gone
  /// All content was sent, and the server no longer has the upload: it may be complete.
  case completionUnknown
  /// The file has changed since its upload began.
  case fileChanged
  /// Another run uploads with the same record.
  case occupied
  /// The record can't be read, written or removed.
  case record
}

extension NetworkError {
  static func upload(_ fault: UploadFault, _ reason: String? = nil) -> NetworkError {
    NetworkError(
      fault == .invalidLocation ? .protocolViolation : .rejected, reason ?? fault.reason,
      requestMayHaveBeenProcessed: true, underlying: fault)
  }

  /// Returns the error as one of the request that creates an upload, without the upload's URL.
  ///
  /// Requests of errors have a path, and an upload's may be a secret.
  func asUpload(of request: Request, hiding targets: [UploadTarget]) -> NetworkError {
    var (kind, reason) = (kind, reason)
    if kind == .bodyNotReplayable {
      // The transport lost the connection within a part, which only the run may send again.
      (kind, reason) = (.transport, "The connection was lost while a part of the file was sent.")
    }
    for target in targets { reason = target.hidden(in: reason) }
    var error = NetworkError(
      kind, reason, requestMayHaveBeenProcessed: requestMayHaveBeenProcessed, underlying: underlying,
      origin: origin, attempt: attempt)
    error.retryRefusal = retryRefusal
    error.preventedDeparture = preventedDeparture
    error.progress = progress
    return error.of(request)
  }

  /// Whether a request without content was refused before it was sent, and not for what it has in common with
  /// the request that creates uploads: its URL is longer.
  func refusesURL(of target: UploadTarget, ofUpload requests: UploadRequests) -> Bool {
    kind == .invalidRequest && !requestMayHaveBeenProcessed
      && target.url.utf8.count > requests.base.utf8.count
  }

  /// The error for a server that contradicts itself or the protocol.
  static func uploadViolation(_ what: String) -> NetworkError {
    NetworkError(
      .protocolViolation, "The server \(what); check the server.", requestMayHaveBeenProcessed: true)
  }
}

extension UploadFault {
  /// A sentence without the upload's URL, which may be a secret.
  fileprivate var reason: String {
    switch self {
    case .status(let head):
      "The server responded to the upload with status \(head.status.code); inspect the response."
    case .notResumable:
      "The server created no resumable upload: its response has no Location; check the URL and the protocol."
    case .invalidLocation:
      "The URL that the server gave the upload is invalid, or not https although that of the request is; "
        + "check the server."
    case .unsupportedVersion:
      "The server does not speak version \(UploadProtocol.tusVersion) of tus; choose another protocol."
    case .unsupportedChecksum:
      "The server does not list the checksum in Tus-Checksum-Algorithm; choose another one or none."
    case .checksumMismatch:
      "The server received other bytes than the checksum is of; check what changes them on the way."
    case .tooLarge: "The server accepts no file of this size; ask for a higher limit."
    case .incomplete: "The server stored only a part of what was sent; run the upload again to resume it."
    case .gone:
      "The server repeatedly lost the upload, or let it expire, before it was complete; check the server."
    case .completionUnknown:
      "All content was sent, but its response was lost, and the server no longer has the upload; ask the server "
        + "whether it is complete, or run the upload again to begin anew."
    case .fileChanged:
      "The file has changed since its upload began; discard the unfinished upload to begin anew."
    case .occupied: "Another run is uploading the file; wait for it, or choose another record."
    case .record: "The record of the upload cannot be used; check its folder."
    }
  }
}

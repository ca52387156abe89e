public import HTTPTypes
import Interception

/// Why a download failed; the `underlying` error of a `NetworkError`.
public enum DownloadFault: Error, Sendable, Hashable {
  /// The server responded with neither the content nor a part of it.
  case status(HTTPResponse)
  /// The dispatcher decoded a part of a file, or the response to a request for one: byte positions are those
  /// of the coded content, and are meaningless in what it delivered.
  case contentCoded(String)
  /// The file doesn't have the digest that was expected, or that the server sent; the unfinished file was
  /// removed, and the target is unchanged.
  case digestMismatch(FileDigest.Algorithm)
  /// The server sent no digest although the policy requires one.
  case digestMissing
  /// Another download is writing the same file, or has replaced it before this one was complete.
  case occupied
  /// The disk or the user's quota is full.
  case noSpace
  /// The file or its folder is not writable.
  case noPermission
  /// The unfinished file is not the process's own: it belongs to another user, or has several names; nothing
  /// was written to it.
  case foreignFile
  /// Another error of the file system, with its `errno` code.
  case fileSystem(code: Int32)
}

extension NetworkError {
  static func download(_ fault: DownloadFault, _ reason: String? = nil) -> NetworkError {
    let sentence =
      switch fault {
      case .status(let head):
        "The server responded to the download with status \(head.status.code); inspect the response."
      case .contentCoded(let coding):
        "The dispatcher decoded a part of the file, which is in the coding \"\(Response.printable(coding))\"; download "
          + "it with a dispatcher that delivers content as it was sent, or not in parts."
      case .digestMismatch(let algorithm):
        "The file has another \(algorithm.title), so it was removed; download it again, or check the server."
      case .digestMissing:
        "The server sent no SHA-256 or SHA-512 of the file; pass the digest, or don't require one in the policy."
      case .occupied, .noSpace, .noPermission, .foreignFile, .fileSystem:
        "The file cannot be written; check its folder."
      }
    return NetworkError(
      .rejected, reason ?? sentence, requestMayHaveBeenProcessed: true, underlying: fault)
  }

  static var downloadCancelled: NetworkError {
    NetworkError(.cancelled(.task), "The download was cancelled.", requestMayHaveBeenProcessed: true)
  }

  static var downloadInTooManyParts: NetworkError {
    NetworkError(
      .protocolViolation,
      "The server sends the file in too many parts; run the download again to resume it, or check the server.",
      requestMayHaveBeenProcessed: true)
  }

  static func downloadContradiction(_ error: RepeatedFieldError) -> NetworkError {
    NetworkError(.protocolViolation, "\(error)", requestMayHaveBeenProcessed: true)
  }

  static var downloadTooLong: NetworkError {
    NetworkError(
      .protocolViolation,
      "The response has more bytes than announced, so the file was discarded; check the server.",
      requestMayHaveBeenProcessed: true)
  }

  static func downloadEnded(early missing: Int64) -> NetworkError {
    NetworkError(
      .transport, "The response ended \(missing) bytes early; run the download again to resume it.",
      requestMayHaveBeenProcessed: true)
  }

  /// Returns the error of a response that a download refuses.
  func ofDownload(_ response: Response, to request: Request) -> NetworkError {
    var error = self
    error.retryRefusal = response.exchange.retryRefusal
    error.attempt = max(response.exchange.attempts, 1)
    return error.of(request)
  }
}

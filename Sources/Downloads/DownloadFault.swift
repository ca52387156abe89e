public import HTTPTypes
import Interception

/// Why a download failed; the `underlying` error of a `NetworkError`.
public enum DownloadFault: Error, Sendable, Hashable {
  /// The server responded with neither the content nor a part of it.
  case status(HTTPResponse)
  /// The server sent encoded content although identity was requested; byte positions in it are meaningless.
  case contentCoded(String)
  /// Another download is writing the same file.
  case occupied
  /// The disk or the user's quota is full.
  case noSpace
  /// The file or its folder is not writable.
  case noPermission
  /// Another error of the file system, with its `errno` code.
  case fileSystem(code: Int32)
}

extension NetworkError {
  static func download(_ fault: DownloadFault, _ reason: String? = nil) -> NetworkError {
    let sentence =
      switch fault {
      case .status(let head):
        "The server responded to the download with status \(head.status.code); inspect the response."
      case .contentCoded: "The server encoded the file although identity was requested; check the server."
      case .occupied, .noSpace, .noPermission, .fileSystem: "The file cannot be written; check its folder."
      }
    return NetworkError(
      .rejected, reason ?? sentence, requestMayHaveBeenProcessed: true, underlying: fault)
  }
}

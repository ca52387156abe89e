public import HTTPTypes

/// Why a download stopped for a reason of its own; the `underlying` error of a ``NetworkError``.
public enum DownloadFault: Error, Sendable, Hashable {
  /// The server answered neither with the content nor with a part of it.
  case status(HTTPResponse)
  /// The server sent a coded content although none was asked for; positions in it mean nothing.
  case contentCoded(String)
  /// Another download is writing the same file.
  case occupied
  /// The disk, or the user's share of it, is full.
  case noSpace
  /// The file or its folder may not be written.
  case noPermission
  /// The file system refused something else; the code is that of `errno`.
  case fileSystem(code: Int32)
}

extension NetworkError {
  static func download(_ fault: DownloadFault, _ reason: String? = nil) -> NetworkError {
    let sentence =
      switch fault {
      case .status(let head):
        "The server answered the download with status \(head.status.code); look at its answer."
      case .contentCoded: "The server coded the file although identity was asked for; look at the server."
      case .occupied, .noSpace, .noPermission, .fileSystem: "The file cannot be written; look at its folder."
      }
    return NetworkError(
      .rejected, reason ?? sentence, requestMayHaveBeenProcessed: true, underlying: fault)
  }
}

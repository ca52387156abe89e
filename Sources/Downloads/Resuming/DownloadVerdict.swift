import Interception

/// How a download handles a response.
enum DownloadVerdict: Sendable {
  /// The response is the whole content: the file is written from the start.
  case writeAnew(DownloadRecord?, total: Int64?)
  /// The response is the next part: it is appended, up to this file length.
  case append(upTo: Int64, total: Int64?)
  /// The unfinished file is already the whole content.
  case complete
  /// The server cannot resume the unfinished file: the whole content is requested.
  case askAnew
  /// The download cannot continue.
  case refuse(NetworkError)
}

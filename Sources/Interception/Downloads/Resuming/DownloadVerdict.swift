/// What is to become of an answer to a download's request.
enum DownloadVerdict: Sendable {
  /// It is the whole content: begin the file anew.
  case writeAnew(DownloadRecord?, total: Int64?)
  /// It is what comes next: append it, up to this length of the file.
  case append(upTo: Int64, total: Int64?)
  /// The unfinished file was the whole content already.
  case complete
  /// The unfinished file is of no use with this server: ask for the whole content.
  case askAnew
  /// The download cannot go on.
  case refuse(NetworkError)
}

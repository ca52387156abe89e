import CLibcurl

/// The request line's target and the header lines of a transfer.
///
/// A part of its own, because it differs for nearly every signed request, and the other options rarely do.
struct RequestLines: Equatable {
  let target: String
  let headers: HeaderBlock

  /// Sets both; `list` keeps the lines, which libcurl reads without copying, until others have replaced them.
  func apply(to handle: EasyHandle, _ list: inout HeaderList?) throws(CurlError) {
    try handle.set(CURLOPT_REQUEST_TARGET, target)
    // The previous transfer's list is freed only after libcurl has been given this one.
    let lines = HeaderList(headers)
    try unsafe handle.set(CURLOPT_HTTPHEADER, pointer: lines.first)
    list = consume lines
  }
}

import Interception

/// The maximum size of a request's head, the same over HTTP/1.1 and HTTP/2.
///
/// nghttp2 sends no header block above an estimated 65,536 bytes: name, value and 12 bytes for each field,
/// the pseudo-fields included. libcurl takes 1 MiB over HTTP/1.1, but a request is checked before the
/// protocol is known. The 1,024 bytes of the difference are for the fields that libcurl and nghttp2 add.
enum HeadLimit {
  /// The maximum number of bytes, counted as nghttp2 does.
  static let bytes = 64_512
  // nghttp2's 12 bytes without the colon, the space and the zero byte of a line.
  private static let overhead = 9

  /// Checks the size of a head; the error names the largest part, never its value.
  static func check(_ headers: HeaderBlock, path: String) throws(NetworkError) {
    let size = size(of: headers, path: path)
    guard size > bytes else { return }
    let largest = largest(of: headers, path: path)
    throw .invalidRequest(
      "The request's head has \(size) bytes of the \(bytes) that can be sent, \(largest.size) of them in \(largest.name); "
        + "shorten that, or send it in the body.")
  }

  static func size(of headers: HeaderBlock, path: String) -> Int {
    path.utf8.count + headers.bytes.count + overhead * headers.count
  }

  private static func largest(of headers: HeaderBlock, path: String) -> (name: String, size: Int) {
    let lines = headers.bytes.split(separator: 0)
    guard let longest = lines.max(by: { $0.count < $1.count }), longest.count > path.utf8.count else {
      return ("the path and its query", path.utf8.count)
    }
    let name = longest.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
    return ("the field \(String(decoding: name, as: UTF8.self).printable)", longest.count)
  }
}

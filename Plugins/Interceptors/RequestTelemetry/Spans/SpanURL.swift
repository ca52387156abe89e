#if Telemetry
import HTTPTypes

/// Writes the attribute `url.full` without credentials.
struct SpanURL: Sendable {
  let shownQueryNames: Set<String>

  /// Returns the request's URL without user name and fragment, and with the values of its query replaced.
  func full(of head: HTTPRequest) -> String {
    let host = Self.hostAndPort(of: head)
    var path = head.path ?? ""
    // Bytes, because a separator and a combining character after it are one Character, and because appending
    // to a string costs several times as much.
    var url: [UInt8] = []
    url.reserveCapacity(path.utf8.count + host.utf8.count + 64)
    url += (head.scheme ?? "").utf8
    url += "://".utf8
    url += host.utf8
    path.withUTF8 { bytes in
      let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
      let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
      url += bytes[..<mark]
      if mark < end {
        url.append(UInt8(ascii: "?"))
        addRedacted(bytes[(mark + 1)..<end], to: &url)
      }
    }
    return String(decoding: url, as: UTF8.self)
  }

  /// Returns the authority without a user name.
  static func hostAndPort(of head: HTTPRequest) -> Substring {
    let authority = head.authority ?? ""
    // Nearly every authority has no user name. Contiguous bytes are searched several times as fast.
    let hasName = authority.utf8.withContiguousStorageIfAvailable { $0.contains(UInt8(ascii: "@")) }
    guard hasName != false, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else {
      return authority[...]
    }
    return authority[authority.utf8.index(after: at)...]
  }

  /// Adds the names of a query; a part without `=` is replaced as a whole, because it may be a value.
  private func addRedacted(_ query: Slice<UnsafeBufferPointer<UInt8>>, to url: inout [UInt8]) {
    var start = query.startIndex
    while true {
      let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.endIndex
      if let equals = query[start..<end].firstIndex(of: UInt8(ascii: "=")) {
        let isShown =
          !shownQueryNames.isEmpty
          && shownQueryNames.contains(String(decoding: query[start..<equals], as: UTF8.self))
        url += query[start...(isShown ? end - 1 : equals)]
        if !isShown { url += "REDACTED".utf8 }
      } else if start < end {
        url += "REDACTED".utf8
      }
      guard end < query.endIndex else { return }
      url.append(UInt8(ascii: "&"))
      start = end + 1
    }
  }
}
#endif

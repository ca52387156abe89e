/// A path and its query, without a fragment.
struct PathParts {
  let path: String
  let query: String?

  init(_ pathAndQuery: String) {
    var text = pathAndQuery
    // Uses contiguous bytes, because each access to a string's view looks up its storage.
    (path, query) = text.withUTF8 { bytes in
      let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
      guard let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) else {
        return (String(decoding: bytes[..<end], as: UTF8.self), nil)
      }
      return (
        String(decoding: bytes[..<mark], as: UTF8.self),
        String(decoding: bytes[(mark + 1)..<end], as: UTF8.self)
      )
    }
  }
}

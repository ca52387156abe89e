import CCurlShims
import CLibcurl

/// What the libcurl that was loaded can do.
struct LibraryFeatures: Sendable {
  /// Whether it speaks HTTP/2.
  let hasHTTP2: Bool

  /// Asks the library.
  static func loaded() -> LibraryFeatures {
    LibraryFeatures(bits: switchyard_curl_features())
  }

  init(bits: CInt) {
    hasHTTP2 = bits & CURL_VERSION_HTTP2 != 0
  }
}

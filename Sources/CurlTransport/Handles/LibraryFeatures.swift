import CCurlShims
import CLibcurl
import Interception

/// What the libcurl that was loaded can do.
struct LibraryFeatures: Sendable {
  /// The content codings that it decodes.
  let decodable: [ContentCoding]
  /// Whether it speaks HTTP/2.
  let hasHTTP2: Bool

  /// Asks the library.
  static func loaded() -> LibraryFeatures {
    LibraryFeatures(bits: switchyard_curl_features())
  }

  init(bits: CInt) {
    var codings: [ContentCoding] = []
    if bits & CURL_VERSION_LIBZ != 0 { codings += [.gzip, .deflate] }
    if bits & CURL_VERSION_BROTLI != 0 { codings.append(.brotli) }
    if bits & CURL_VERSION_ZSTD != 0 { codings.append(.zstd) }
    decodable = codings
    hasHTTP2 = bits & CURL_VERSION_HTTP2 != 0
  }
}

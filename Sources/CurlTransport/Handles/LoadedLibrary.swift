import CCurlShims
import CLibcurl

/// What the libcurl that was loaded can do.
struct LibraryFeatures: Sendable {
  /// Whether it speaks HTTP/2.
  let hasHTTP2: Bool
  /// Whether long uploads may share an HTTP/2 connection with others.
  ///
  /// Where an upload ends whose length was unknown, or that is refused before its end, libcurl reads on at once. Before 8.1 it
  /// does so even if it holds a part of another answer that had no room, and writes the next part over that one.
  let sharesLongUploads: Bool

  /// Asks the library.
  static func loaded() -> LibraryFeatures {
    LibraryFeatures(bits: switchyard_curl_features(), version: switchyard_curl_version())
  }

  /// Reads libcurl's numbers.
  ///
  /// - Parameters:
  ///   - bits: A bit for each ability.
  ///   - version: A byte for each of major, minor and patch.
  init(bits: CInt, version: UInt32) {
    hasHTTP2 = bits & CURL_VERSION_HTTP2 != 0
    sharesLongUploads = version >= 0x08_01_00
  }
}

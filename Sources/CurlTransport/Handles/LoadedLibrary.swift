import CCurlShims
import CLibcurl

/// The libcurl that the process has loaded, which may be another one than it was built with.
///
/// This is the one place that knows its version; each file in `Workarounds` asks it.
struct LoadedLibrary: Hashable, Sendable {
  /// The oldest version that the dispatcher supports.
  static let oldestVersion = LibraryVersion(7, 88)

  let version: LibraryVersion
  /// Whether it speaks HTTP/2.
  let hasHTTP2: Bool
  /// The TLS libraries that it was built with, such as "OpenSSL/3.0.17"; those in parentheses are not in use.
  let tls: String

  init(version: LibraryVersion, hasHTTP2: Bool = true, tls: String = "OpenSSL/3") {
    self.version = version
    self.hasHTTP2 = hasHTTP2
    self.tls = tls
  }

  /// Asks the library.
  static func loaded() -> LoadedLibrary {
    let info = unsafe switchyard_curl_info().pointee
    return unsafe LoadedLibrary(
      version: LibraryVersion(number: info.version_num), hasHTTP2: info.features & CURL_VERSION_HTTP2 != 0,
      tls: info.ssl_version.map { unsafe String(cString: $0) } ?? "")
  }

  /// Whether its TLS is OpenSSL, whose verdicts on certificates are read here.
  var hasOpenSSL: Bool {
    tls.split(separator: " ").contains { $0.hasPrefix("OpenSSL/") || $0.hasPrefix("quictls/") }
  }

  /// Why the dispatcher cannot work with it, and what it needs instead; nil where it can.
  var shortcoming: String? {
    guard version < Self.oldestVersion || !hasHTTP2 || !hasOpenSSL else { return nil }
    let abilities = "\(hasHTTP2 ? "" : "no ")HTTP/2 and with \(tls.isEmpty ? "no TLS" : tls)"
    return "libcurl \(version) with \(abilities) is loaded; "
      + "CurlDispatcher needs libcurl \(Self.oldestVersion) or newer with HTTP/2 and OpenSSL. Install such a libcurl, or "
      + "make the program load it."
  }
}

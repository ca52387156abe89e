import CCurlShims
import CLibcurl

/// The libcurl that the process has loaded, which may differ from the one it was built with.
///
/// No other place knows its version; each file in `Workarounds` asks it.
struct LoadedLibrary: Hashable, Sendable {
  static let oldestVersion = LibraryVersion(7, 88)
  /// The oldest version that uses a connection for a second request over HTTP/2 without TLS: before, such a
  /// request fails (issue 10634).
  static let oldestForPriorKnowledge = LibraryVersion(8, 0)

  let version: LibraryVersion
  var hasHTTP2 = true
  var hasHTTP3 = false
  /// The TLS libraries that it was built with, such as "OpenSSL/3.0.17"; those in parentheses are not in use.
  var tls = "OpenSSL/3"

  static func loaded() -> LoadedLibrary {
    let info = unsafe switchyard_curl_info().pointee
    let quic = unsafe info.quic_version.map { unsafe String(cString: $0) } ?? ""
    return unsafe LoadedLibrary(
      version: LibraryVersion(number: info.version_num), hasHTTP2: info.features & CURL_VERSION_HTTP2 != 0,
      hasHTTP3: info.features & CURL_VERSION_HTTP3 != 0 && !ExperimentalQUIC.isUsed(in: quic),
      tls: info.ssl_version.map { unsafe String(cString: $0) } ?? "")
  }

  /// Whether its TLS library is OpenSSL, whose results for certificates ``FailureReading`` knows.
  var hasOpenSSL: Bool {
    tls.split(separator: " ").contains { $0.hasPrefix("OpenSSL/") || $0.hasPrefix("quictls/") }
  }

  /// Why the dispatcher cannot use it, and what it needs; nil if it can.
  var shortcoming: String? {
    guard version < Self.oldestVersion || !hasHTTP2 || !hasOpenSSL else { return nil }
    let abilities = "\(hasHTTP2 ? "" : "no ")HTTP/2 and with \(tls.isEmpty ? "no TLS" : tls)"
    return "libcurl \(version) with \(abilities) is loaded; CurlDispatcher needs libcurl "
      + "\(Self.oldestVersion) or newer with HTTP/2 and OpenSSL. Install such a libcurl, or make the program load it."
  }

  /// Why HTTP/3 cannot be tried first, and what that needs; nil if it can.
  var http3Shortcoming: String? {
    guard !hasHTTP3 else { return nil }
    return
      "libcurl \(version) without HTTP/3 by ngtcp2 is loaded; HTTP3Use.first needs one that has it, such as "
      + "libcurl 8.23. Make the program load it, or choose HTTP3Use.whenAdvertised, which does without."
  }

  /// Why a host of `priorKnowledge` cannot be reached, and what that needs; nil if it can.
  var priorKnowledgeShortcoming: String? {
    guard version < Self.oldestForPriorKnowledge else { return nil }
    return "libcurl \(version) is loaded; HTTP/2 without TLS needs libcurl "
      + "\(Self.oldestForPriorKnowledge) or newer. Install it, or take the host out of "
      + "ConnectionPolicy(priorKnowledge:)."
  }
}

/// A version of libcurl.
struct LibraryVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// libcurl's number: a byte for each of major, minor and patch.
  let number: UInt32

  init(number: UInt32) { self.number = number }

  init(_ major: UInt8, _ minor: UInt8, _ patch: UInt8 = 0) {
    number = UInt32(major) << 16 | UInt32(minor) << 8 | UInt32(patch)
  }

  var description: String { "\(number >> 16).\(number >> 8 & 0xFF).\(number & 0xFF)" }

  static func < (left: LibraryVersion, right: LibraryVersion) -> Bool { left.number < right.number }
}

import CCurlShims
import CLibcurl

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Gives libcurl the system's bundle of authorities if it was built for another distribution.
///
/// libcurl contains the path of the file, or of the folder, with the authorities that it trusts by default. A
/// library from elsewhere, such as one of a wheel from PyPI, names a path of Fedora, which does not exist on
/// Debian: every https request would fail with `CURLE_SSL_CACERT_BADFILE`.
///
/// Affected: any version, by the system that it was built for. Delete this if libcurl ever looks for the
/// bundle when the program starts, instead of when libcurl is built.
enum SystemAuthorities {
  /// The bundles of Debian, Fedora, openSUSE, and of Alpine and macOS.
  static let bundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]

  /// The bundle for the loaded library; nil if its own default will do.
  static let file: String? = {
    let info = unsafe switchyard_curl_info().pointee
    let defaults = unsafe [info.cainfo, info.capath].compactMap { path in
      unsafe path.map { unsafe String(cString: $0) }
    }
    return file(insteadOf: defaults) { path in unsafe access(path, R_OK) == 0 }
  }()

  /// The bundle to use instead of a library's own defaults; nil if it has none, one of them exists, or no
  /// bundle does.
  static func file(insteadOf defaults: [String], exists: (String) -> Bool) -> String? {
    guard !defaults.isEmpty, !defaults.contains(where: exists) else { return nil }
    return bundles.first(where: exists)
  }

  static func configure(_ handle: EasyHandle) throws(CurlError) {
    guard let file else { return }
    try handle.set(CURLOPT_CAINFO, file)
    try handle.set(CURLOPT_PROXY_CAINFO, file)
  }
}

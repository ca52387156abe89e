import CCurlShims
import CLibcurl

/// Makes each connection whose server must staple an OCSP response go through a full TLS handshake.
///
/// A server staples nothing where a session is resumed. libcurl before 8.5 refuses such a connection (issue
/// 12399); since then it accepts it without a status (pull request 12418; seen in 8.14.1's
/// `Curl_oss_check_peer_cert`), which is not what ``TLSPolicy/Stapling/required`` promises.
///
/// Affected: every version up to 8.14 at least. Pull request 18902 of October 2025 makes libcurl itself
/// resume no session then; delete this once the oldest supported version has it.
enum StapledHandshake {
  /// Tells a handle neither to keep nor to resume sessions.
  static func configure(_ handle: EasyHandle) throws(CurlError) {
    try handle.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
  }
}

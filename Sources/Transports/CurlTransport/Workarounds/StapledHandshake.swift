import CCurlShims
import CLibcurl

/// Prevents the resumption of TLS sessions with servers that must staple an OCSP response.
///
/// A server staples nothing in a resumed session. libcurl before 8.5 fails such a connection (issue 12399);
/// newer ones accept it without a status (pull request 12418; seen in 8.14.1's `Curl_oss_check_peer_cert`),
/// contrary to `requiresStapling` of ``TLSPolicy``.
///
/// Affected: all versions to 8.14 at least. With pull request 18902 of October 2025 libcurl resumes no
/// session in this case; delete this once the oldest supported version has it.
enum StapledHandshake {
  static func configure(_ handle: EasyHandle) throws(CurlError) {
    try handle.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
  }
}

import CCurlShims
import CLibcurl
import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Turns libcurl's verdict into the chain's error, with a sentence that names the host and the remedy.
struct FailureReading {
  /// The proxy of the transfer and how far it got with it.
  struct ProxyState {
    let proxy: Proxy
    /// What the proxy answered to `CONNECT`; 0 where it didn't.
    let connectCode: Int
    /// libcurl's `CURLPX_` code; it holds where libcurl's verdict is `CURLE_PROXY`.
    let proxyCode: Int
    /// OpenSSL's verdict on the proxy's certificate; 0 where it is fine or was not asked for.
    let verification: Int
  }

  let origin: WebOrigin
  let curl: CurlError
  /// OpenSSL's `X509_V_` code; 1 where libcurl didn't get to ask for it.
  let verification: Int
  /// The `errno` of the system call that failed; 0 where none did.
  let systemError: CInt
  /// Whether a byte of the request may have left.
  let hasDeparted: Bool
  let hasHead: Bool
  let connectLimit: Duration?
  /// Whether the process had no file descriptor left.
  var hasNoDescriptors = false
  var proxy: ProxyState?

  var networkError: NetworkError {
    let (kind, reason) = kindAndReason
    return NetworkError(
      kind, reason, requestMayHaveBeenProcessed: mayHaveBeenProcessed, underlying: curl)
  }

  // A refused stream was not acted upon (RFC 9113, section 8.7).
  private var mayHaveBeenProcessed: Bool {
    hasDeparted && !(code == CURLE_HTTP2_STREAM && curl.detail.contains("REFUSED_STREAM"))
  }

  // CURLE_TOO_LARGE is not in the headers of libcurl 7.88.
  private static let tooLarge = CURLcode(rawValue: 100)

  private var code: CURLcode { CURLcode(rawValue: CURLcode.RawValue(curl.code)) }

  private var kindAndReason: (NetworkError.Kind, String) {
    if hasNoDescriptors, !hasDeparted { return (.descriptorsExhausted, NetworkError.noDescriptors(origin)) }
    if let proxy, !hasDeparted, let failure = proxyFailure(proxy) { return failure }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      return (
        .resolve, "The name \(origin.host) has no address; check its spelling, and the network's name server."
      )
    case CURLE_COULDNT_CONNECT: return (.connect, connectReason)
    case CURLE_OPERATION_TIMEDOUT where !hasDeparted:
      return (
        .timeout(.connect),
        NetworkError.sentence(.connect, host: "\(origin)", limit: connectLimit)
      )
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS:
      let fault = tlsFault
      return (.tls(fault), tlsReason(fault))
    case CURLE_WEIRD_SERVER_REPLY where curl.detail.contains("Content-Length"):
      return (
        .protocolViolation,
        "\(origin) sent a Content-Length that is not a number of bytes; the server must send digits alone."
      )
    case CURLE_OK:
      // The connection ended within the head, which libcurl doesn't mind.
      return (.transport, "\(origin) closed the connection before its answer began, or within its head.")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      return (
        .protocolViolation, "\(origin) answered with something that is not HTTP; check port and scheme."
      )
    case CURLE_BAD_CONTENT_ENCODING:
      return (
        .protocolViolation,
        "\(origin) sent a body whose content coding is broken or was not asked for; ask for none to see it as it is."
      )
    case CURLE_OUT_OF_MEMORY where hasDeparted && !hasHead:
      return (
        .protocolViolation,
        "\(origin) sent a header field that is longer than libcurl takes; it must be shorter."
      )
    // libcurl 8.6 and newer bound the header fields, their number and the length of each.
    case Self.tooLarge where curl.detail.contains("Too many"),
      CURLE_RECV_ERROR where curl.detail.contains("response headers"):
      return (
        .protocolViolation,
        "\(origin) sent more header fields than libcurl takes; the server must send fewer or shorter ones."
      )
    case Self.tooLarge where hasDeparted:
      return (
        .protocolViolation,
        "\(origin) sent a header field that is longer than libcurl takes; it must be shorter."
      )
    // libcurl 8.1 and newer say so too of a connection that ended before the answer; nghttp2 is named where
    // it found a fault.
    case CURLE_HTTP2 where hasDeparted && !curl.detail.contains("nghttp2"):
      let moment = hasHead ? "within its answer" : "before its answer began"
      return (.transport, "\(origin) ended the connection, or the request's stream, \(moment).")
    case CURLE_HTTP2:
      return (.protocolViolation, "\(origin) broke the rules of HTTP/2 framing.")
    // A server of TLS 1.3 refuses the client's certificate only after the handshake.
    case CURLE_RECV_ERROR where curl.detail.contains("alert") && curl.detail.contains("certificate"):
      return (
        .tls(.handshake),
        "\(origin) refused the client's certificate, or asked for one that it did not get; see to "
          + "TLSPolicy.clientCertificate."
      )
    case CURLE_RECV_ERROR where curl.detail.contains("chunk"):
      return (.protocolViolation, "\(origin) broke the rules of chunked coding.")
    case CURLE_GOT_NOTHING:
      return (.transport, "\(origin) closed the connection without an answer.")
    case CURLE_PARTIAL_FILE:
      return (.transport, "\(origin) closed the connection before the end of the body it had announced.")
    case CURLE_HTTP2_STREAM where curl.detail.contains("REFUSED_STREAM"):
      return (
        .transport, "\(origin) refused the request's stream before it acted on it; send it again later."
      )
    case CURLE_SEND_FAIL_REWIND:
      return (
        .bodyNotReplayable,
        "\(origin) required the body a second time, and it can be read once; give it as bytes or as a file."
      )
    case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT:
      return (.invalidRequest, "libcurl refuses the request to \(origin): \(curl.summary).")
    default:
      let stage = hasHead ? "while its answer was read" : hasDeparted ? "before its answer began" : "early"
      return (.transport, "The connection to \(origin) broke \(stage): \(curl.summary).")
    }
  }

  private func proxyFailure(_ state: ProxyState) -> (NetworkError.Kind, String)? {
    let proxy = state.proxy
    if state.verification != 0, code == CURLE_PEER_FAILED_VERIFICATION {
      return (
        .tls(.untrusted),
        "The certificate of the proxy \(proxy) is not trusted; install its authority's certificate, or name its "
          + "file in TLSPolicy."
      )
    }
    if refusesCredentials(state) {
      return (.proxyAuthentication, NetworkError.credentialsSentence(proxy))
    }
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY:
      return (.resolve, "The name of the proxy \(proxy) has no address; correct it in ProxyPolicy.")
    case CURLE_COULDNT_CONNECT:
      return (
        .connect,
        "No connection to the proxy \(proxy) could be made, nor to \(origin) through it; check that it runs."
      )
    case CURLE_RECV_ERROR where state.connectCode >= 300:
      return (
        .connect,
        "The proxy \(proxy) refused a tunnel to \(origin) with status \(state.connectCode); ask who runs it, or except "
          + "the host in ProxyPolicy."
      )
    case CURLE_PROXY:
      return (
        .connect,
        "The proxy \(proxy) made no way to \(origin); check its credentials, and whether it reaches that host."
      )
    default: return nil
    }
  }

  // A status of CONNECT (RFC 9110, section 15.5.8), or a refusal in SOCKS (RFC 1928, section 3; RFC 1929).
  private func refusesCredentials(_ state: ProxyState) -> Bool {
    if state.connectCode == 407 { return true }
    guard code == CURLE_PROXY else { return false }
    return [CURLPX_USER_REJECTED, CURLPX_NO_AUTH].contains { Int($0.rawValue) == state.proxyCode }
  }

  private var connectReason: String {
    switch systemError {
    case ECONNREFUSED:
      "\(origin) refused the connection; check that the server runs and listens on port \(origin.port)."
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN:
      "\(origin) cannot be reached from here; check the network and the route to it."
    default:
      "No connection to \(origin) could be made; check that the server runs and nothing blocks the way."
    }
  }

  // The codes are part of OpenSSL's stable interface (x509_vfy.h).
  private var tlsFault: NetworkError.TLSFault {
    switch code {
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return .pinMismatch
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_INVALIDCERTSTATUS: return .untrusted
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR:
      // The name is checked by libcurl itself, before it stores OpenSSL's verdict on the chain.
      if curl.detail.contains("subject name") { return .nameMismatch }
      switch verification {
      case 9, 10: return .expired
      case 62, 64: return .nameMismatch
      default: return code == CURLE_PEER_FAILED_VERIFICATION ? .untrusted : .handshake
      }
    default: return .handshake
    }
  }

  private func tlsReason(_ fault: NetworkError.TLSFault) -> String {
    switch fault {
    case .untrusted where code == CURLE_SSL_CACERT_BADFILE:
      "The file of trusted authorities cannot be read; correct its path in TLSPolicy, and see that it holds PEM."
    case .untrusted where code == CURLE_SSL_INVALIDCERTSTATUS:
      "\(origin) stapled no valid OCSP answer for its certificate, which TLSPolicy.stapling demands; let the server "
        + "staple one, or turn the demand off."
    case .handshake where code == CURLE_SSL_CERTPROBLEM:
      "The client's certificate or its key cannot be used with \(origin); correct the files of "
        + "TLSPolicy.clientCertificate, see that they hold PEM and belong together, and check the passphrase."
    case .untrusted:
      "No trusted authority vouches for the certificate of \(origin); install the authority's certificate, or name "
        + "its file in TLSPolicy."
    case .nameMismatch:
      "The certificate of the server at \(origin) is for another name; correct the host, or the server's certificate."
    case .expired:
      "The certificate of \(origin) is not valid at this time; renew it, or set this machine's clock right."
    case .pinMismatch:
      "No pinned key is in the certificate of \(origin); update the pins, or do not trust it."
    case .handshake:
      "The TLS handshake with \(origin) failed; check that it speaks TLS on this port, in a version that TLSPolicy allows."
    }
  }
}

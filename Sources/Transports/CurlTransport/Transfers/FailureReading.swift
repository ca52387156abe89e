import CCurlShims
import CLibcurl
import Interception

/// Turns libcurl's result into a ``NetworkError`` that names the host and the remedy.
struct FailureReading {
  /// The proxy of the transfer and what it answered.
  struct ProxyState {
    let proxy: Proxy
    /// The status of its response to `CONNECT`; 0 if there was none.
    let connectCode: Int
    /// libcurl's `CURLPX_` code, which is valid with `CURLE_PROXY`.
    let proxyCode: Int
    /// OpenSSL's result for its certificate; 0 if that is valid or was not checked.
    let verification: Int
  }

  private typealias Verdict = (kind: NetworkError.Kind, reason: String)

  let origin: WebOrigin
  let curl: CurlError
  /// OpenSSL's `X509_V_` code; 1 if libcurl did not ask for it.
  let verification: Int
  /// The `errno` of the system call that failed; 0 if none did.
  let systemError: CInt
  /// Whether a byte of the request may have left that the server did not refuse to process.
  let hasDeparted: Bool
  let hasHead: Bool
  let connectLimit: Duration?
  var hasNoDescriptors = false
  var proxy: ProxyState?
  /// The path of the Unix domain socket that was used instead of an address.
  var socket: String?

  var networkError: NetworkError {
    let (kind, reason) = verdict
    return NetworkError(
      kind, reason + priorKnowledgeRemedy, requestMayHaveBeenProcessed: hasDeparted, underlying: curl)
  }

  // CURLE_TOO_LARGE is not in the headers of libcurl 7.88.
  private static let tooLarge = CURLcode(rawValue: 100)

  private var code: CURLcode { CURLcode(rawValue: CURLcode.RawValue(curl.code)) }

  private func says(_ words: String) -> Bool { curl.detail.contains(words) }

  private func violation(_ words: String) -> Verdict { (.protocolViolation, "\(origin) \(words)") }

  private func interruption(_ words: String) -> Verdict { (.transport, "\(origin) \(words)") }

  /// What to do if a server that is known to speak HTTP/2 does not; how that shows depends on the server.
  private var priorKnowledgeRemedy: String {
    guard origin.hasPriorKnowledge, hasDeparted, !hasHead else { return "" }
    return " If it speaks HTTP/1.1 only, take its host out of ConnectionPolicy(priorKnowledge:)."
  }

  private var verdict: Verdict {
    if hasNoDescriptors, !hasDeparted { return (.descriptorsExhausted, NetworkError.noDescriptors(origin)) }
    if let proxy, !hasDeparted, let verdict = verdict(of: proxy) { return verdict }
    return switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      (.resolve, "The name \(origin.host) has no address; check its spelling and the name server.")
    case CURLE_COULDNT_CONNECT: (.connect, connectReason)
    case CURLE_OPERATION_TIMEDOUT where !hasDeparted:
      (.timeout(.connect), NetworkError.sentence(.connect, host: "\(origin)", limit: connectLimit))
    case CURLE_SSL_CONNECT_ERROR where Self.lostConnections.contains(where: says):
      (
        .connect,
        "\(origin) closed the connection within the TLS handshake, so that nothing was sent; check that it speaks TLS "
          + "on this port, and try again."
      )
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS:
      (.tls(tlsFault), tlsReason(tlsFault))
    case CURLE_WEIRD_SERVER_REPLY where says("Content-Length"): violation(AnswerFraming.malformedLength)
    // The connection ended within the head, which libcurl accepts.
    case CURLE_OK: interruption("closed the connection before its answer began, or within its head.")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      violation("answered with something that is not HTTP; check port and scheme.")
    // Despite its name: libcurl decodes no content codings here, only transfer codings.
    case CURLE_BAD_CONTENT_ENCODING:
      violation("sent a body in an unknown transfer coding; the server must send its length, or use chunked.")
    // libcurl 8.6 and newer limit the number and the size of header fields, folded ones later than others.
    case Self.tooLarge where says("Too many"), CURLE_RECV_ERROR where says("response headers"):
      violation("sent more header fields than libcurl takes; the server must send fewer or shorter ones.")
    case Self.tooLarge where hasDeparted, CURLE_OUT_OF_MEMORY where hasDeparted && !hasHead:
      violation("sent a header field that is longer than libcurl takes; the server must shorten it.")
    // libcurl 8.1 and newer use it for ended connections too; broken framing names nghttp2.
    case CURLE_HTTP2 where hasDeparted && !says("nghttp2"):
      interruption("ended the connection, or the stream, \(hasHead ? "within" : "before") its answer.")
    case CURLE_HTTP2: violation("broke the rules of HTTP/2 framing.")
    // nghttp2 itself resets the stream of a malformed response, such as one with a status of 101.
    case CURLE_HTTP2_STREAM where says("PROTOCOL_ERROR") || says("Invalid HTTP") || says("HTTP messaging"):
      violation("sent a response that HTTP/2 does not allow, or reset the stream with PROTOCOL_ERROR.")
    case CURLE_HTTP2_STREAM: interruption(streamReset)
    // Before a request departs only a QUIC handshake sends what can fail, such as after a refusal by ICMP.
    case CURLE_QUIC_CONNECT_ERROR where !hasDeparted, CURLE_SEND_ERROR where !hasDeparted:
      (.connect, connectReason)
    case CURLE_HTTP3 where hasDeparted:
      interruption(
        "ended the stream, or the connection, of HTTP/3 \(hasHead ? "within" : "before") its answer.")
    // With TLS 1.3 a server refuses the client's certificate only after the handshake.
    case CURLE_RECV_ERROR where says("alert") && says("certificate"):
      (
        .tls(.handshake),
        "\(origin) requires a valid client certificate; check TLSPolicy(clientCertificate:)."
      )
    case CURLE_RECV_ERROR where says("chunk"): violation("broke the rules of chunked coding.")
    case CURLE_GOT_NOTHING: interruption("closed the connection without an answer.")
    case CURLE_PARTIAL_FILE: interruption("closed the connection before the announced end of the body.")
    case CURLE_SEND_FAIL_REWIND:
      (.bodyNotReplayable, "\(origin) required the body again, which can be read once; use bytes or a file.")
    // libcurl newer than 8.14 has the code of a wrong argument for a key that it cannot open.
    case CURLE_BAD_FUNCTION_ARGUMENT where says("private key file"):
      (.tls(.handshake), clientCertificateReason)
    case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT:
      (.invalidRequest, "libcurl refuses the request to \(origin): \(curl.summary).")
    default: (.transport, "The connection to \(origin) broke \(stage): \(curl.summary).")
    }
  }

  // How OpenSSL and the system describe an end of the connection.
  private static let lostConnections = [
    "SSL_ERROR_SYSCALL", "reset by peer", "unexpected eof", "Broken pipe",
  ]

  /// What the reset of a stream says, by the name of its code (RFC 9113, section 7).
  private var streamReset: String {
    let place = hasHead ? "within its answer" : "before its answer began"
    guard let name = curl.resetCode else { return "ended the stream \(place); check the server's log." }
    let remedy = name == "ENHANCE_YOUR_CALM" ? "send fewer requests at a time." : "check the server's log."
    return "reset the stream with \(name) \(place); \(remedy)"
  }

  private var stage: String {
    hasHead ? "while its answer was read" : hasDeparted ? "before its answer began" : "early"
  }

  private func verdict(of state: ProxyState) -> Verdict? {
    let proxy = state.proxy
    if state.verification != 0, code == CURLE_PEER_FAILED_VERIFICATION {
      return (.tls(.untrusted), "The certificate of the proxy \(proxy) is not trusted; \(Self.trustRemedy)")
    }
    if refusesCredentials(state) { return (.proxyAuthentication, NetworkError.credentialsSentence(proxy)) }
    return switch code {
    case CURLE_COULDNT_RESOLVE_PROXY:
      (.resolve, "The name of the proxy \(proxy) has no address; correct it in ProxyPolicy.")
    // libcurl newer than 8.14 has the code of a failed connection.
    case CURLE_RECV_ERROR where state.connectCode >= 300,
      CURLE_COULDNT_CONNECT where state.connectCode >= 300:
      (
        .connect,
        "The proxy \(proxy) refused a tunnel to \(origin) with status \(state.connectCode); ask its operator, or "
          + "except the host in ProxyPolicy."
      )
    case CURLE_COULDNT_CONNECT:
      (.connect, "No connection to the proxy \(proxy), nor to \(origin) through it; check that it runs.")
    case CURLE_PROXY:
      (
        .connect,
        "The proxy \(proxy) made no way to \(origin); check its credentials, and whether it reaches that host."
      )
    default: nil
    }
  }

  // A status of CONNECT (RFC 9110, section 15.5.8), or a refusal in SOCKS (RFC 1928, section 3; RFC 1929).
  private func refusesCredentials(_ state: ProxyState) -> Bool {
    let refusals = [CURLPX_USER_REJECTED, CURLPX_NO_AUTH].map { Int($0.rawValue) }
    return state.connectCode == 407 || (code == CURLE_PROXY && refusals.contains(state.proxyCode))
  }

  private var connectReason: String {
    if let socket {
      return
        "No connection to \(origin) over its socket \(socket); check that the server runs, and that this user may "
        + "use the socket."
    }
    return switch systemError {
    case ECONNREFUSED:
      "\(origin) refused the connection; check that the server runs and listens on port \(origin.port)."
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN:
      "\(origin) cannot be reached from here; check the network and the route to it."
    default: "No connection to \(origin); check that the server runs and nothing blocks the way."
    }
  }

  private var tlsFault: NetworkError.TLSFault {
    switch code {
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .pinMismatch
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_INVALIDCERTSTATUS: .untrusted
    case CURLE_PEER_FAILED_VERIFICATION: certificateFault ?? .untrusted
    case CURLE_SSL_CONNECT_ERROR: certificateFault ?? .handshake
    default: .handshake
    }
  }

  // The codes are part of OpenSSL's stable interface (x509_vfy.h).
  private var certificateFault: NetworkError.TLSFault? {
    // libcurl checks the name itself, before it stores OpenSSL's result for the chain.
    if says("subject name") { return .nameMismatch }
    return switch verification {
    case 9, 10: .expired
    case 62, 64: .nameMismatch
    default: nil
    }
  }

  private var clientCertificateReason: String {
    "The client's certificate or key cannot be used with \(origin); check that the files of "
      + "TLSPolicy(clientCertificate:) are PEM and belong together, and the passphrase."
  }

  private static let trustRemedy = "install its authority's certificate, or name its file in TLSPolicy."

  private func tlsReason(_ fault: NetworkError.TLSFault) -> String {
    switch fault {
    case .untrusted where code == CURLE_SSL_CACERT_BADFILE:
      "The file of trusted authorities cannot be read; correct its path in TLSPolicy, and check that it is PEM."
    case .untrusted where code == CURLE_SSL_INVALIDCERTSTATUS:
      "\(origin) stapled no valid OCSP response, which TLSPolicy(requiresStapling:) requires; let the server staple one, or "
        + "turn the requirement off."
    case .untrusted: "No trusted authority vouches for the certificate of \(origin); \(Self.trustRemedy)"
    case .handshake where code == CURLE_SSL_CERTPROBLEM: clientCertificateReason
    case .nameMismatch:
      "The certificate of \(origin) is for another name; correct the host, or the server's certificate."
    case .expired:
      "The certificate of \(origin) is not valid at this time; renew it, or set this machine's clock right."
    case .pinMismatch: "The certificate of \(origin) has no pinned key; update the pins, or do not trust it."
    case .handshake where says("wrong version number") || says("packet length too long"):
      "\(origin) answered with something that is not TLS; use http:// if it is a server without TLS, or correct the "
        + "port."
    case .handshake:
      "The TLS handshake with \(origin) failed; check its port, and the versions that TLSPolicy allows."
    }
  }
}

extension Transfer {
  func networkError(_ code: CURLcode) -> NetworkError {
    if code == CURLE_SSL_PINNEDPUBKEYNOTMATCH { reportPinMismatch() }
    let easy = handle.easy
    return FailureReading(
      origin: plan.origin, curl: easy.error(code), verification: easy.number(CURLINFO_SSL_VERIFYRESULT),
      systemError: CInt(clamping: easy.number(CURLINFO_OS_ERRNO)),
      hasDeparted: outgoing.isSent || outgoing.mayHaveBeenProcessed,
      hasHead: phase.version != nil, connectLimit: plan.options.timeouts.connect,
      hasNoDescriptors: hasNoDescriptors(code),
      proxy: plan.site.options.proxy.map {
        .init(
          proxy: $0, connectCode: easy.number(CURLINFO_HTTP_CONNECTCODE),
          proxyCode: easy.number(CURLINFO_PROXY_ERROR),
          verification: easy.number(CURLINFO_PROXY_SSL_VERIFYRESULT))
      }, socket: plan.site.options.socket
    ).networkError
  }

  /// Whether a transfer that did not depart failed because the process had no file descriptor left.
  private func hasNoDescriptors(_ code: CURLcode) -> Bool {
    if unsafe [EMFILE, ENFILE].contains(handle.state.pointee.open_error) { return true }
    switch code {
    // libcurl does not report why the resolver or OpenSSL could not open a file.
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM:
      return switchyard_descriptors_are_exhausted() != 0
    default: return false
    }
  }

  func timeout(_ phase: NetworkError.Phase) -> NetworkError {
    let limit = plan.options.timeouts.limit(of: phase)
    let reason = NetworkError.sentence(phase, host: "\(plan.origin)", limit: limit)
    return NetworkError(.timeout(phase), reason, requestMayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  func cancellation(_ cause: NetworkError.Cause) -> NetworkError {
    .cancelled(cause, origin: plan.origin, mayHaveBeenProcessed: mayHaveBeenProcessed)
  }
}

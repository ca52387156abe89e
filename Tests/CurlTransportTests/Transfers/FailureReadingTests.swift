import CCurlShims
import CLibcurl
import Interception
import Testing

@testable import CurlTransport

@Suite struct FailureReadingTests {
  private func reading(
    _ code: CURLcode, verification: Int = 0, detail: String = "", departed: Bool = true, head: Bool = false
  ) -> NetworkError {
    FailureReading(
      origin: WebOrigin(scheme: .https, host: "api.test", port: 8443),
      curl: CurlError(code: Int(code.rawValue), summary: "said libcurl", detail: detail),
      verification: verification, systemError: 0, hasDeparted: departed, hasHead: head,
      connectLimit: .seconds(2)
    ).networkError
  }

  static let codes: [(CURLcode, NetworkError.Kind)] = [
    (CURLE_COULDNT_RESOLVE_HOST, .resolve), (CURLE_COULDNT_CONNECT, .connect),
    (CURLE_GOT_NOTHING, .transport),
    (CURLE_PARTIAL_FILE, .transport), (CURLE_SEND_ERROR, .transport), (CURLE_RECV_ERROR, .transport),
    (CURLE_WEIRD_SERVER_REPLY, .protocolViolation), (CURLE_UNSUPPORTED_PROTOCOL, .protocolViolation),
    (CURLE_BAD_CONTENT_ENCODING, .protocolViolation), (CURLE_HTTP2, .transport),
    (CURLE_SEND_FAIL_REWIND, .bodyNotReplayable), (CURLE_URL_MALFORMAT, .invalidRequest),
    (CURLE_SSL_PINNEDPUBKEYNOTMATCH, .tls(.pinMismatch)), (CURLE_SSL_CIPHER, .tls(.handshake)),
    (CURLE_SSL_CACERT_BADFILE, .tls(.untrusted)),
  ]

  @Test("A code of libcurl has its kind, names the host and is the underlying error", arguments: codes)
  func kindOfCode(code: CURLcode, kind: NetworkError.Kind) {
    let error = reading(code)
    #expect(error.kind == kind)
    #expect(error.reason.contains("api.test") || code == CURLE_SSL_CACERT_BADFILE)
    #expect(error.underlying(as: CurlError.self)?.code == Int(code.rawValue))
  }

  @Test(
    "What fails before a request departs is a failure to connect, also of a QUIC handshake",
    arguments: [CURLE_COULDNT_CONNECT, CURLE_QUIC_CONNECT_ERROR, CURLE_SEND_ERROR])
  func beforeDeparture(code: CURLcode) { #expect(reading(code, departed: false).kind == .connect) }

  @Test(
    "A failed verification names its cause",
    arguments: [
      (10, NetworkError.TLSFault.expired), (9, .expired), (62, .nameMismatch), (64, .nameMismatch),
      (18, .untrusted),
      (19, .untrusted), (20, .untrusted), (1, .untrusted),
    ])
  func verification(verification: Int, fault: NetworkError.TLSFault) {
    #expect(reading(CURLE_PEER_FAILED_VERIFICATION, verification: verification).kind == .tls(fault))
  }

  @Test(
    "libcurl's own check of the name is recognized by its message",
    arguments: [
      "SSL: no alternative certificate subject name matches target host name 'a.test'",
      "SSL: certificate subject name 'b.test' does not match target host name 'a.test'",
    ])
  func nameCheck(detail: String) {
    let error = reading(CURLE_PEER_FAILED_VERIFICATION, verification: 1, detail: detail)
    #expect(error.kind == .tls(.nameMismatch))
  }

  @Test("libcurl's own timeout is that of connecting if nothing was sent")
  func connectTimeout() {
    let error = reading(CURLE_OPERATION_TIMEDOUT, departed: false)
    #expect(error.kind == .timeout(.connect))
    #expect(error.reason.contains("2 s"))
  }

  @Test("An unknown transfer coding, which libcurl 8.14 refuses, is not reported as a content coding")
  func transferCoding() {
    let error = reading(CURLE_BAD_CONTENT_ENCODING)
    #expect(error.kind == .protocolViolation)
    #expect(error.reason.contains("unknown transfer coding"))
    #expect(!error.reason.contains("content coding"))
  }

  @Test("A malformed chunk is a protocol violation")
  func chunk() {
    let detail = "Illegal or missing hexadecimal sequence in chunked-encoding"
    #expect(reading(CURLE_RECV_ERROR, detail: detail).kind == .protocolViolation)
  }

  @Test(
    "A limit of libcurl on header fields is a fault of the server",
    arguments: [
      (CURLcode(rawValue: 100), "Too many response headers, 5000 is max", "fewer"),
      (CURLcode(rawValue: 100), "", "longer than"),
      (CURLE_RECV_ERROR, "Too large response headers: 310000 > 307200", "fewer"),
      (CURLE_OUT_OF_MEMORY, "", "longer than"),
    ])
  func headerLimits(code: CURLcode, detail: String, words: String) {
    let error = reading(code, detail: detail)
    #expect(error.kind == .protocolViolation)
    #expect(error.reason.contains(words))
  }

  @Test("Over HTTP/2 an end of the connection is distinguished from broken framing")
  func endsOfConnections() {
    let broken = "nghttp2 shuts down connection with error 1: PROTOCOL_ERROR"
    #expect(reading(CURLE_HTTP2, detail: broken).kind == .protocolViolation)
    #expect(reading(CURLE_HTTP2).kind == .transport)
    #expect(reading(CURLE_HTTP2, detail: "HTTP/2 stream 1 was reset").kind == .transport)
  }

  @Test(
    "The error of a stream that was reset names the code",
    arguments: [
      ("HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)", "with INTERNAL_ERROR before"),
      ("HTTP/2 stream 5 was not closed cleanly: ENHANCE_YOUR_CALM (err 11)", "send fewer requests"),
      (
        "HTTP/2 stream 1 was closed cleanly, but before getting  all response header fields",
        "ended the stream"
      ),
      ("HTTP/2 stream 1 reset by server (error 0x2 INTERNAL_ERROR)", "with INTERNAL_ERROR before"),
      ("HTTP/2 stream 5 reset by server (error 0xb ENHANCE_YOUR_CALM)", "send fewer requests"),
      ("HTTP/2 stream 5 reset by server (error 0x", "ended the stream before"),
      ("", "ended the stream before"),
    ])
  func resets(detail: String, words: String) {
    let error = reading(CURLE_HTTP2_STREAM, detail: detail)
    #expect(error.kind == .transport && error.requestMayHaveBeenProcessed)
    #expect(error.reason.contains(words), "\(error)")
  }

  @Test(
    "A response that nghttp2 refuses is a protocol violation",
    arguments: [
      "HTTP/2 stream 1 was not closed cleanly: PROTOCOL_ERROR (err 1)",
      "Invalid HTTP header field was received: frame type: 1, stream: 1, name: [:status], value: [101]",
      "Violation in HTTP messaging rule",
    ])
  func malformedResponses(detail: String) {
    let error = reading(CURLE_HTTP2_STREAM, detail: detail)
    #expect(error.kind == .protocolViolation && error.requestMayHaveBeenProcessed)
  }

  @Test(
    "An end of the connection within the TLS handshake is no fault of TLS, and nothing was sent",
    arguments: [
      "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to api.test:8443 ",
      "OpenSSL SSL_connect: Connection reset by peer in connection to api.test:8443 ",
      "OpenSSL/3.0.17: error:0A000126:SSL routines::unexpected eof while reading",
    ])
  func lostHandshake(detail: String) {
    let error = reading(CURLE_SSL_CONNECT_ERROR, detail: detail, departed: false)
    #expect(error.kind == .connect && !error.requestMayHaveBeenProcessed)
    #expect(error.reason.contains("within the TLS handshake"))
    let refused = reading(
      CURLE_SSL_CONNECT_ERROR, detail: "error:0A00010B:SSL routines::wrong version number", departed: false)
    #expect(refused.kind == .tls(.handshake))
  }

  @Test("Only a request that cannot have arrived is safe to repeat")
  func safety() {
    #expect(!reading(CURLE_RECV_ERROR, departed: false).requestMayHaveBeenProcessed)
    #expect(reading(CURLE_RECV_ERROR).requestMayHaveBeenProcessed)
  }

  @Test(
    "A refusal of the proxy's credentials has one kind, whatever libcurl's code",
    arguments: [
      (CURLE_RECV_ERROR, 407, CURLPX_OK, NetworkError.Kind.proxyAuthentication),
      (CURLE_COULDNT_CONNECT, 407, CURLPX_OK, .proxyAuthentication),
      (CURLE_PROXY, 0, CURLPX_USER_REJECTED, .proxyAuthentication),
      (CURLE_PROXY, 0, CURLPX_NO_AUTH, .proxyAuthentication), (CURLE_RECV_ERROR, 403, CURLPX_OK, .connect),
      (CURLE_COULDNT_CONNECT, 403, CURLPX_OK, .connect),
      (CURLE_PROXY, 0, CURLPX_REPLY_NOT_ALLOWED, .connect),
      (CURLE_COULDNT_CONNECT, 0, CURLPX_NO_AUTH, .connect),
    ] as [(CURLcode, Int, CURLproxycode, NetworkError.Kind)])
  func proxyCredentials(code: CURLcode, status: Int, proxyCode: CURLproxycode, kind: NetworkError.Kind) {
    let error = FailureReading(
      origin: WebOrigin(scheme: .https, host: "api.test", port: 443),
      curl: CurlError(code: Int(code.rawValue), summary: "said libcurl", detail: ""), verification: 0,
      systemError: 0, hasDeparted: false, hasHead: false, connectLimit: nil,
      proxy: .init(
        proxy: Proxy(.http, host: "proxy.test", port: 3128), connectCode: status,
        proxyCode: Int(proxyCode.rawValue), verification: 0)
    ).networkError
    #expect(error.kind == kind)
    #expect(error.reason.contains("proxy.test:3128"))
    #expect(error.reason.contains("status 403") == (status == 403))
    #expect(!error.requestMayHaveBeenProcessed)
  }

  @Test(
    "A client's key that cannot be opened is named with the passphrase, whatever libcurl's code",
    arguments: [
      (CURLE_SSL_CERTPROBLEM, "unable to set private key file: 'key.pem' type PEM"),
      (CURLE_BAD_FUNCTION_ARGUMENT, "unable to set private key file: 'key.pem' type PEM"),
    ])
  func clientKey(code: CURLcode, detail: String) {
    let error = reading(code, detail: detail, departed: false)
    #expect(error.kind == .tls(.handshake))
    #expect(error.reason.contains("passphrase"))
    #expect(reading(CURLE_BAD_FUNCTION_ARGUMENT, departed: false).kind == .invalidRequest)
  }
}

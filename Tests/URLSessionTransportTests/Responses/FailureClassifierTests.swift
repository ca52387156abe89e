import Foundation
import Interception
import Testing

@testable import URLSessionTransport

@Suite struct FailureClassifierTests {
  private func read(_ code: Int, _ words: String, sawConnection: Bool = false) -> NetworkError {
    let error = NSError(
      domain: NSURLErrorDomain, code: code,
      userInfo: [
        NSLocalizedDescriptionKey: words,
        NSURLErrorFailingURLErrorKey: URL(string: "http://host/?secret") as Any,
      ])
    return FailureClassifier(error, origin: "host:80", sawConnection: sawConnection).networkError
  }

  @Test(
    "Codes and messages are converted to kinds",
    arguments: [
      (NSURLErrorCannotFindHost, "Could not resolve host: x", NetworkError.Kind.resolve, false),
      (NSURLErrorCannotConnectToHost, "Failed to connect to 127.0.0.1 port 1", .connect, false),
      (NSURLErrorCannotConnectToHost, "Empty reply from server", .transport, true),
      (NSURLErrorCannotConnectToHost, "Recv failure: Connection reset by peer", .transport, true),
      (NSURLErrorNotConnectedToInternet, "offline", .offline, false),
      (NSURLErrorNetworkConnectionLost, "Recv failure: Connection reset by peer", .transport, true),
      (NSURLErrorBadServerResponse, "Empty reply from server", .transport, true),
      (NSURLErrorUnsupportedURL, "Received HTTP/0.9 when not allowed", .protocolViolation, true),
      (NSURLErrorTimedOut, "timed out", .timeout(.connect), true),
      (NSURLErrorUnknown, "Header without colon", .protocolViolation, true),
      (
        NSURLErrorUnknown, "Illegal or missing hexadecimal sequence in chunked-encoding", .protocolViolation,
        true
      ),
      (NSURLErrorUnknown, "transfer closed with 5 bytes remaining to read", .transport, true),
      (
        NSURLErrorUnknown, "SSL certificate problem: unable to get local issuer certificate",
        .tls(.untrusted),
        false
      ),
      (NSURLErrorUnknown, "SSL certificate problem: certificate has expired", .tls(.expired), false),
      (NSURLErrorUnknown, "SSL: no alternative certificate subject name matches", .tls(.nameMismatch), false),
      (NSURLErrorServerCertificateUntrusted, "untrusted", .tls(.untrusted), false),
      (NSURLErrorServerCertificateHasBadDate, "bad date", .tls(.expired), false),
      (NSURLErrorSecureConnectionFailed, "no", .tls(.handshake), false),
    ])
  func kinds(code: Int, words: String, kind: NetworkError.Kind, processed: Bool) {
    let error = read(code, words)
    #expect(error.kind == kind)
    #expect(error.requestMayHaveBeenProcessed == processed)
    #expect(error.reason.contains("host"))
  }

  @Test("A failure after the connection was seen may have been processed")
  func sawConnection() {
    #expect(read(NSURLErrorCannotConnectToHost, "x", sawConnection: true).requestMayHaveBeenProcessed)
    #expect(read(NSURLErrorTimedOut, "x", sawConnection: true).kind == .timeout(.idle))
  }

  @Test("The failing URL is not part of the error")
  func failingURL() {
    let error = read(NSURLErrorUnknown, "words")
    #expect(error.underlying(as: URLSessionError.self) == URLSessionError(code: -1, detail: "words"))
    #expect(!"\(error) \(String(describing: error.underlying))".contains("secret"))
  }
}

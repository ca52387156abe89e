import CurlTransport
import Downloads
public import Interception
import RedirectFollowing
import Uploads

/// The exit status of the program; numbers that curl has too mean the same as with curl.
public struct ExitStatus: RawRepresentable, Sendable, Hashable {
  /// The number.
  public let rawValue: Int32

  /// Creates a status from its number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Done.
  public static let success = ExitStatus(rawValue: 0)
  /// Refused: a signature that is not valid, manifests that differ, a digest that does not match, an
  /// assertion that failed.
  public static let refused = ExitStatus(rawValue: 1)
  /// The URL or the request is malformed.
  public static let malformedRequest = ExitStatus(rawValue: 3)
  /// The host has no address.
  public static let unresolved = ExitStatus(rawValue: 6)
  /// No connection could be made.
  public static let unconnected = ExitStatus(rawValue: 7)
  /// The server broke the rules of HTTP.
  public static let weirdReply = ExitStatus(rawValue: 8)
  /// The server broke the rules of HTTP/2 framing.
  public static let framing = ExitStatus(rawValue: 16)
  /// The connection was lost before the end of the body.
  public static let partialBody = ExitStatus(rawValue: 18)
  /// The status is 400 or above, with `--fail`.
  public static let httpError = ExitStatus(rawValue: 22)
  /// The output can't be written.
  public static let unwritable = ExitStatus(rawValue: 23)
  /// A file can't be read.
  public static let unreadable = ExitStatus(rawValue: 26)
  /// A time limit was exceeded.
  public static let timeout = ExitStatus(rawValue: 28)
  /// The TLS handshake failed.
  public static let handshake = ExitStatus(rawValue: 35)
  /// Too many redirects, or a loop of them.
  public static let redirects = ExitStatus(rawValue: 47)
  /// The server closed the connection without a response.
  public static let emptyReply = ExitStatus(rawValue: 52)
  /// Sending failed.
  public static let unsent = ExitStatus(rawValue: 55)
  /// Receiving failed.
  public static let unreceived = ExitStatus(rawValue: 56)
  /// The certificate is not trusted, for another name, or expired.
  public static let certificate = ExitStatus(rawValue: 60)
  /// The content coding can't be decoded.
  public static let contentCoding = ExitStatus(rawValue: 61)
  /// The content is longer than allowed.
  public static let tooLarge = ExitStatus(rawValue: 63)
  /// The command line is wrong.
  public static let usage = ExitStatus(rawValue: 64)
  /// The body would have to be sent again, and can't be.
  public static let bodyNotReplayable = ExitStatus(rawValue: 65)
  /// Any other failure.
  public static let other = ExitStatus(rawValue: 70)
  /// A file of requests is malformed, or lacks a variable.
  public static let malformedFile = ExitStatus(rawValue: 120)
  /// Interrupted by SIGINT.
  public static let interrupted = ExitStatus(rawValue: 130)

  /// The statuses with their meaning, for the help; in ascending order.
  public static let meanings: [(status: ExitStatus, meaning: String)] = [
    (.success, "done"),
    (.refused, "not valid, not allowed: a signature, a digest, a redirect, an assertion; or it differs"),
    (.malformedRequest, "the URL or the request is malformed"),
    (.unresolved, "the host has no address"),
    (.unconnected, "no connection could be made"),
    (.weirdReply, "the server broke the rules of HTTP"),
    (.framing, "the server broke the rules of HTTP/2 framing"),
    (.partialBody, "the connection was lost before the end of the body"),
    (.httpError, "the status is 400 or above, with --fail; always for download and upload"),
    (.unwritable, "the output can't be written"),
    (.unreadable, "a file can't be read"),
    (.timeout, "a time limit was exceeded"),
    (.handshake, "the TLS handshake failed"),
    (.redirects, "too many redirects, or a loop of them"),
    (.emptyReply, "the server closed the connection without a response"),
    (.unsent, "sending failed"),
    (.unreceived, "receiving failed"),
    (.certificate, "the certificate is not trusted, for another name, or expired"),
    (.contentCoding, "the content coding can't be decoded"),
    (.tooLarge, "the content is longer than allowed"),
    (.usage, "the command line is wrong (with curl: 2)"),
    (.bodyNotReplayable, "the body would have to be sent again, and can't be"),
    (.other, "any other failure"),
    (.malformedFile, "a file of requests is malformed, or lacks a variable; with run"),
    (.interrupted, "interrupted by SIGINT; 143 by SIGTERM"),
  ]

  /// The table of statuses for a help text.
  public static var table: String {
    meanings.map { status, meaning in
      let number = String(status.rawValue)
      return String(repeating: " ", count: 3 - number.utf8.count) + number + "  " + meaning
    }.joined(separator: "\n")
  }
}

extension ExitStatus {
  /// Creates the status for an error of the chain.
  public init(_ error: NetworkError) {
    if let redirect = error.underlying(as: RedirectError.self) {
      self = Self.status(of: redirect)
      return
    }
    if let fault = error.underlying(as: DownloadFault.self) {
      self = Self.status(of: fault)
      return
    }
    if let fault = error.underlying(as: UploadFault.self) {
      self = Self.status(of: fault)
      return
    }
    self =
      switch error.kind {
      case .invalidRequest: .malformedRequest
      case .offline, .connect: .unconnected
      case .resolve: .unresolved
      case .tls(let fault): fault == .handshake ? .handshake : .certificate
      case .timeout: .timeout
      // The error of a decoder has no error of libcurl behind it, and is known by its sentence only.
      case .protocolViolation where error.reason.contains("coding is broken"): .contentCoding
      case .protocolViolation: Self.curlStatus(of: error, among: [8, 16, 18, 61, 92]) ?? .weirdReply
      case .transport: Self.curlStatus(of: error, among: [16, 18, 52, 55, 56]) ?? .unreceived
      case .bodyNotReplayable: .bodyNotReplayable
      case .bodyTooLarge: .tooLarge
      case .cancelled: .interrupted
      case .proxyAuthentication, .queueFull, .descriptorsExhausted, .unsupported, .rejected, .needsLogin,
        .notStored:
        .other
      }
  }

  private static func status(of redirect: RedirectError) -> ExitStatus {
    switch redirect.rule {
    case .tooMany: .redirects
    case .bodyNotReplayable: .bodyNotReplayable
    case .downgrade, .scheme, .privateAddress, .refused, .secretBody, .otherOrigin: .refused
    case .invalidLocation: .malformedRequest
    }
  }

  private static func status(of fault: DownloadFault) -> ExitStatus {
    switch fault {
    case .status: .httpError
    case .contentCoded: .contentCoding
    case .digestMismatch, .digestMissing: .refused
    case .occupied, .noSpace, .noPermission, .foreignFile, .fileSystem: .unwritable
    }
  }

  private static func status(of fault: UploadFault) -> ExitStatus {
    switch fault {
    case .status: .httpError
    case .tooLarge: .tooLarge
    case .checksumMismatch, .fileChanged: .refused
    case .notResumable, .invalidLocation, .unsupportedVersion, .unsupportedChecksum, .gone: .weirdReply
    case .incomplete: .partialBody
    case .completionUnknown: .unreceived
    case .occupied, .record: .unwritable
    }
  }

  /// The number of libcurl's own result, if the error has one of these.
  private static func curlStatus(of error: NetworkError, among codes: [Int]) -> ExitStatus? {
    guard let code = error.underlying(as: CurlError.self)?.code, codes.contains(code) else { return nil }
    return ExitStatus(rawValue: Int32(code))
  }
}

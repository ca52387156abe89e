import CCurlShims
import CLibcurl

/// Recognizes that a server has refused a request over HTTP/2 before it processed it, for one departure.
///
/// A server refuses a stream with RST_STREAM of REFUSED_STREAM (RFC 9113, section 8.7), by GOAWAY with the
/// identifier of an earlier stream (section 6.8), or with HTTP_1_1_REQUIRED. libcurl sends such a request
/// again, as it does if a reused connection turns out dead, and does not report which of them happened. But
/// it describes every other end of an HTTP/2 connection or stream in its buffer of messages, and leaves that
/// empty for a refused stream (`http2_handle_stream_close`).
///
/// Before 8.1 the buffer is also empty if a reused connection ends because the server violated HTTP/2, and
/// the handle's flag for refused streams is not cleared there. So silence is trusted only on a connection
/// that the request has opened, by a handle that cannot have the flag. Those versions also fail a request
/// that GOAWAY has refused, instead of sending it again; the text that they log for it names the last stream.
///
/// 8.23 fails a request that GOAWAY has refused with an error (pull request 22946), with the message of a
/// stream that was reset "by curl". Only ENHANCE_YOUR_CALM is certain to come from GOAWAY there, because
/// nghttp2 resets streams with other codes itself.
///
/// Over HTTP/3 a server refuses a stream with the error H3_REQUEST_REJECTED (RFC 9114, section 8.1). libcurl
/// logs a text of its own for it, and leaves the buffer empty for some other ends, so the text is read. After
/// GOAWAY it fails to open a stream over a reused connection (`h3_stream_open`), and sends the request again.
/// Otherwise it logs that it has opened the stream before it sends a packet of it, and then the head; if it
/// has logged neither, and has no message, the server has received nothing of the request.
///
/// Affected: all versions to 8.23 at least. Upstream: no report is known. Delete this once libcurl has a
/// code, or a value of `curl_easy_getinfo`, for refused streams; the texts of HTTP/2 once the oldest
/// supported version is 8.1.
struct StreamRefusal {
  /// Whether an end of the stream that libcurl does not describe is a refusal.
  let isShownBySilence: Bool
  /// Whether the request goes over HTTP/3, and what libcurl logs is read.
  private let logsHTTP3: Bool
  private var hasOpened = false
  private var isRefusedOverHTTP3 = false
  private var stream: UInt32?
  private var lastStream: UInt32?

  init(isShownBySilence: Bool, logsHTTP3: Bool = false) {
    self.isShownBySilence = isShownBySilence
    self.logsHTTP3 = logsHTTP3
  }

  /// Prepares for a departure over a connection that is ready.
  ///
  /// - Parameter logsHTTP3: Whether the connection is one of HTTP/3, and what libcurl logs is read.
  init(
    over handle: ReusableHandle, to origin: WebOrigin, isNewConnection: Bool, logsHTTP3: Bool,
    library: LoadedLibrary
  ) {
    self.logsHTTP3 = logsHTTP3
    // libcurl keeps the first message of a transfer, so an earlier one, such as of another address, hides
    // that of the stream.
    isShownBySilence =
      origin.mayMultiplex && !handle.easy.hasMessage
      && (!Self.isSilentOtherwise(library) || (isNewConnection && !handle.mayRepeatRefusal))
      && (origin.hasPriorKnowledge || handle.easy.hasNegotiatedHTTP2)
  }

  /// Whether the texts that libcurl logs are read, which costs a fifth of a small request: for requests that
  /// only a refusal permits to send again.
  static func readsTexts(of plan: RequestPlan, _ http3: HTTP3Choice, by library: LoadedLibrary) -> Bool {
    guard plan.origin.mayMultiplex, !plan.mayBeResent else { return false }
    if case .attempt = http3 { return true }
    return isSilentOtherwise(library)
  }

  /// Whether libcurl leaves the buffer empty for other ends, too.
  static func isSilentOtherwise(_ library: LoadedLibrary) -> Bool { library.version < LibraryVersion(8, 1) }

  /// Reads a text that libcurl logs.
  mutating func read(_ text: String) {
    if text.hasPrefix("HTTP/3 stream "), text.contains("refused by server") {
      isRefusedOverHTTP3 = true
    } else if text.hasPrefix("[HTTP/3] ["), text.contains("] OPENED stream") {
      hasOpened = true
    } else if text.hasPrefix("Using Stream ID: ") {
      stream = Self.number(text, after: "ID: ")
    } else if text.contains("GOAWAY") {
      lastStream = Self.number(text, after: "last_stream=")
    }
  }

  /// Records that libcurl has sent the head of the request.
  mutating func noteHead() { hasOpened = true }

  /// Whether libcurl could not open a stream of HTTP/3 for the request, so that nothing was sent.
  func isUnopened(_ handle: EasyHandle) -> Bool { logsHTTP3 && !hasOpened && !handle.hasMessage }

  /// Whether GOAWAY has named an earlier stream as the last one.
  var isAboveLastStream: Bool {
    guard let stream, let lastStream else { return false }
    return lastStream < stream
  }

  /// Whether the stream, which has ended without a response, was refused.
  func isMeant(by handle: EasyHandle) -> Bool {
    isRefusedOverHTTP3 || isUnopened(handle) || isAboveLastStream
      || (isShownBySilence && !handle.hasMessage)
      || Self.requiresHTTP1(handle)
      || Self.isToldByGoAway(handle)
  }

  /// Whether libcurl may fail a request with this code if its stream was refused.
  func mayBeMeant(by code: CURLcode, _ handle: EasyHandle) -> Bool {
    // After an informational response libcurl does not send again, nor does it before 8.1 after GOAWAY.
    code == CURLE_RECV_ERROR || isAboveLastStream
      || (code == CURLE_HTTP2_STREAM && Self.isToldByGoAway(handle))
      || (code == CURLE_SEND_ERROR && isUnopened(handle))
  }

  /// Whether GOAWAY has refused the stream because the client sends too much.
  static func isToldByGoAway(_ handle: EasyHandle) -> Bool {
    handle.hasMessage && handle.message(contains: "reset by curl (error 0xb ENHANCE_YOUR_CALM)")
  }

  /// Whether libcurl is about to send the request over HTTP/1.1, as the server requires.
  ///
  /// It replaces its message about the stream unless it reused the connection, and describes no other end
  /// after which it sends again by the second text.
  static func requiresHTTP1(_ handle: EasyHandle) -> Bool {
    handle.hasMessage
      && (handle.message(contains: "HTTP_1_1_REQUIRED")
        || handle.message(contains: "Empty reply from server"))
  }

  private static func number(_ text: String, after mark: String) -> UInt32? {
    guard let start = text.firstRange(of: mark)?.upperBound else { return nil }
    return UInt32(text[start...].prefix { $0.isASCII && $0.isNumber })
  }
}

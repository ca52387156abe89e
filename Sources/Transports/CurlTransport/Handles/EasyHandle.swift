import CCurlShims
import CLibcurl
import Interception

/// Owner of one `CURL *`, which performs one transfer after another.
@safe
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  // libcurl keeps the pointer and writes the details of a failure here.
  private let message: UnsafeMutablePointer<CChar>

  /// Creates a handle; nil without memory.
  init?() {
    guard let pointer = unsafe curl_easy_init() else { return nil }
    unsafe self.pointer = pointer
    let size = Int(CURL_ERROR_SIZE)
    unsafe message = .allocate(capacity: size)
    unsafe message.initialize(repeating: 0, count: size)
    _ = unsafe switchyard_easy_set_pointer(pointer, CURLOPT_ERRORBUFFER, message)
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    unsafe message.deallocate()
  }

  // MARK: Options

  func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
    try check(unsafe switchyard_easy_set_long(pointer, option, value))
  }

  func set(_ option: CURLoption, _ value: Bool) throws(CurlError) { try set(option, value ? 1 : 0) }

  /// Sets an option of type `curl_off_t`.
  func set(_ option: CURLoption, offset value: Int64) throws(CurlError) {
    try check(unsafe switchyard_easy_set_offset(pointer, option, curl_off_t(value)))
  }

  /// Sets a string, which libcurl copies; nil restores the default.
  ///
  /// A null byte, at which libcurl would cut the string off, is an error that names the option.
  func set(_ option: CURLoption, _ value: String?) throws(CurlError) {
    guard value?.isWholeInC ?? true else {
      let name = unsafe curl_easy_option_by_id(option).map { unsafe String(cString: $0.pointee.name) }
      throw CurlError(
        code: Int(CURLE_BAD_FUNCTION_ARGUMENT.rawValue),
        summary: "the value of CURLOPT_\(name ?? "\(option.rawValue)") contains a null byte")
    }
    try check(unsafe switchyard_easy_set_string(pointer, option, value))
  }

  /// Sets a list, a URL or a share, which libcurl does *not* copy; nil removes it.
  func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(CurlError) {
    try check(unsafe switchyard_easy_set_pointer(pointer, option, value))
  }

  /// Pauses or resumes each direction; libcurl delivers what it held back before this returns.
  func setPaused(receiving: Bool, sending: Bool) throws(CurlError) {
    let bits = (receiving ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0)
    try check(unsafe curl_easy_pause(pointer, bits))
  }

  func check(_ code: CURLcode) throws(CurlError) {
    guard code == CURLE_OK else { throw error(code) }
  }

  // MARK: Results

  func clearMessage() { unsafe message[0] = 0 }

  /// Whether libcurl has described a failure.
  var hasMessage: Bool { unsafe message[0] != 0 }

  func message(contains words: String) -> Bool { unsafe String(cString: message).contains(words) }

  /// The error for a code, with the details of the latest failure.
  func error(_ code: CURLcode) -> CurlError {
    let summary = unsafe String(cString: curl_easy_strerror(code))
    return unsafe CurlError(code: Int(code.rawValue), summary: summary, detail: String(cString: message))
  }

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    _ = unsafe switchyard_easy_get_long(pointer, info, &value)
    return value
  }

  /// Whether the server of the current connection has chosen HTTP/2 in the TLS handshake (RFC 7301).
  var hasNegotiatedHTTP2: Bool { unsafe switchyard_easy_negotiated_version(pointer) == 2 }

  /// Whether the current connection is one of HTTP/3.
  var hasNegotiatedHTTP3: Bool { unsafe switchyard_easy_negotiated_version(pointer) == 3 }

  /// The bytes of the request's content that the connection has accepted.
  var uploadedBytes: Int64 { unsafe Int64(switchyard_easy_get_figures(pointer).uploaded) }

  var figures: switchyard_figures { unsafe switchyard_easy_get_figures(pointer) }

  /// The server's certificate as PEM, if this transfer opened the connection and `CURLOPT_CERTINFO` was set.
  var leafCertificate: String? {
    unsafe switchyard_easy_leaf_certificate(pointer).map { unsafe String(cString: $0) }
  }
}

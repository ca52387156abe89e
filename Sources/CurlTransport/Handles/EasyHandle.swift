import CCurlShims
import CLibcurl

/// Owner of one `CURL *`, which can be used for one transfer after another.
@safe
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  // libcurl writes the details of a failure here and keeps the pointer, so the memory lives as long as the
  // handle.
  private let message: UnsafeMutablePointer<CChar>

  /// Creates a handle; nil when there is no memory.
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

  /// Sets a number, or a Boolean as 0 or 1.
  func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
    try check(unsafe switchyard_easy_set_long(pointer, option, value))
  }

  /// Sets a number of 64 bits.
  func set(_ option: CURLoption, offset value: Int64) throws(CurlError) {
    try check(unsafe switchyard_easy_set_offset(pointer, option, curl_off_t(value)))
  }

  /// Sets a string, which libcurl copies; nil restores libcurl's default.
  func set(_ option: CURLoption, _ value: String?) throws(CurlError) {
    try check(unsafe switchyard_easy_set_string(pointer, option, value))
  }

  /// Sets a list by its first node, which libcurl does *not* copy; nil removes it.
  func set(_ option: CURLoption, list: UnsafeMutablePointer<curl_slist>?) throws(CurlError) {
    try check(unsafe switchyard_easy_set_pointer(pointer, option, list))
  }

  /// Sets the URL, which libcurl does *not* copy.
  func setURL(_ url: ParsedURL) throws(CurlError) {
    let parsed = unsafe UnsafeMutableRawPointer(url.pointer)
    try check(unsafe switchyard_easy_set_pointer(pointer, CURLOPT_CURLU, parsed))
  }

  /// Uses the connections of a stock, or its own if there is none.
  func share(_ stock: ConnectionStock?) throws(CurlError) {
    try check(unsafe switchyard_easy_set_pointer(pointer, CURLOPT_SHARE, stock?.pointer))
  }

  private func check(_ code: CURLcode) throws(CurlError) {
    guard code != CURLE_OK else { return }
    throw error(code)
  }

  // MARK: Results

  /// Clears the details of an earlier failure.
  func clearMessage() { unsafe message[0] = 0 }

  /// The error that libcurl reports for a code.
  func error(_ code: CURLcode) -> CurlError {
    let summary = unsafe String(cString: curl_easy_strerror(code))
    return unsafe CurlError(code: Int(code.rawValue), summary: summary, detail: String(cString: message))
  }

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    _ = unsafe switchyard_easy_get_long(pointer, info, &value)
    return value
  }

  /// What libcurl measured so far.
  var figures: switchyard_figures { unsafe switchyard_easy_get_figures(pointer) }

  /// The server's own certificate as PEM, if this transfer made the connection and was told to keep it.
  var leafCertificate: String? {
    guard let text = unsafe switchyard_easy_leaf_certificate(pointer) else { return nil }
    return unsafe String(cString: text)
  }

  // MARK: Pausing

  /// Pauses and resumes both directions; bytes that libcurl held back are delivered before this returns.
  func setPaused(receiving: Bool, sending: Bool) throws(CurlError) {
    let bits = (receiving ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0)
    try check(unsafe curl_easy_pause(pointer, bits))
  }
}

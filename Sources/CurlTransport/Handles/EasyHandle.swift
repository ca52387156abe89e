import CCurlShims
import CLibcurl

/// Owner of one `CURL *`, which can be used for one transfer after another.
@safe
struct EasyHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  // libcurl writes its words about a failure here; it keeps the pointer, so the memory lives as long as the
  // handle.
  private let message: UnsafeMutablePointer<CChar>

  /// Makes a handle; nil when there is no memory.
  init?() {
    guard let pointer = unsafe curl_easy_init() else { return nil }
    unsafe self.pointer = pointer
    let size = Int(CURL_ERROR_SIZE)
    unsafe message = .allocate(capacity: size)
    unsafe message.initialize(repeating: 0, count: size)
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    unsafe message.deallocate()
  }

  /// Forgets every option; connections, names and TLS sessions belong to the multi handle and stay.
  func reset() {
    unsafe curl_easy_reset(pointer)
    unsafe message[0] = 0
    _ = unsafe switchyard_easy_set_pointer(pointer, CURLOPT_ERRORBUFFER, message)
  }

  // MARK: Options

  func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
    try check(unsafe switchyard_easy_set_long(pointer, option, value))
  }

  func set(_ option: CURLoption, offset value: Int64) throws(CurlError) {
    try check(unsafe switchyard_easy_set_offset(pointer, option, curl_off_t(value)))
  }

  /// Sets a string, which libcurl copies.
  func set(_ option: CURLoption, _ value: String?) throws(CurlError) {
    try check(unsafe switchyard_easy_set_string(pointer, option, value))
  }

  /// Sets a list, which libcurl does *not* copy.
  func set(_ option: CURLoption, _ list: borrowing HeaderList) throws(CurlError) {
    try check(unsafe switchyard_easy_set_list(pointer, option, list.first))
  }

  /// Uses the connections of a stock, or its own again.
  func share(_ stock: ConnectionStock?) throws(CurlError) {
    try check(unsafe switchyard_easy_set_share(pointer, stock?.pointer))
  }

  func check(_ code: CURLcode) throws(CurlError) {
    guard code != CURLE_OK else { return }
    throw error(code)
  }

  /// What libcurl says about a failure.
  func error(_ code: CURLcode) -> CurlError {
    let summary = unsafe String(cString: curl_easy_strerror(code))
    return unsafe CurlError(code: Int(code.rawValue), summary: summary, detail: String(cString: message))
  }

  // MARK: Results

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    _ = unsafe switchyard_easy_get_long(pointer, info, &value)
    return value
  }

  func offset(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    _ = unsafe switchyard_easy_get_offset(pointer, info, &value)
    return Int64(value)
  }

  func string(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    _ = unsafe switchyard_easy_get_string(pointer, info, &value)
    guard let value = unsafe value else { return nil }
    return unsafe String(cString: value)
  }

  /// The server's own certificate as PEM, where this transfer made the connection and was told to keep it.
  var leafCertificate: String? {
    guard let text = unsafe switchyard_easy_leaf_certificate(pointer) else { return nil }
    return unsafe String(cString: text)
  }

  // MARK: Pausing

  /// Pauses and resumes both directions; what was held back is delivered before this returns.
  func setPaused(receiving: Bool, sending: Bool) throws(CurlError) {
    let bits = (receiving ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0)
    try check(unsafe curl_easy_pause(pointer, bits))
  }
}

import CCurlShims
import CLibcurl

/// Owner of one `CURL *`, which can be used for one transfer after another.
///
/// It remembers its options: a setter that says what the handle knows already costs a comparison. A request's
/// description stands between ``begin()`` and ``finish()``.
@safe
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  // libcurl writes its words about a failure here; it keeps the pointer, so the memory lives as long as the
  // handle.
  private let message: UnsafeMutablePointer<CChar>
  private var memory = OptionMemory()
  /// Whether it refused an option, and must not be used again.
  private(set) var isSpoiled = false

  /// Makes a handle; nil when there is no memory.
  init?() {
    guard let pointer = unsafe curl_easy_init() else { return nil }
    unsafe self.pointer = pointer
    let size = Int(CURL_ERROR_SIZE)
    unsafe message = .allocate(capacity: size)
    unsafe message.initialize(repeating: 0, count: size)
    forget()
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    unsafe message.deallocate()
  }

  /// Forgets every option; connections, names and TLS sessions belong to the multi handle and stay.
  func reset() {
    memory.forget()
    forget()
  }

  /// What is told before any option, and again whenever the handle had to forget.
  var setBasics: ((EasyHandle) -> Void)?

  private func forget() {
    unsafe curl_easy_reset(pointer)
    _ = unsafe switchyard_easy_set_pointer(pointer, CURLOPT_ERRORBUFFER, message)
    setBasics?(self)
  }

  // MARK: Options

  /// Sets how much is received at a time; a handle that has memory for it already keeps that.
  func setReceiveBuffer(_ buffer: ReceiveBuffer) {
    _ = unsafe switchyard_easy_set_long(pointer, CURLOPT_BUFFERSIZE, buffer.size)
  }

  /// What was told so far holds for every request.
  func settle() { memory.settle() }

  /// Begins the description of a request.
  func begin() {
    unsafe message[0] = 0
    memory.begin()
  }

  /// Ends the description: what was not said in it holds no longer.
  func finish() throws(CurlError) {
    guard memory.hasLeftovers else { return }
    memory.dropLeftovers()
    do throws(CurlError) {
      try retell()
    } catch {
      spoil()
      throw error
    }
  }

  /// Begins a request whose description is the one before, but for what is amended.
  func repeatDescription() { unsafe message[0] = 0 }

  /// Changes a string of a description that is repeated.
  func amend(_ option: CURLoption, _ value: String) throws(CurlError) { try amend(option, .text(value)) }

  /// Changes a number of a description that is repeated.
  func amend(_ option: CURLoption, _ value: Int) throws(CurlError) { try amend(option, .number(value)) }

  /// Changes where something is, in a description that is repeated.
  func amend(_ option: CURLoption, address: UInt) throws(CurlError) { try amend(option, .address(address)) }

  func set(_ option: CURLoption, _ value: Int) throws(CurlError) { try note(option, .number(value)) }

  func set(_ option: CURLoption, offset value: Int64) throws(CurlError) { try note(option, .offset(value)) }

  /// Sets a string, which libcurl copies.
  func set(_ option: CURLoption, _ value: String?) throws(CurlError) { try note(option, .text(value)) }

  /// Sets a list, which libcurl does *not* copy.
  func set(_ option: CURLoption, _ list: borrowing HeaderList) throws(CurlError) {
    try set(option, address: list.address)
  }

  /// Uses the connections of a stock, or its own again.
  func share(_ stock: ConnectionStock?) throws(CurlError) {
    try check(unsafe switchyard_easy_set_share(pointer, stock?.pointer))
  }

  /// Sets where something is that libcurl does *not* copy; the handle may have been told of it before.
  func set(_ option: CURLoption, address: UInt) throws(CurlError) { try note(option, .address(address)) }

  func check(_ code: CURLcode) throws(CurlError) {
    guard code != CURLE_OK else { return }
    throw error(code)
  }

  /// What libcurl says about a failure.
  func error(_ code: CURLcode) -> CurlError {
    let summary = unsafe String(cString: curl_easy_strerror(code))
    return unsafe CurlError(code: Int(code.rawValue), summary: summary, detail: String(cString: message))
  }

  private func note(_ option: CURLoption, _ value: OptionMemory.Value) throws(CurlError) {
    do throws(CurlError) {
      switch memory.note(option, value) {
      case .nothing: return
      case .tell: try tell(option, value)
      case .retell: try retell()
      }
    } catch {
      spoil()
      throw error
    }
  }

  private func amend(_ option: CURLoption, _ value: OptionMemory.Value) throws(CurlError) {
    guard memory.amend(option, value) else { return }
    do throws(CurlError) {
      try tell(option, value)
    } catch {
      spoil()
      throw error
    }
  }

  // What the handle knows is no longer certain.
  private func spoil() {
    isSpoiled = true
    reset()
  }

  private func retell() throws(CurlError) {
    forget()
    for (option, value) in memory.told { try tell(option, value) }
  }

  private func tell(_ option: CURLoption, _ value: OptionMemory.Value) throws(CurlError) {
    switch value {
    case .number(let number): try check(unsafe switchyard_easy_set_long(pointer, option, number))
    case .offset(let number):
      try check(unsafe switchyard_easy_set_offset(pointer, option, curl_off_t(number)))
    case .text(let text): try check(unsafe switchyard_easy_set_string(pointer, option, text))
    case .address(let address):
      let place = unsafe UnsafeMutableRawPointer(bitPattern: address)
      try check(unsafe switchyard_easy_set_pointer(pointer, option, place))
    }
  }

  // MARK: Results

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    _ = unsafe switchyard_easy_get_long(pointer, info, &value)
    return value
  }

  /// What libcurl measured so far.
  var figures: switchyard_figures { unsafe switchyard_easy_get_figures(pointer) }

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

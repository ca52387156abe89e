import CCurlShims
import CLibcurl

/// A handle that performs one transfer after another, and what it keeps between two of them.
///
/// libcurl's callbacks find the current transfer here.
@safe
final class ReusableHandle {
  let easy: EasyHandle
  /// The poller's state of this handle; libcurl keeps the pointer.
  let state: UnsafeMutablePointer<switchyard_handle_state>
  let connections: ConnectionStock?
  var transfer: Transfer?
  /// The lines of a response's head, until it is complete.
  var head: [UInt8] = []
  /// The options that were set for the previous transfer; nil if an option could not be set.
  private var applied: TransferDescription?
  private var url: ParsedURL?
  private var headerLines: HeaderList?
  private var connectToLine: HeaderList?
  /// The previous transfer's peer, which most transfers of a handle share.
  var peer: (ip: [CChar], port: Int, text: String)?

  /// Creates a handle without options; nil without memory.
  init?(_ connections: ConnectionStock? = nil) {
    guard let easy = EasyHandle() else { return nil }
    self.easy = easy
    self.connections = connections
    unsafe state = .allocate(capacity: 1)
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe state.initialize(to: Transfer.state(owner))
  }

  deinit {
    // libcurl frees no stock that a handle still uses.
    if connections != nil { try? unsafe easy.set(CURLOPT_SHARE, pointer: nil) }
    // The handle is freed after this, but in no multi handle it does not read its state.
    unsafe state.deallocate()
  }

  /// Sets the callbacks and the options that stay the same for every transfer.
  func prepare(_ defaults: HandleDefaults) throws(CurlError) {
    setCallbacks()
    if let connections {
      connections.poller.watch(self)
      try unsafe easy.set(CURLOPT_SHARE, pointer: connections.pointer)
    }
    try defaults.apply(to: easy)
  }

  /// Clears what the previous transfer received and waited for.
  func begin() {
    unsafe state.pointee.socket = -1
    unsafe state.pointee.open_error = 0
    // The memory of a large head is freed.
    head.removeAll(keepingCapacity: head.capacity <= 16 << 10)
    easy.clearMessage()
  }

  /// Tells libcurl which parts differ from the previous transfer's.
  func apply(_ description: TransferDescription) throws(CurlError) {
    guard description != applied else { return }
    let previous = applied
    // Until all options are set, they describe neither transfer.
    applied = nil
    if description.site != previous?.site { url = try description.site.options.apply(to: easy) }
    if description.exchange != previous?.exchange { try description.exchange.apply(to: easy, &connectToLine) }
    if description.lines != previous?.lines { try description.lines.apply(to: easy, &headerLines) }
    applied = description
  }
}

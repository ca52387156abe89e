import CCurlShims
import CLibcurl

/// Owner of a `curl_slist` in two blocks of memory; libcurl reads such lists without copying them.
@safe
struct HeaderList: ~Copyable {
  private let nodes: UnsafeMutableBufferPointer<curl_slist>
  private let text: UnsafeMutableBufferPointer<CChar>

  init(_ block: borrowing HeaderBlock) {
    unsafe text = .allocate(capacity: block.bytes.count)
    unsafe nodes = .allocate(capacity: block.count)
    var line = 0
    var isStart = true
    for (index, byte) in block.bytes.enumerated() {
      unsafe text.initializeElement(at: index, to: CChar(bitPattern: byte))
      if isStart {
        let next = unsafe line + 1 < block.count ? nodes.baseAddress?.advanced(by: line + 1) : nil
        let start = unsafe text.baseAddress?.advanced(by: index)
        unsafe nodes.initializeElement(at: line, to: curl_slist(data: start, next: next))
        line += 1
      }
      isStart = byte == 0
    }
  }

  deinit {
    unsafe nodes.deallocate()
    unsafe text.deallocate()
  }

  /// The first node; nil for an empty list.
  var first: UnsafeMutablePointer<curl_slist>? { unsafe nodes.isEmpty ? nil : nodes.baseAddress }
}

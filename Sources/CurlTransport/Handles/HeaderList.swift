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
    unsafe block.bytes.withUnsafeBytes { unsafe UnsafeMutableRawBufferPointer(text).copyMemory(from: $0) }
    var start = unsafe text.baseAddress
    for line in 0..<block.count {
      let next = unsafe line + 1 < block.count ? nodes.baseAddress?.advanced(by: line + 1) : nil
      unsafe nodes.initializeElement(at: line, to: curl_slist(data: start, next: next))
      // A block has `count` lines, each ended by a zero byte.
      unsafe start = start.map { unsafe $0 + strlen($0) + 1 }
    }
  }

  deinit {
    unsafe nodes.deallocate()
    unsafe text.deallocate()
  }

  /// The first node; nil for an empty list.
  var first: UnsafeMutablePointer<curl_slist>? { unsafe nodes.isEmpty ? nil : nodes.baseAddress }
}

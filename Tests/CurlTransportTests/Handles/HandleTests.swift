import CCurlShims
import CLibcurl
import Interception
import Testing

@testable import CurlTransport

@Suite struct HandleTests {
  @Test func `a list hands libcurl every line, in order, and ends`() throws {
    var block = HeaderBlock()
    for line in ["One: 1", "Two: 2", "Three: 3"] { block.appendLine(line) }
    let list = HeaderList(block)
    var lines: [String] = []
    var node = list.first
    while let current = node {
      lines.append(String(cString: try #require(current.pointee.data)))
      node = current.pointee.next
    }
    #expect(lines == ["One: 1", "Two: 2", "Three: 3"])
  }

  @Test func `an empty list is no list`() {
    let list = HeaderList(HeaderBlock())
    #expect(list.first == nil)
  }

  @Test(arguments: [
    "file:///etc/hostname", "dict://127.0.0.1/d:x", "gopher://127.0.0.1/", "ftp://127.0.0.1/x",
    "telnet://127.0.0.1",
  ])
  func `only http and https are spoken, whatever libcurl was built with`(url: String) throws {
    let handle = try #require(ReusableHandle())
    try HandleDefaults.applySafety(to: handle.easy)
    try handle.easy.set(CURLOPT_URL, url)
    #expect(curl_easy_perform(handle.easy.pointer) == CURLE_UNSUPPORTED_PROTOCOL)
  }

  @Test func `a refused option says so`() throws {
    let handle = try #require(ReusableHandle())
    let error = try #require(throws: CurlError.self) {
      try handle.easy.set(CURLOPT_PROTOCOLS_STR, "nonsense")
    }
    #expect(error.code == Int(CURLE_UNSUPPORTED_PROTOCOL.rawValue))
    #expect(!error.summary.isEmpty)
  }
}

import CCurlShims
import CLibcurl
import Interception
import Testing

@testable import CurlTransport

@Suite struct HandleTests {
  @Test("A list holds every line, in order, and ends")
  func list() throws {
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

  @Test("An empty block has no list")
  func emptyList() {
    let list = HeaderList(HeaderBlock())
    #expect(list.first == nil)
  }

  @Test(
    "Only http and https are supported, whatever libcurl was built with",
    arguments: [
      "file:///etc/hostname", "dict://127.0.0.1/d:x", "gopher://127.0.0.1/", "ftp://127.0.0.1/x",
      "telnet://127.0.0.1",
    ])
  func schemes(url: String) throws {
    let handle = try #require(ReusableHandle())
    try HandleDefaults.applySafety(to: handle.easy)
    try handle.easy.set(CURLOPT_URL, url)
    #expect(curl_easy_perform(handle.easy.pointer) == CURLE_UNSUPPORTED_PROTOCOL)
  }

  @Test("A refused option throws libcurl's error")
  func refusedOption() throws {
    let handle = try #require(ReusableHandle())
    let error = try #require(throws: CurlError.self) {
      try handle.easy.set(CURLOPT_PROTOCOLS_STR, "nonsense")
    }
    #expect(error.code == Int(CURLE_UNSUPPORTED_PROTOCOL.rawValue))
    #expect(!error.summary.isEmpty)
  }

  @Test("A string with a null byte, at which libcurl would end it, is refused by the option's name")
  func nullByte() throws {
    let handle = try #require(ReusableHandle())
    let options = [
      ("CAINFO", CURLOPT_CAINFO), ("SSLCERT", CURLOPT_SSLCERT), ("SSLKEY", CURLOPT_SSLKEY),
      ("KEYPASSWD", CURLOPT_KEYPASSWD), ("PROXY", CURLOPT_PROXY), ("URL", CURLOPT_URL),
      ("REQUEST_TARGET", CURLOPT_REQUEST_TARGET), ("UNIX_SOCKET_PATH", CURLOPT_UNIX_SOCKET_PATH),
    ]
    for (name, option) in options {
      let error = #expect(throws: CurlError.self) { try handle.easy.set(option, "s3cret\0.pem") }
      #expect(error?.code == Int(CURLE_BAD_FUNCTION_ARGUMENT.rawValue))
      #expect(error?.summary == "the value of CURLOPT_\(name) contains a null byte")
      #expect(throws: Never.self) { try handle.easy.set(option, "s3cret.pem") }
    }
  }
}

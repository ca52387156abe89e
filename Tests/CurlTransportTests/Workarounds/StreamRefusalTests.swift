import CCurlShims
import CLibcurl
import Testing

@testable import CurlTransport

@Suite struct StreamRefusalTests {
  @Test(
    "GOAWAY refuses a stream above the one that it names as the last",
    arguments: [(1, 0, true), (3, 1, true), (3, 3, false), (3, 2_147_483_647, false), (7, 1, true)])
  func lastStream(stream: Int, last: Int, isRefused: Bool) {
    var refusal = StreamRefusal(isShownBySilence: false)
    refusal.read("Using Stream ID: \(stream) (easy handle 0x55dce82c2210)\n")
    #expect(!refusal.isAboveLastStream)
    refusal.read("recveived GOAWAY, error=11, last_stream=\(last)\n")
    #expect(refusal.isAboveLastStream == isRefused)
  }

  @Test("Other texts and texts without a number show no refusal")
  func otherTexts() {
    var refusal = StreamRefusal(isShownBySilence: false)
    for text in [
      "", "GOAWAY", "recveived GOAWAY, error=0, last_stream=x", "Using Stream ID: ", "h2h3 [:path: /]",
    ] {
      refusal.read(text)
      #expect(!refusal.isAboveLastStream)
    }
  }

  @Test(
    "Only the text for a stream that the server has refused shows a refusal over HTTP/3",
    arguments: [
      ("HTTP/3 stream 4 refused by server, try again on a new connection\n", true),
      ("HTTP/3 stream 4 reset by server (error 0x102 H3_INTERNAL_ERROR)\n", false),
      ("[HTTP/3] [4] [x-text: HTTP/3 stream 4 refused by server]\n", false),
    ])
  func http3(text: String, isRefused: Bool) throws {
    let handle = try #require(EasyHandle())
    var refusal = StreamRefusal(isShownBySilence: false)
    refusal.read(text)
    #expect(refusal.isMeant(by: handle) == isRefused)
  }

  @Test(
    "A request whose stream of HTTP/3 was not opened was not sent",
    arguments: [
      (["[HTTP/3] [8] OPENED stream for https://a.test/\n"], false, false),
      (["[HTTP/3] [8] [x-text: OPENED stream]\n"], false, true), (["OPENED stream"], false, true),
      ([], true, false), ([], false, true),
    ])
  func opening(texts: [String], hasSentHead: Bool, isUnopened: Bool) throws {
    let handle = try #require(EasyHandle())
    for logsHTTP3 in [true, false] {
      var refusal = StreamRefusal(isShownBySilence: false, logsHTTP3: logsHTTP3)
      for text in texts { refusal.read(text) }
      if hasSentHead { refusal.noteHead() }
      #expect(refusal.isMeant(by: handle) == (isUnopened && logsHTTP3))
      #expect(refusal.mayBeMeant(by: CURLE_SEND_ERROR, handle) == (isUnopened && logsHTTP3))
    }
  }

  @Test("Silence means a refusal only if libcurl has described nothing")
  func silence() throws {
    let handle = try #require(EasyHandle())
    #expect(StreamRefusal(isShownBySilence: true).isMeant(by: handle))
    #expect(!StreamRefusal(isShownBySilence: false).isMeant(by: handle))
    #expect(!StreamRefusal.requiresHTTP1(handle))
  }
}

import Interception
import Testing
import WebSocketCompression

@testable import WebSockets

@Suite("The agreement on permessage-deflate")
struct CompressionAgreementTests {
  private typealias Compression = WebSocketConfiguration.Compression

  private static let separate: Compression = {
    var compression = Compression()
    compression.retainsContext = false
    return compression
  }()

  @Test("The offer names what the client does, and what the server must do")
  func offers() {
    #expect(CompressionAgreement.offer(of: Compression()) == "permessage-deflate; client_no_context_takeover")
    #expect(
      CompressionAgreement.offer(of: Self.separate)
        == "permessage-deflate; client_no_context_takeover; server_no_context_takeover")
  }

  @Test(
    "A selection with offered parameters is accepted",
    arguments: [
      ("permessage-deflate", true), ("Permessage-Deflate ; client_no_context_takeover", true),
      ("permessage-deflate; server_no_context_takeover", false),
      ("permessage-deflate;server_max_window_bits=9", true),
      ("permessage-deflate; server_max_window_bits=\"15\"; SERVER_no_context_takeover", false),
    ])
  func accepted(value: String, retainsContext: Bool) throws {
    let agreement = try CompressionAgreement.select(FieldList.members(of: value), offered: Compression())
    #expect(agreement?.retainsContext == retainsContext)
  }

  @Test("Without a selection there is no compression", arguments: ["", " , "])
  func declined(value: String) throws {
    let values = FieldList.members(of: value)
    #expect(try CompressionAgreement.select(values, offered: Compression()) == nil)
    #expect(try CompressionAgreement.select(values, offered: nil) == nil)
  }

  @Test(
    "A selection that was not offered, or is malformed, is refused",
    arguments: [
      "x-webkit-deflate-frame", "permessage-deflate, permessage-deflate",
      "permessage-deflate; client_max_window_bits=15", "permessage-deflate; unknown",
      "permessage-deflate; server_max_window_bits", "permessage-deflate; server_max_window_bits=7",
      "permessage-deflate; server_max_window_bits=16", "permessage-deflate; server_max_window_bits=09",
      "permessage-deflate; server_max_window_bits=\"\"", "permessage-deflate; server_no_context_takeover=1",
      "permessage-deflate; server_no_context_takeover; server_no_context_takeover", "permessage-deflate;",
    ])
  func refused(value: String) {
    #expect(throws: CompressionAgreement.Fault.self) {
      try CompressionAgreement.select(FieldList.members(of: value), offered: Compression())
    }
  }

  @Test("A server that keeps its context is refused where it must not")
  func context() throws {
    #expect(throws: CompressionAgreement.Fault.self) {
      try CompressionAgreement.select(["permessage-deflate"], offered: Self.separate)
    }
    let agreement = try CompressionAgreement.select(
      ["permessage-deflate; server_no_context_takeover"], offered: Self.separate)
    #expect(agreement?.retainsContext == false)
  }
}

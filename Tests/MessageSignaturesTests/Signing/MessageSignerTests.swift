import HTTPTypes
import Interception
import Testing

@testable import MessageSignatures

@Suite struct MessageSignerTests {
  private let key: MessageKey

  init() throws { key = try SignedMessage.key() }

  private let message = SignableMessage(
    HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/"))

  private func sign(_ options: MessageSignatureOptions, nonce: String? = nil) throws -> HTTPFields {
    HTTPFields(
      try MessageSigner(key: key, options: options).sign(message, at: SignedMessage.now, nonce: nonce))
  }

  @Test("The names of the fields are legal")
  func names() {
    #expect(MessageSignatureFields.signatureInput.rawName == "Signature-Input")
    #expect(MessageSignatureFields.signature.rawName == "Signature")
    #expect(MessageSignatureFields.contentDigest.rawName == "Content-Digest")
    #expect(MessageSignatureFields.representationDigest.rawName == "Repr-Digest")
  }

  @Test("Options determine the label, the parameters and what is covered")
  func options() throws {
    var options = MessageSignatureOptions(components: [.method, .queryParameter("a")])
    #expect(throws: MessageSignatureError(.missingComponent(.queryParameter("a")))) { try sign(options) }
    options.components = [.method]
    options.label = "my-sig"
    options.tag = "t"
    options.lifetime = .seconds(60)
    options.statesAlgorithm = false
    let fields = try sign(options, nonce: "n")
    #expect(
      fields[MessageSignatureFields.signatureInput]
        == "my-sig=(\"@method\");created=1700000000;expires=1700000060;keyid=\"app-1\";nonce=\"n\";tag=\"t\"")
    #expect(fields[MessageSignatureFields.signature]?.hasPrefix("my-sig=:") == true)
    #expect(fields[MessageSignatureFields.contentDigest] == nil)
  }

  @Test("The value of a signature is excluded from HPACK's dynamic table")
  func indexing() throws {
    #expect(try sign(.request).allSatisfy { $0.indexingStrategy == .disallow })
  }

  @Test("What would not be a legal field is refused")
  func illegal() throws {
    for label in ["", "Sig", "a b", "é"] {
      var options = MessageSignatureOptions.request
      options.label = label
      #expect(throws: MessageSignatureError(.malformedParameter("label")), "\(label)") { try sign(options) }
    }
    var options = MessageSignatureOptions.request
    options.tag = "a\nb"
    #expect(throws: MessageSignatureError(.malformedParameter("tag"))) { try sign(options) }
    #expect(throws: MessageSignatureError(.malformedParameter("nonce"))) { try sign(.request, nonce: "é") }
  }

  @Test("A quotation mark in a nonce is escaped, and read back")
  func escaping() throws {
    let signed = try SignedMessage(key: key, nonce: "a\"b\\c")
    let verifier = MessageVerifier(
      keys: MessageKeys(key), start: WallTime(secondsSince1970: 0), time: WallClock().time)
    #expect(try verifier.verify(signed.message).nonce == "a\"b\\c")
  }
}

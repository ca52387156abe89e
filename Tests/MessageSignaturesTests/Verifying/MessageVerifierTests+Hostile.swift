import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import MessageSignatures

/// Signatures that were cut, changed or made to cost time.
extension MessageVerifierTests {
  @Test("A truncated or re-ordered signature is refused")
  func truncated() throws {
    let signed = try SignedMessage(key: key)
    for count in 0..<signed.signature.utf8.count {
      var cut = signed
      cut.signature = String(signed.signature.prefix(count))
      #expect(throws: MessageSignatureError.self, "\(count)") { try verifier().verify(cut.message) }
    }
    for count in 0..<signed.input.utf8.count {
      var cut = signed
      cut.input = String(signed.input.prefix(count))
      #expect(throws: MessageSignatureError.self, "\(count)") { try verifier().verify(cut.message) }
    }
    var reversed = signed
    let base64 = signed.signature.dropFirst("sig1=:".count).dropLast(2)
    reversed.signature = "sig1=:\(String(base64.reversed())):"
    #expect(throws: MessageSignatureError.self) { try verifier().verify(reversed.message) }
  }

  @Test(
    "Times at the limits of integers are refused without overflow",
    arguments: [
      "-999999999999999", "999999999999999",
    ])
  func extremeTimes(_ time: String) throws {
    var signed = try SignedMessage(key: key)
    signed.input = signed.input.replacing("1700000000", with: time)
    #expect(throws: MessageSignatureError.self) { try verifier().verify(signed.message) }
  }

  @Test("No random change of a byte of the two fields is accepted, or ends the process")
  func randomChanges() throws {
    let signed = try SignedMessage(key: key)
    let verifier = verifier()
    var random = SeededRandom(seed: 9421)
    for _ in 0..<4_000 {
      var fields = signed.head.headerFields.map { (name: $0.name.canonicalName, value: Array($0.value.utf8)) }
      let index = try #require(
        fields.indices.filter { fields[$0].name.hasPrefix("signature") }.randomElement(using: &random))
      let place = Int.random(in: fields[index].value.indices, using: &random)
      let byte = UInt8.random(in: 0...0x7F, using: &random)
      guard byte != fields[index].value[place] else { continue }
      fields[index].value[place] = byte
      let changed = SignableMessage(
        method: "POST", target: signed.head.path ?? "",
        fields: [("host", "api.estate.example")]
          + fields.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) }, content: .bytes(signed.body))
      let text = String(decoding: fields[index].value, as: UTF8.self)
      #expect(throws: MessageSignatureError.self, "\(text)") { try verifier.verify(changed) }
    }
    #expect(throws: Never.self) { try verifier.verify(signed.message) }
  }

  @Test("A megabyte of Signature-Input is refused before it is parsed, and so are too many components")
  func oversized() throws {
    var signed = try SignedMessage(key: key)
    let input = signed.input
    signed.input = input + ";x=\"" + String(repeating: "y", count: 1 << 20) + "\""
    let rule = StructuredFieldError.Rule.tooLong.rawValue
    #expect(
      throws: MessageSignatureError(
        .malformedField(
          MessageSignatureFields.signatureInput, rule: rule, offset: 16_384))
    ) {
      try verifier().verify(signed.message)
    }
    let many = (0..<65).map { "\"x-\($0)\"" }.joined(separator: " ")
    signed.input = "sig1=(\(many));created=1700000000;keyid=\"app-1\";nonce=\"n\""
    #expect {
      try verifier().verify(signed.message)
    } throws: { "\($0)".contains(StructuredFieldError.Rule.tooManyMembers.rawValue) }
  }

  @Test("A signature that repeats a long field is refused at a bounded length of the base")
  func longBase() throws {
    let name = HTTPField.Name("x-long") ?? .accept
    let value =
      (0..<60).map { "k\($0)=1" }.joined(separator: ",") + ",z=" + String(repeating: "a", count: 60_000)
    var signed = try SignedMessage(key: key)
    signed.head.headerFields[name] = value
    signed.input =
      "sig1=(\"@method\" \"@authority\" \"@path\" \"@query\" \"authorization\" \"content-type\" "
      + "\"content-digest\" \"x-long\" \"x-long\";bs \"x-long\";key=\"z\" \"y-long\" \"y-long\";bs)"
      + ";created=1700000000;keyid=\"app-1\";nonce=\"n\""
    signed.head.headerFields[HTTPField.Name("y-long") ?? .accept] = value
    #expect(throws: MessageSignatureError(.baseTooLong(limit: SignatureBase.maximumLength))) {
      try verifier().verify(signed.message)
    }
  }

  @Test("C8: No error quotes a value of the message")
  func quietErrors() throws {
    var signed = try SignedMessage(key: key)
    signed.head.headerFields[.authorization] = "Bearer other-s3cret"
    signed.input = signed.input.replacing(";nonce=\"n0\"", with: ";nonce=\"n0\";x=s3cret;x=s3cret")
    for change in ["", "x"] {
      signed.signature += change
      #expect {
        try verifier().verify(signed.message)
      } throws: { error in
        let text = "\(error) \(String(reflecting: error))"
        return !text.contains("s3cret") && !text.contains("t0ken")
      }
    }
  }
}

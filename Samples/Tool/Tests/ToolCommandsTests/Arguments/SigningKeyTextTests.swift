import RequestSigning
import Testing
import ToolCommands

@Suite struct SigningKeyTextTests {
  @Test(
    "A key has its secret as text or as hexadecimal digits",
    arguments: [
      "demo:0123456789abcdef", "demo:0123456789abcdef\n", "demo:hex:30313233343536373839616263646566",
    ])
  func keys(text: String) throws {
    let key = try SigningKeyText.key(in: text, from: "a file")
    #expect(key.id == "demo")
    #expect(
      try key.fingerprint() == SigningKey(id: "demo", secret: Array("0123456789abcdef".utf8)).fingerprint())
  }

  @Test(
    "A faulty key is refused without its secret, as a wrong command line",
    arguments: [
      "", "secretsecret", "demo:secret", "demo:hex:secretsecret", "demo:hex:abc", "de,mo:secretsecretsecret",
      "demo:secretsecretsecret\nmore",
    ])
  func faults(text: String) {
    let failure = #expect(throws: ToolFailure.self) { try SigningKeyText.key(in: text, from: "FILE") }
    #expect(failure?.status == .usage)
    #expect(failure?.description.contains("The signing key in FILE ") == true)
    #expect(failure?.description.contains("secretsecret") == false)
  }
}

import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("The list of credential fields")
struct CredentialFieldsTests {
  private func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }

  @Test(
    "It has the fields of standards, of services and of this library, whatever their case",
    arguments: [
      "Authorization", "PROXY-Authorization", "WWW-Authenticate", "Cookie", "set-cookie", "DPoP", "X-API-Key",
      "x-auth-token", "X-Vault-Token", "X-CSRF-Token", "X-Amz-Security-Token", "Switchyard-Signature",
      "Switchyard-Something-New",
    ])
  func usual(text: String) throws {
    #expect(CredentialFields().contains(try name(text)))
    var fields = CredentialFields()
    fields.insert(try name(text))
    #expect(fields.isUsual && fields == CredentialFields())
    #expect(([text] as CredentialFields).contains(try name(text)))
  }

  @Test(
    "It doesn't have fields that carry no secret",
    arguments: [
      "Accept", "Content-Type", "ETag", "Host", "Location", "Server", "User-Agent", "X-Request-Id",
      "Switchyard", "Sec-WebSocket-Key", "Idempotency-Key", "Date",
    ])
  func others(text: String) throws { #expect(!CredentialFields().contains(try name(text))) }

  @Test("Added fields are in it, and lists are joined, whatever the case of the names")
  func added() throws {
    var fields: CredentialFields = ["X-Shop-Key"]
    fields.insert(try name("x-tenant-pass"))
    #expect(try fields.contains(name("x-shop-KEY")) && fields.contains(name("X-Tenant-Pass")))
    #expect(fields.contains(.authorization) && !fields.contains(.accept) && !fields.isUsual)
    var other = CredentialFields()
    other.formUnion(fields)
    #expect(other == fields)
  }

  @Test(
    "A pipeline refuses a text that is no field name",
    arguments: ["", "X Shop Key", "X-Shop-Key:", " X-Shop-Key", "Schlüssel", ":path"])
  func malformed(text: String) {
    let issue = #expect(throws: PipelineIssue.self) {
      _ = try Pipeline(over: ScriptedDispatcher(), credentialFields: ["X-Shop-Key", text]) {
        [any Interceptor]()
      }
    }
    #expect(issue?.faults == [.malformedCredentialField(text.lowercased())])
  }
}

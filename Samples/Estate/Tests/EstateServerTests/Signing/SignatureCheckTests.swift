import EstateServer
import HTTPServing
import HTTPTypes
import Testing

@Suite struct SignatureCheckTests {
  struct Refusing: RequestVerifying {
    let code: SignatureRefusal.Code
    func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {
      throw SignatureRefusal(code, "No.")
    }
  }

  @Test(
    "A refusal is 401 with its code, or 503 if the server is at fault",
    arguments: SignatureRefusal.Code.allCases)
  func refused(code: SignatureRefusal.Code) async throws {
    let reply = try await APICaller(verifier: Refusing(code: code)).get("/v1/houses")
    let isBusy = code == .verifierBusy
    #expect(reply.status == (isBusy ? .serviceUnavailable : .unauthorized))
    #expect(reply.errorCode == code.rawValue)
    #expect(reply.fields[.wwwAuthenticate] == (isBusy ? nil : "Signature realm=\"estate\""))
    #expect(reply.fields[.cacheControl] == "no-store")
  }

  @Test(
    "Without a verifier all paths but the help page are refused, in every spelling",
    arguments: [
      "/v1/houses", "/v1/homes/1", "/v1/session", "/v1/demo/error500", "/%761/houses", "//v1/houses",
      "/v1/../help.html", "/help.html/", "/", "/V1/houses",
    ])
  func failsClosed(path: String) async throws {
    let caller = try APICaller(verifier: nil)
    for method in [HTTPRequest.Method.get, .post, .head] {
      let reply = try await caller.call(method, path)
      #expect(reply.status == .unauthorized)
    }
  }

  @Test("The help page needs no signature")
  func help() async throws {
    let reply = try await APICaller(verifier: nil).get("/help.html")
    #expect(reply.status == .ok)
    #expect(reply.fields[.contentType] == "text/html; charset=utf-8")
    #expect(reply.text.contains(DemoAccount.user))
  }
}

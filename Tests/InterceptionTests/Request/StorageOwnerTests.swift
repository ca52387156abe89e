import HTTPTypes
import Interception
import Testing

@Suite("The owner of what is stored of a request")
struct StorageOwnerTests {
  private static func request(_ partition: String = "", _ fields: HTTPFields = [:]) -> Request {
    var request = Request(authority: "api.example", path: "/", headerFields: fields)
    request.context.partition = partition
    return request
  }

  /// Stands for a digest: the fields themselves.
  private func owner(_ request: Request) throws -> StorageOwner {
    try request.storageOwner { fields throws(NetworkError) in fields.joined(separator: "|") }
  }

  @Test("A request without an account and credentials has none")
  func none() throws {
    #expect(try owner(Self.request()) == .none)
    #expect(try owner(Self.request("", [.accept: "*/*"])) == .none)
  }

  @Test("Accounts have different owners with names of their own, whatever the credentials")
  func accounts() throws {
    let alice = try owner(Self.request("alice"))
    #expect(alice.digest == "account|alice" && alice.suffix == ".account|alice" && alice.isKnown)
    #expect(try owner(Self.request("alice", [.authorization: "Bearer 2"])) == alice)
    #expect(try owner(Self.request("bob")) != alice)
    #expect(try owner(Self.request().identified(as: .account("alice"))) == alice)
  }

  @Test(
    "Without an account, credentials in the request tell owners apart",
    arguments: [
      "Authorization", "Cookie", "Proxy-Authorization", "X-API-Key", "API-Key", "X-Auth-Token",
      "X-Access-Token",
    ])
  func credentials(name: String) throws {
    let field = try #require(HTTPField.Name(name))
    let (first, second) = (Self.request("", [field: "a"]), Self.request("", [field: "b"]))
    #expect(try owner(first) == owner(first) && owner(first) != owner(second))
    #expect(try owner(first) != .none && owner(first).suffix == "")
  }

  @Test("An unnamed login and cookies tell owners apart, and leave no names of their own")
  func logins() throws {
    let login = Request.Identity.unnamed()
    let identities: [Request.Identity] = [login, .unnamed(), .state(of: "a"), .state(of: "b")]
    let owners = try identities.map { try owner(Self.request().identified(as: $0)) }
    #expect(Set(owners.map(\.digest)).count == 4 && owners.allSatisfy { $0.suffix == "" && $0.isKnown })
    #expect(try owner(Self.request().identified(as: login)) == owners[0])
    #expect(try owner(Self.request().identified(as: .state(of: "a"))) == owners[2])
    #expect(try owner(Self.request("alice").identified(as: login)).suffix == ".account|alice")
  }

  @Test("An account that is not known is another owner with names of its own each time, unless it is set")
  func unknown() throws {
    let request = Self.request().identified(as: .unknown)
    let owner = try owner(request)
    let next = try self.owner(request)
    #expect(!owner.isKnown && owner != next && owner.suffix != next.suffix)
    #expect(owner.suffix.hasPrefix(".unknown|") && owner.suffix.count == 17)
    #expect(try self.owner(Self.request("alice").identified(as: .unknown)).isKnown)
  }

  @Test("A copy for another step of a transfer has the same login")
  func copies() {
    let first = Self.request().identified(as: .account("alice"))
    let copy = Request(first.head, context: first.context).identified(like: first)
    #expect(copy.identity == first.identity && copy.context.partition == "alice")
    #expect(Self.request().identified(like: Self.request()).identity == nil)
  }
}

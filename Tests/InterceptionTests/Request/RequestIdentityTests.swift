import Interception
import SwitchyardTesting
import Testing

@Suite("A request's identity")
struct RequestIdentityTests {
  private static func request(in partition: String = "") -> Request {
    var request = Request(authority: "api.example", path: "/")
    request.context.partition = partition
    return request
  }

  @Test("An account's name becomes the partition, unless the caller has set one")
  func partition() {
    let identity = Request.Identity.account("7")
    #expect(Self.request().identified(as: identity).context.partition == "7")
    #expect(Self.request(in: "mine").identified(as: identity).context.partition == "mine")
    #expect(Self.request().identified(as: identity).identified(as: identity).context.partition == "7")
  }

  @Test("Logins differ even for one account, and unnamed ones have partitions of their own")
  func logins() {
    let (first, second) = (Request.Identity.account("7"), Request.Identity.account("7"))
    #expect(first != second)
    #expect(Self.request().identified(as: first).identity != Self.request().identified(as: second).identity)
    let unnamed = Self.request().identified(as: .unnamed())
    #expect(unnamed.identity?.isLasting == false)
    #expect(unnamed.context.partition != Self.request().identified(as: .unnamed()).context.partition)
    #expect(Self.request(in: "mine").identified(as: .unnamed()).identity?.isLasting == true)
  }

  @Test("The partition of an unnamed login is random, as it is for an account with an empty name")
  func unnamed() {
    for identity in [Request.Identity.unnamed(), .account("")] {
      let partition = Self.request().identified(as: identity).context.partition
      // A number that every process counts from 1 would be that of another login in the next process.
      #expect(partition.utf8.count > 24 && !identity.isLasting)
    }
    #expect(!Self.request().identified(as: .account("")).hasUnknownIdentity)
  }

  @Test("A login is known by the interceptor that provided it, also when it gets the account's name")
  func replaced() {
    let (first, second) = (Request.Identity.newNumber(), Request.Identity.newNumber())
    let login = Request.Identity.unnamed().provided(by: first)
    let request = Self.request().identified(as: login).identified(as: .account("8").provided(by: second))
    let named = login.named("7")
    #expect(named.isSameAccount(as: login) && named != login && named.isLasting)
    #expect(!request.hasLogin(of: first, otherThan: login) && !request.hasLogin(of: first, otherThan: named))
    #expect(request.hasLogin(of: first, otherThan: .account("7")))
    #expect(request.hasLogin(of: second, otherThan: nil) && request.hasLogin(of: second, otherThan: login))
    #expect(!request.hasLogin(of: Request.Identity.newNumber(), otherThan: nil))
    #expect(request.identified(as: named).context.partition == request.context.partition)
  }

  @Test("A state of credentials is equal for equal values, and is neither a partition nor an account")
  func state() throws {
    let (first, second) = (Request.Identity.state(of: "id=1"), Request.Identity.state(of: "id=2"))
    #expect(first == .state(of: "id=1") && first != second && first.isLasting)
    let request = Self.request().identified(as: first)
    #expect(request.context.partition == "" && !request.hasUnknownIdentity)
    #expect(!request.hasDeferredCredentials && !Self.request().hasDeferredCredentials)
    let account = request.identified(as: .account("7"))
    #expect(account.context.partition == "7" && account.hasDeferredCredentials)
    #expect(Self.request(in: "mine").identified(as: first).context.partition == "mine")
    #expect(Self.request(in: "mine").identified(as: .unknown).hasDeferredCredentials)
    // The value may be a secret.
    #expect(!String(reflecting: first).contains("id=1"))
  }

  @Test("Two identities together are one of their own, and an unknown one is known by the caller's partition")
  func together() {
    let (first, second) = (Request.Identity.account("7"), Request.Identity.account("8"))
    let both = Self.request().identified(as: first).identified(as: second)
    #expect(!["7", "8", ""].contains(both.context.partition))
    #expect(both.identified(as: first).identity == both.identity)
    #expect(both.identity?.isLasting == false)
    #expect(Self.request().identified(as: .unknown).hasUnknownIdentity)
    #expect(Self.request().identified(as: first).identified(as: .unknown).hasUnknownIdentity)
    #expect(!Self.request(in: "mine").identified(as: .unknown).hasUnknownIdentity)
  }
}

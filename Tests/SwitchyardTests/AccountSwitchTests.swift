import Foundation
import HTTPTypes
import MessageSignatures
import Switchyard
import SwitchyardTesting
import Synchronization
import Testing
import VendorSignatures

/// Accounts that follow each other in one chain, or have several kinds of credentials.
@Suite("Accounts in one chain", .timeLimit(.minutes(5)))
struct AccountSwitchTests {
  /// The account that uses the app, and whose keys its sources provide.
  private final class Login: SigningKeySource, MessageKeySource, VendorCredentialSource {
    let user = Mutex("alice")
    private let isNamed: Bool

    init(isNamed: Bool = true) { self.isNamed = isNamed }

    var name: String { user.withLock(\.self) }

    func change(to name: String) { user.withLock { $0 = name } }

    /// The app is used without an account by a guest: the key is the app's own then.
    func identity(for request: Request) -> Request.Identity? {
      name == "guest" ? .app : isNamed ? .account(name) : nil
    }

    func signingKey(for request: Request) async throws -> SigningKey? {
      try SigningKey(id: name, secret: Array(repeating: 7, count: 32))
    }

    func messageKey(for request: Request) async throws -> MessageKey? {
      try MessageKey(id: name, sharedSecret: Array(repeating: 7, count: 32))
    }

    func credentials(replacing previous: VendorCredentials?) async throws -> VendorCredentials {
      try VendorCredentials(keyID: name, secret: "secret")
    }
  }

  private static let signers = [
    "SigningInterceptor", "MessageSigningInterceptor", "VendorSignatureInterceptor",
  ]

  private static func signer(_ name: String, _ login: Login) throws -> any Interceptor {
    switch name {
    case "SigningInterceptor": SigningInterceptor(keys: login)
    case "MessageSigningInterceptor": MessageSigningInterceptor(keys: login)
    default:
      VendorSignatureInterceptor(try AWSSignature(region: "eu-central-1", service: "s3"), from: login)
    }
  }

  /// A server that numbers its responses, fresh for ten minutes.
  private static func server(_ fields: HTTPFields = [:]) -> ScriptedDispatcher {
    ScriptedDispatcher { request, number throws(NetworkError) in
      if request.head.path == "/go" {
        return Response(status: .found, headerFields: [.location: "/private/me"])
      }
      var answer = fields
      answer[.cacheControl] = "max-age=600"
      answer[.date] = HTTPDate.format(.now())
      return Response(status: .ok, headerFields: answer, bytes: Array("private \(number)".utf8))
    }
  }

  private static func chain(
    over server: some Dispatcher, _ others: [any Interceptor],
    cache: CachingInterceptor = CachingInterceptor(defaultRule: .stated())
  ) throws -> Pipeline {
    try Pipeline(over: server) { (others + [cache]).sorted { $0.traits.stage < $1.traits.stage } }
  }

  private static func get(_ path: String = "/me") -> Request { Request(authority: "api.example", path: path) }

  private static func text(_ response: Response) async throws -> String {
    String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
  }

  /// The texts in the fields of a request that was signed.
  private static func fields(of request: Request) -> String {
    request.head.headerFields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }

  @Test("Beside a signer's key, other credentials of the request still tell accounts apart")
  func severalKinds() async throws {
    let key = try SigningKey(id: "app", secret: Array(repeating: 7, count: 32))
    let server = Self.server()
    let chain = try Self.chain(over: server, [SigningInterceptor(key: key)])
    for name in ["Cookie", "Authorization", "X-Api-Key"] {
      let before = server.requests.count
      let field = try #require(HTTPField.Name(name))
      for user in ["alice", "bob", "alice", "bob"] {
        var request = Self.get()
        request.head.headerFields[field] = user
        _ = try await chain.send(request)
      }
      #expect(server.requests.count == before + 2, "\(name)")
    }
  }

  @Test("A scheme without an identity beside a signer's key: each token gets responses of its own")
  func unknownScheme() async throws {
    struct Scheme: AuthorizationScheme {
      let login: Login
      func credentials(for request: Request) async throws -> Credentials? { try Credentials(login.name) }
    }
    let (server, login) = (Self.server(), Login())
    let key = try SigningKey(id: "app", secret: Array(repeating: 7, count: 32))
    let authorization = try AuthorizationInterceptor(Scheme(login: login), for: ["api.example"])
    let chain = try Self.chain(over: server, [authorization, SigningInterceptor(key: key)])
    for (user, count) in [("alice", 1), ("bob", 2), ("alice", 2), ("bob", 2)] {
      login.change(to: user)
      _ = try await chain.send(Self.get())
      #expect(server.requests.count == count)
    }
  }

  @Test("After a login the other account's key signs, and its responses are stored apart", arguments: signers)
  func newLogin(name: String) async throws {
    let (server, login) = (Self.server(), Login())
    let chain = try Self.chain(over: server, [Self.signer(name, login)])
    for (user, text) in [("alice", "private 1"), ("bob", "private 2"), ("alice", "private 1")] {
      login.change(to: user)
      #expect(try await Self.text(chain.send(Self.get())) == text)
    }
    #expect(server.requests.count == 2)
    for (user, request) in zip(["alice", "bob"], server.requests) {
      #expect(Self.fields(of: request).contains(user), "\(Self.fields(of: request))")
    }
  }

  @Test(
    "A request whose account is replaced before it leaves is not signed for the other one", arguments: signers
  )
  func replaced(name: String) async throws { try await checkReplaced(name: name, former: "alice") }

  @Test(
    "A request that has entered with the app's own key is not signed for a login since", arguments: signers)
  func guest(name: String) async throws { try await checkReplaced(name: name, former: "guest") }

  private func checkReplaced(name: String, former: String) async throws {
    let (server, login) = (Self.server(), Login())
    login.change(to: former)
    let change = InlineInterceptor("Change", stage: Stage(rank: 340, name: "change")) { request, next in
      login.change(to: "bob")
      return try await next.dispatch(request)
    }
    let chain = try Self.chain(over: server, [change, Self.signer(name, login)])
    let error = await #expect(throws: NetworkError.self) { _ = try await chain.send(Self.get()) }
    #expect(error?.kind == .rejected && error?.requestMayHaveBeenProcessed == false)
    #expect(error?.reason.contains("has been replaced") == true)
    #expect(server.requests.isEmpty)
  }

  @Test(
    "A redirect into the limit of a signer leads to the account's own stored response", arguments: signers)
  func redirected(name: String) async throws {
    let (server, login) = (Self.server(), Login())
    let signer = try Self.signer(name, login).only(
      for: .where { $0.head.path?.hasPrefix("/private") == true })
    let chain = try Self.chain(over: server, [SharingInterceptor(), RedirectInterceptor(), signer])
    for user in ["alice", "bob", "alice"] {
      login.change(to: user)
      _ = try await chain.send(Self.get("/go"))
    }
    let answers = server.requests.filter { $0.head.path == "/private/me" }
    #expect(answers.count == 2)
    for (user, request) in zip(["alice", "bob"], answers) {
      #expect(Self.fields(of: request).contains(user))
    }
  }

  @Test(
    "A step that leads a request into the limit of a signer: each account gets its own response",
    arguments: signers)
  func rewritten(name: String) async throws {
    let (server, login) = (Self.server(), Login())
    let rewriter = InlineInterceptor("Rewriter", stage: Stage(rank: 340, name: "rewriting")) {
      request, next in
      var request = request
      request.head.path = "/private/me"
      return try await next.dispatch(request)
    }
    let signer = try Self.signer(name, login).only(
      for: .where { $0.head.path?.hasPrefix("/private") == true })
    let chain = try Self.chain(over: server, [rewriter, signer])
    for (user, count) in [("alice", 1), ("bob", 2), ("alice", 2)] {
      login.change(to: user)
      _ = try await chain.send(Self.get("/public"))
      #expect(server.requests.count == count)
    }
  }

  @Test("Requests that a redirect may lead to a signer of different accounts share no transfer")
  func pendingTransfers() async throws {
    let (hold, arrived) = (WaitableValue(false), WaitableValue(0))
    let login = Login()
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in
      arrived.update { $0 += 1 }
      _ = try? await hold.wait { $0 }
      return Response(status: .ok)
    }
    let signer = try Self.signer("SigningInterceptor", login).only(for: .where { $0.head.path == "/private" })
    let chain = try Self.chain(over: server, [SharingInterceptor(), signer])
    async let first = chain.send(Self.get("/go"))
    _ = try await arrived.wait { $0 == 1 }
    login.change(to: "bob")
    async let second = chain.send(Self.get("/go"))
    _ = try await arrived.wait { $0 == 2 }
    hold.update { $0 = true }
    _ = try await (first, second)
  }

  @Test("Two requests of an unknown signer at the same time are two transfers", arguments: signers)
  func unknownTransfers(name: String) async throws {
    let (hold, arrived) = (WaitableValue(false), WaitableValue(0))
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in
      arrived.update { $0 += 1 }
      _ = try? await hold.wait { $0 }
      return Response(status: .ok, headerFields: [.cacheControl: "max-age=600"])
    }
    let signer = try Self.signer(name, Login(isNamed: false))
    let chain = try Self.chain(over: server, [SharingInterceptor(), signer])
    async let first = chain.send(Self.get())
    async let second = chain.send(Self.get())
    _ = try await arrived.wait { $0 == 2 }
    hold.update { $0 = true }
    _ = try await (first, second)
  }

  @Test("What a POST of an unknown signer returns is not stored for retrievals", arguments: signers)
  func posted(name: String) async throws {
    let (server, login) = (Self.server([.contentLocation: "/me"]), Login(isNamed: false))
    let chain = try Self.chain(over: server, [Self.signer(name, login)])
    var post = Self.get()
    post.head.method = .post
    _ = try await chain.send(post)
    login.change(to: "bob")
    #expect(try await Self.text(chain.send(Self.get())) == "private 2")
  }

  @Test("Responses to the holder of a key are stored in memory only, also those to a POST")
  func memoryOnly() async throws {
    let disk = Disk()
    let server = Self.server([.contentLocation: "/me"])
    let key = try SigningKey(id: "alice", secret: Array(repeating: 7, count: 32))
    let layered = try Self.chain(
      over: server, [SigningInterceptor(key: key)],
      cache: CachingInterceptor(memory: MemoryStore(), store: disk, defaultRule: .stated()))
    var post = Self.get()
    post.head.method = .post
    _ = try await layered.send(post)
    #expect(try await layered.send(Self.get()).exchange.cache?.isHit == true)
    _ = try await layered.send(Self.get("/other"))
    #expect(try await layered.send(Self.get("/other")).exchange.cache?.isHit == true)
    #expect(disk.count == 0)
    let plain = try Self.chain(
      over: server, [],
      cache: CachingInterceptor(memory: MemoryStore(), store: disk, defaultRule: .stated()))
    _ = try await plain.send(Self.get("/plain"))
    #expect(disk.count == 1)
  }

  /// Stands for a store on a disk, which declines responses that are for memory only.
  private final class Disk: ResponseStore {
    private let responses = Mutex<[StoredResponse]>([])

    var count: Int { responses.withLock { $0.count } }

    func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? { nil }

    func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
      guard !response.isInMemoryOnly else { return false }
      responses.withLock { $0.append(response) }
      return true
    }

    func remove(_ selection: CacheSelection) async -> Int { 0 }
  }

  @Test(
    "A signature that an app adds before the cache belongs to an unknown account, also beside a signer",
    arguments: ["alone", "limited", "holder"])
  func ownSignature(other: String) async throws {
    let (server, login) = (Self.server(), Login())
    let key = try SigningKey(id: "app", secret: Array(repeating: 7, count: 32))
    let others: [any Interceptor] =
      switch other {
      case "limited": [SigningInterceptor(keys: login).only(for: .where { $0.head.path == "/private" })]
      case "holder": [SigningInterceptor(key: key)]
      default: []
      }
    let signature = try #require(HTTPField.Name("Signature-Input"))
    let signer = InlineInterceptor("Own", stage: .signing) { request, next in
      var request = request
      request.head.headerFields[signature] = "keyid=\"\(login.name)\""
      return try await next.dispatch(request)
    }
    let chain = try Self.chain(over: server, others + [signer])
    _ = try await chain.send(Self.get())
    login.change(to: "bob")
    #expect(try await Self.text(chain.send(Self.get())) == "private 2")
    #expect(try await Self.text(chain.send(Self.get())) == "private 3")
  }

  @Test("A recorder between two chains knows the accounts and the fields of the inner one")
  func recorder() async throws {
    let (server, login) = (Self.server(), Login())
    let inner = try Pipeline(over: server, credentialFields: ["X-Shop-Key"]) {
      SigningInterceptor(keys: login)
    }
    let folder = FileManager.default.temporaryDirectory
    let recorder = RecordingDispatcher(over: inner, to: folder.appending(path: "none.json").path)
    let chain = try Self.chain(over: recorder, [])
    var request = Self.get()
    request.head.headerFields[try #require(HTTPField.Name("X-Shop-Key"))] = "a-key-of-the-shop"
    for (user, text) in [("alice", "private 1"), ("bob", "private 2")] {
      login.change(to: user)
      #expect(try await Self.text(chain.send(request)) == text)
    }
    let recorded = "\(recorder.cassette)"
    #expect(recorded.contains("X-Shop-Key") && !recorded.contains("a-key-of-the-shop"))
  }
}

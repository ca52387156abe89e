import HTTPTypes
import MessageSignatures
import Switchyard
import SwitchyardTesting
import Synchronization
import Testing
import VendorSignatures

/// Two accounts whose chains have the same cache, for each way in which a request gets credentials.
@Suite("Accounts that share a cache", .timeLimit(.minutes(5)))
struct AccountSeparationTests {
  /// How a request gets credentials.
  enum Way: CaseIterable {
    case schemeField
    case schemeFieldOfApp
    case callerField
    case callerFieldOfApp
    case interceptorFieldOfApp
    case interceptorOwnField
    case appSigning
    case messageSigning
    case oauth1
    case aws
    case aliyun
    case parameterDigest

    /// The fields that the app declares.
    var declared: CredentialFields {
      switch self {
      case .callerFieldOfApp, .interceptorFieldOfApp: ["X-Shop-Key"]
      default: []
      }
    }
  }

  /// A scheme that doesn't know the account.
  private struct Key: AuthorizationScheme {
    let key: Credentials
    func credentials(for request: Request) async throws -> Credentials? { key }
  }

  /// A server whose responses are numbered.
  private final class Server: Dispatcher {
    let capabilities: DispatcherCapabilities = []
    let control: String
    let requests = Mutex<[Request]>([])
    let isFailing = Mutex(false)

    init(_ control: String) { self.control = control }

    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      let number = requests.withLock { requests in
        requests.append(request)
        return requests.count
      }
      guard !isFailing.withLock({ $0 }) else { return Response(status: .internalServerError) }
      let fields = request.head.headerFields
      if fields.contains(.ifNoneMatch) {
        return Response(status: .notModified, headerFields: [.eTag: "\"v\""])
      }
      var answer: HTTPFields = [.cacheControl: control, .eTag: "\"v\"", .date: HTTPDate.format(.now())]
      let content = Array("private \(number)".utf8)
      // Without its length a stored response answers no request for a range.
      answer[.contentLength] = String(content.count)
      return Response(status: .ok, headerFields: answer, bytes: content)
    }

    var count: Int { requests.withLock { $0.count } }
  }

  private static func secret(_ user: String) -> String { "secret-of-\(user)-0123456789abcdef" }

  private static func interceptor(_ way: Way, _ user: String) throws -> (any Interceptor)? {
    let secret = secret(user)
    switch way {
    case .schemeField, .schemeFieldOfApp:
      let name = try #require(HTTPField.Name(way == .schemeField ? "X-Api-Key" : "X-Members"))
      return try AuthorizationInterceptor(Key(key: Credentials(secret, in: name)), for: ["api.example"])
    case .callerField, .callerFieldOfApp: return nil
    case .interceptorFieldOfApp, .interceptorOwnField:
      let name = try #require(HTTPField.Name("X-Shop-Key"))
      return InlineInterceptor("Key", stage: .authorization) { request, next in
        var request = request
        request.head.headerFields[name] = secret
        if way == .interceptorOwnField { request.context.credentialFields.insert(name) }
        return try await next.dispatch(request)
      }
    case .appSigning: return SigningInterceptor(key: try SigningKey(id: user, secret: Array(secret.utf8)))
    case .messageSigning:
      return MessageSigningInterceptor(
        key: try MessageKey(id: user, sharedSecret: Array(secret.utf8)))
    case .oauth1:
      return VendorSignatureInterceptor(
        try OAuth1Signature(
          clientKey: "shop", method: .hmacSHA256(clientSecret: "client", tokenSecret: secret), token: user))
    case .aws:
      return VendorSignatureInterceptor(
        try AWSSignature(region: "eu-central-1", service: "s3"),
        with: try VendorCredentials(keyID: user, secret: secret))
    case .aliyun:
      return VendorSignatureInterceptor(
        try AliyunSignature(version: "2014-05-26"), with: try VendorCredentials(keyID: user, secret: secret))
    case .parameterDigest:
      return VendorSignatureInterceptor(try InsecureParameterDigest(.get, apiKey: user, secret: secret))
    }
  }

  private static func chain(
    _ way: Way, _ user: String, over server: Server, _ cache: CachingInterceptor
  ) throws -> Pipeline {
    let all = try [interceptor(way, user), cache].compactMap(\.self)
    return try Pipeline(over: server, credentialFields: way.declared) {
      all.sorted { $0.traits.stage < $1.traits.stage }
    }
  }

  private static func request(_ way: Way, _ user: String) throws -> Request {
    var request = Request(authority: "api.example", path: "/me")
    if way == .aliyun { request.head.headerFields[Self.action] = "DescribeMe" }
    if way == .callerField {
      request.head.headerFields[try #require(HTTPField.Name("X-Auth-Token"))] = secret(user)
    }
    if way == .callerFieldOfApp {
      request.head.headerFields[try #require(HTTPField.Name("X-Shop-Key"))] = secret(user)
    }
    return request
  }

  /// The field that Aliyun's signature requires.
  private static let action = HTTPField.Name("x-acs-action") ?? .from

  private static func text(_ response: Response) async throws -> String {
    String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
  }

  @Test("A fresh response is used for its own account, and no other", arguments: Way.allCases)
  func fresh(way: Way) async throws {
    let server = Server("max-age=600")
    let cache = CachingInterceptor(defaultRule: .stated())
    let (alice, bob) = try (
      Self.chain(way, "alice", over: server, cache), Self.chain(way, "bob", over: server, cache)
    )
    let (hers, his) = try (Self.request(way, "alice"), Self.request(way, "bob"))
    #expect(try await Self.text(alice.send(hers)) == "private 1")
    #expect(try await Self.text(bob.send(his)) == "private 2")
    #expect(try await Self.text(alice.send(hers)) == "private 1")
    #expect(try await Self.text(bob.send(his)) == "private 2")
    #expect(server.count == 2)
  }

  @Test(
    "A stale response is neither confirmed nor used instead of a failure for another account",
    arguments: Way.allCases)
  func stale(way: Way) async throws {
    let server = Server("max-age=0, stale-if-error=600, stale-while-revalidate=600")
    let cache = CachingInterceptor(defaultRule: .stated())
    let (alice, bob) = try (
      Self.chain(way, "alice", over: server, cache), Self.chain(way, "bob", over: server, cache)
    )
    #expect(try await Self.text(alice.send(Self.request(way, "alice"))) == "private 1")
    #expect(try await Self.text(bob.send(Self.request(way, "bob"))) == "private 2")
    let conditions = server.requests.withLock { $0.map { $0.head.headerFields.contains(.ifNoneMatch) } }
    #expect(conditions == [false, false])
    server.isFailing.withLock { $0 = true }
    let carol = try Self.chain(way, "carol", over: server, cache)
    #expect(try await carol.send(Self.request(way, "carol")).status == .internalServerError)
    #expect(try await Self.text(alice.send(Self.request(way, "alice"))) == "private 1")
  }

  @Test("A stored response answers no other account's request for a range", arguments: Way.allCases)
  func range(way: Way) async throws {
    let server = Server("max-age=600")
    let cache = CachingInterceptor(defaultRule: .stated())
    let alice = try Self.chain(way, "alice", over: server, cache)
    let bob = try Self.chain(way, "bob", over: server, cache)
    _ = try await alice.send(Self.request(way, "alice"))
    var his = try Self.request(way, "bob")
    his.head.headerFields[.range] = "bytes=0-6"
    #expect(try await Self.text(bob.send(his)) == "private 2")
    var hers = try Self.request(way, "alice")
    hers.head.headerFields[.range] = "bytes=0-6"
    #expect(try await Self.text(alice.send(hers)) == "private")
    #expect(server.count == 2)
  }

  /// Sources of keys that don't know the account.
  private struct Source: SigningKeySource, MessageKeySource, VendorCredentialSource {
    let user: String

    func signingKey(for request: Request) async throws -> SigningKey? {
      try SigningKey(id: user, secret: Array(secret(user).utf8))
    }
    func messageKey(for request: Request) async throws -> MessageKey? {
      try MessageKey(id: user, sharedSecret: Array(secret(user).utf8))
    }
    func credentials(replacing previous: VendorCredentials?) async throws -> VendorCredentials {
      try VendorCredentials(keyID: user, secret: secret(user))
    }
    func identity(for request: Request) -> Request.Identity? { nil }
  }

  private static func sources(_ user: String) throws -> [any Interceptor] {
    [
      SigningInterceptor(keys: Source(user: user)), MessageSigningInterceptor(keys: Source(user: user)),
      VendorSignatureInterceptor(
        try AWSSignature(region: "eu-central-1", service: "s3"), from: Source(user: user)),
      VendorSignatureInterceptor(try AliyunSignature(version: "2014-05-26"), from: Source(user: user)),
    ]
  }

  @Test("Of responses to an unknown signer only public ones are stored", arguments: 0..<4)
  func unknownSigner(index: Int) async throws {
    for (control, count) in [("max-age=600", 4), ("public, max-age=600", 1)] {
      let server = Server(control)
      let cache = CachingInterceptor(defaultRule: .stated())
      for user in ["alice", "bob"] {
        let signer = try Self.sources(user)[index]
        let chain = try Pipeline(over: server) {
          SharingInterceptor()
          [signer, cache].sorted { $0.traits.stage < $1.traits.stage }
        }
        #expect(chain.notices.count == 1 && chain.notices[0].contains("identity(for:)"))
        for _ in 0..<2 { _ = try await chain.send(Self.request(.aliyun, user)) }
      }
      #expect(server.count == count, "\(control)")
    }
  }

  @Test("With the app's own credentials all users get one stored response, as without any")
  func app() async throws {
    struct AppKey: AuthorizationScheme {
      func credentials(for request: Request) async throws -> Credentials? { try Credentials("key=app") }
      func identity(for request: Request) -> Request.Identity? { .app }
    }
    let key = try SigningKey(id: "app", secret: Array(Self.secret("app").utf8))
    let message = try MessageKey(id: "app", sharedSecret: Array(Self.secret("app").utf8))
    let vendor = try VendorCredentials(keyID: "app", secret: Self.secret("app"))
    let aws = try AWSSignature(region: "eu-central-1", service: "s3")
    let digest = try InsecureParameterDigest(.get, apiKey: "app", secret: "secret")
    let all: [any Interceptor] = [
      try AuthorizationInterceptor(AppKey(), for: ["api.example"]),
      SigningInterceptor(key: key, identity: .app), MessageSigningInterceptor(key: message, identity: .app),
      VendorSignatureInterceptor(aws, with: vendor, identity: .app),
      VendorSignatureInterceptor(digest, identity: .app),
    ]
    for interceptor in all {
      let server = Server("max-age=600")
      let cache = CachingInterceptor(defaultRule: .stated())
      let chain = try Pipeline(over: server) {
        SharingInterceptor()
        [interceptor, cache].sorted { $0.traits.stage < $1.traits.stage }
      }
      let plain = try Pipeline(over: server) { cache }
      #expect(chain.notices.isEmpty)
      for pipeline in [chain, chain, plain] {
        #expect(
          try await Self.text(pipeline.send(Request(authority: "api.example", path: "/me"))) == "private 1")
      }
    }
  }

  @Test("An account names the partition, and the signer's key does not")
  func signedAccount() async throws {
    let server = Server("max-age=600")
    let cache = CachingInterceptor(defaultRule: .stated())
    let request = Request(authority: "api.example", path: "/me")
    var last: Pipeline?
    for device in ["phone", "tablet"] {
      let member = try AuthorizationInterceptor(
        BearerAuthorization(AccessToken("t"), account: "alice"), for: ["api.example"])
      let key = try SigningKey(id: device, secret: Array(Self.secret(device).utf8))
      let chain = try Pipeline(over: server) {
        member
        SigningInterceptor(key: key)
        cache
      }
      #expect(try await Self.text(chain.send(request)) == "private 1")
      last = chain
    }
    #expect(server.count == 1)
    await cache.wipe(partition: "alice")
    #expect(try await Self.text(#require(last).send(request)) == "private 2")
  }
}

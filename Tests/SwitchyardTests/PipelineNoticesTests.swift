import Foundation
import InMemoryLogging
import MessageSignatures
import Switchyard
import SwitchyardTesting
import Testing
import VendorSignatures

@Suite("The notices of a pipeline", .timeLimit(.minutes(5)))
struct PipelineNoticesTests {
  private static let secret = "a secret of at least 32 characters"

  /// A scheme that doesn't know whose key it has.
  private struct Key: AuthorizationScheme {
    func credentials(for request: Request) async throws -> Credentials? { try Credentials("key") }
  }

  @Test("A scheme without an identity is reported once, when the chain is created, and logged")
  func notice() throws {
    let log = InMemoryLogHandler()
    let logger = Logger(label: "test") { _ in log }
    let keys = try AuthorizationInterceptor(Key(), for: ["api.example"])
    let chain = try Pipeline(over: ScriptedDispatcher()) {
      keys
      CachingInterceptor()
      LoggingInterceptor(logger: logger)
    }
    #expect(chain.notices.count == 1)
    #expect(chain.notices[0].hasPrefix("AuthorizationInterceptor: The scheme Key doesn't say whose"))
    #expect(log.entries.map { "\($0.message)" } == ["chain notice"])
    let plain = try Pipeline(over: ScriptedDispatcher()) {
      keys
      LoggingInterceptor(logger: logger)
    }
    #expect(plain.notices.isEmpty && log.entries.count == 1)
  }

  /// Keeps nothing, but not in memory.
  private struct Disk: ResponseStore {
    func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? { nil }
    func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
      false
    }
    func remove(_ selection: CacheSelection) async -> Int { 0 }
  }

  /// A scheme of an app's own, whose login has no name.
  private struct UnnamedKey: AuthorizationScheme {
    let login = Request.Identity.unnamed()
    func credentials(for request: Request) async throws -> Credentials? { try Credentials("key") }
    func identity(for request: Request) -> Request.Identity? { login }
  }

  private static func authorization(_ scheme: some AuthorizationScheme) throws -> any Interceptor {
    try AuthorizationInterceptor(scheme, for: ["api.example"])
  }

  private static func unnamed() throws -> [(any Interceptor, remedy: String)] {
    let key = try SigningKey(id: "a", secret: Array(Self.secret.utf8))
    return [
      (try authorization(BearerAuthorization(AccessToken("t"))), "replaceToken(with:account:)"),
      (
        try authorization(BearerAuthorization(AccessToken("t"))).only(for: .authority("api.example")),
        "replaceToken(with:account:)"
      ),
      (
        try authorization(BasicAuthorization(user: "u", password: "p")), "give BasicAuthorization the account"
      ),
      (
        try authorization(DigestAuthorization(user: "u", password: "p")),
        "give DigestAuthorization the account"
      ),
      (try authorization(UnnamedKey()), "from identity(for:) of UnnamedKey"),
      (SigningInterceptor(key: key), "identity: .account(_:)"),
      (
        MessageSigningInterceptor(key: try MessageKey(id: "a", sharedSecret: Array(Self.secret.utf8))),
        "identity: .account(_:)"
      ),
      (
        VendorSignatureInterceptor(
          try AWSSignature(region: "eu-central-1", service: "s3"),
          with: try VendorCredentials(keyID: "a", secret: Self.secret)), "identity: .account(_:)"
      ),
    ]
  }

  private static func chain(_ parts: any Interceptor...) throws -> Pipeline {
    try Pipeline(over: ScriptedDispatcher()) { parts.sorted { $0.traits.stage < $1.traits.stage } }
  }

  @Test(
    "A login without a name is reported if the chain keeps something beyond the process", arguments: 0..<8)
  func unnamedLogin(index: Int) throws {
    let (interceptor, remedy) = try Self.unnamed()[index]
    for memory in [nil, MemoryStore()] {
      let notices = try Self.chain(interceptor, CachingInterceptor(memory: memory, store: Disk())).notices
      #expect(notices.count == 1)
      #expect(notices.first?.hasPrefix("\(interceptor.name): Its login has no account name") == true)
      #expect(notices.first?.contains("CachingInterceptor writes none of them") == true)
      #expect(notices.first?.contains(remedy) == true)
    }
    #expect(try Self.chain(interceptor, CachingInterceptor()).notices.isEmpty)
    #expect(try Self.chain(interceptor).notices.isEmpty)
  }

  @Test("A login without a name is reported for cookies in a file, and not for cookies in memory")
  func unnamedLoginWithCookies() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "cookies-\(UUID())").path
    let member = try Self.authorization(BearerAuthorization(AccessToken("t")))
    let kept = CookieInterceptor(CookieStore(file: path) { _ in })
    #expect(
      try Self.chain(member, kept).notices.first?.contains("CookieInterceptor writes none of them") == true)
    #expect(try Self.chain(member, CookieInterceptor()).notices.isEmpty)
  }

  @Test("No login is reported that has a name, is the app's, or has yet to begin")
  func namedLogin() throws {
    let disk = CachingInterceptor(store: Disk())
    let key = try SigningKey(id: "a", secret: Array(Self.secret.utf8))
    let named = try Self.authorization(BearerAuthorization(AccessToken("t"), account: "ann"))
    let pending = try Self.authorization(BearerAuthorization(from: NoTokens()))
    #expect(try Self.chain(named, disk).notices.isEmpty)
    #expect(try Self.chain(pending, disk).notices.isEmpty)
    #expect(try Self.chain(SigningInterceptor(key: key, identity: .app), disk).notices.isEmpty)
    // The account determines where responses are stored, now or after the login.
    #expect(try Self.chain(named, SigningInterceptor(key: key), disk).notices.isEmpty)
    #expect(try Self.chain(pending, SigningInterceptor(key: key), disk).notices.isEmpty)
    let unnamed = try Self.authorization(BearerAuthorization(AccessToken("t")))
    #expect(try Self.chain(unnamed, SigningInterceptor(key: key), disk).notices.count == 1)
  }

  private struct NoTokens: TokenSource {
    func token(replacing previous: AccessToken?) async throws -> AccessToken {
      throw AuthorizationError(.needsLogin)
    }
  }
}

import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResponseCaching

@Suite struct CollapsedUseTests {
  private static let now = CacheInstant(wall: CacheFixture.start, steady: .zero)

  private static func permits(
    _ code: Int, _ fields: HTTPFields = [:], rule: CacheRule = .timed(.seconds(60)),
    sharing: CacheSharing = .private, to request: Request = .houses()
  ) -> Bool {
    let response = Response(status: HTTPResponse.Status(code: code), headerFields: fields, bytes: [1])
    return CollapsedUse.permits(response, to: request, rule: rule, sharing: sharing, now: now)
  }

  @Test(
    "A fresh response and an error are used, a refusal of credentials and a partial response aren't",
    arguments: [
      (200, true), (204, true), (404, true), (429, true), (500, true), (503, true), (401, false),
      (407, false), (206, false), (304, false), (103, false),
    ])
  func statuses(_ code: Int, _ isUsed: Bool) {
    #expect(Self.permits(code) == isUsed)
  }

  @Test(
    "A response that must not be stored or used again isn't used",
    arguments: [
      ([.cacheControl: "no-store"], false), ([.cacheControl: "no-cache"], false),
      ([.cacheControl: "max-age=0"], false), ([.vary: "*"], false), ([.vary: "Accept, *"], false),
      ([.vary: "Accept"], true), ([.cacheControl: "max-age=1"], true),
      ([.cacheControl: "max-age=9", .age: "9"], false),
    ] as [(HTTPFields, Bool)])
  func fields(_ fields: HTTPFields, _ isUsed: Bool) {
    #expect(Self.permits(200, fields) == isUsed)
    // An error needs no lifetime.
    #expect(Self.permits(503, [.cacheControl: "max-age=0"]))
    #expect(!Self.permits(503, [.cacheControl: "no-store"]))
  }

  @Test("Under the rule stated, a response without a lifetime isn't used")
  func stated() {
    #expect(!Self.permits(200, rule: .stated()))
    #expect(Self.permits(200, [.cacheControl: "max-age=1"], rule: .stated()))
  }

  @Test("In a shared cache, a private response and one to credentials aren't used")
  func shared() {
    let personal = Request.houses(fields: [.authorization: "Bearer a"])
    #expect(Self.permits(200, [.cacheControl: "private"]))
    #expect(!Self.permits(200, [.cacheControl: "private"], sharing: .shared))
    #expect(Self.permits(200, sharing: .shared))
    #expect(!Self.permits(200, sharing: .shared, to: personal))
    #expect(Self.permits(200, [.cacheControl: "public"], sharing: .shared, to: personal))
  }

  @Test("A stream, which has one reader, isn't used")
  func stream() {
    let response = Response(
      HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, ScriptedByteSource([]))))
    #expect(
      !CollapsedUse.permits(response, to: .houses(), rule: .timed(), sharing: .private, now: Self.now))
  }
}

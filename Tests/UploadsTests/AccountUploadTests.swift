import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing
import Uploads

@Suite("Uploads of one file by several accounts", .timeLimit(.minutes(5)))
struct AccountUploadTests {
  /// How a request is known to be of an account.
  enum Way: String, CaseIterable, Sendable {
    case partition, identity, token, unnamedLogin, cookieState

    func provider(_ account: String) -> IdentifyingInterceptor {
      switch self {
      case .identity: IdentifyingInterceptor(.account(account))
      case .unnamedLogin: IdentifyingInterceptor(.unnamed())
      case .cookieState: IdentifyingInterceptor(.state(of: account))
      case .partition, .token: IdentifyingInterceptor(nil)
      }
    }

    /// Whether an account's record remains while another account uploads.
    var keepsBoth: Bool { self == .partition || self == .identity }
  }

  private let fixture: UploadFixture

  init() throws { fixture = try UploadFixture() }

  private func upload(_ way: Way?, _ account: String, recordPath: String? = nil) -> FileUpload {
    var request = Request(method: .post, authority: "a.example", path: "/files")
    switch way {
    case .partition: request.context.partition = account
    case .token: request.head.headerFields[.authorization] = "Bearer \(account)"
    case .identity, .unnamedLogin, .cookieState, nil: break
    }
    return FileUpload(
      request, from: fixture.path, by: .tus(), recordPath: recordPath, policy: .oneAttempt,
      time: TimeSource(fixture.clock))
  }

  private func chain(_ provider: IdentifyingInterceptor, _ service: UploadService) throws -> Pipeline {
    try Pipeline(over: service) { provider }
  }

  private func interrupt(_ upload: FileUpload, _ provider: IdentifyingInterceptor, _ service: UploadService)
    async throws
  {
    service.next("PATCH", .breakOff(after: 40))
    let result = await upload.result(over: try chain(provider, service))
    #expect(result.error?.kind == .transport && service.content?.count == 40)
  }

  @Test("An unfinished upload of one account does not go on for another one", arguments: Way.allCases)
  func resumed(way: Way) async throws {
    let (alice, bob) = (way.provider("alice"), way.provider("bob"))
    let service = UploadService(.tus())
    try await interrupt(upload(way, "alice"), alice, service)
    let outcome = try await upload(way, "bob").run(over: try chain(bob, service))
    #expect(outcome.resumedFrom == 0 && service.createdCount == 2)
    #expect(service.log.suffix(3) == ["OPTIONS", "POST", "PATCH 0"])
    let rest = try await upload(way, "alice").run(over: try chain(alice, service))
    #expect(rest.resumedFrom == (way.keepsBoth ? 40 : 0))
    #expect(try fixture.names == ["chart.bin"])
  }

  @Test("A run that creates no upload leaves the record of another account", arguments: Way.allCases)
  func failed(way: Way) async throws {
    let (alice, bob) = (way.provider("alice"), way.provider("bob"))
    let service = UploadService(.tus())
    try await interrupt(upload(way, "alice"), alice, service)
    let name = try #require(try fixture.names.first { $0 != "chart.bin" })
    let before = try (fixture.names, fixture.read(name))
    let offline = ScriptedDispatcher { _, _ throws(NetworkError) in
      throw NetworkError(.connect, "Offline.")
    }
    let failure = await upload(way, "bob").result(over: try Pipeline(over: offline) { bob })
    #expect(failure.error?.kind == .connect)
    #expect(try fixture.names == before.0 && fixture.read(name) == before.1)
    service.next("POST", .status(403))
    #expect(await upload(way, "bob").result(over: try chain(bob, service)).error?.kind == .rejected)
    #expect(try fixture.names == before.0 && fixture.read(name) == before.1)
    #expect(try await upload(way, "alice").run(over: try chain(alice, service)).resumedFrom == 40)
  }

  @Test("An upload that is complete when it is created leaves the record of another account")
  func empty() async throws {
    let service = UploadService(.tus())
    try await interrupt(upload(.token, "alice"), IdentifyingInterceptor(nil), service)
    let before = try fixture.read("chart.bin.upload")
    try fixture.write([])
    #expect(try await upload(.token, "bob").run(over: service).length == 0)
    #expect(try fixture.read("chart.bin.upload") == before)
  }

  @Test("Discarding leaves the upload and the record of another account", arguments: Way.allCases)
  func discarded(way: Way) async throws {
    let (alice, bob) = (way.provider("alice"), way.provider("bob"))
    let service = UploadService(.tus())
    try await interrupt(upload(way, "alice"), alice, service)
    let (before, sent) = (try fixture.names, service.log)
    #expect(before.count == 2)
    try await upload(way, "bob").discardUnfinished(over: try chain(bob, service))
    #expect(try fixture.names == before && service.log == sent && service.uploadCount == 1)
    #expect(try await upload(way, "alice").run(over: try chain(alice, service)).resumedFrom == 40)
  }

  @Test("An account discards its own upload", arguments: Way.allCases)
  func discardedByOwner(way: Way) async throws {
    let alice = way.provider("alice")
    let service = UploadService(.tus())
    try await interrupt(upload(way, "alice"), alice, service)
    try await upload(way, "alice").discardUnfinished(over: try chain(alice, service))
    #expect(try service.log.last == "DELETE" && service.uploadCount == 0 && fixture.names == ["chart.bin"])
  }

  @Test(
    "A record has neither the account's name nor a credential, in its name or content",
    arguments: Way.allCases)
  func digests(way: Way) async throws {
    let service = UploadService(.tus())
    try await interrupt(upload(way, "alice@example.com"), way.provider("alice@example.com"), service)
    let names = try fixture.names.filter { $0 != "chart.bin" }
    #expect(names.count == 1)
    for name in names {
      #expect(!name.contains("alice") && name.hasPrefix("chart.bin.upload"))
      let text = try fixture.read(name)
      #expect(!text.contains("alice") && text.contains("\nowner "))
    }
  }

  @Test("A record without an owner is not used for an account, also with a path of its own")
  func formerRecords() async throws {
    for path in [nil, fixture.path + ".mine"] {
      let service = UploadService(.tus())
      try await interrupt(upload(nil, "", recordPath: path), IdentifyingInterceptor(nil), service)
      let before = try fixture.names
      let bob = upload(.partition, "bob", recordPath: path)
      #expect(try await bob.run(over: service).resumedFrom == 0)
      try await bob.discardUnfinished(over: service)
      #expect(try fixture.names == before && !service.log.contains("DELETE"))
      // The service's last upload is that of bob.
      let outcome = try await upload(nil, "", recordPath: path).run(over: service)
      #expect(outcome.resumedFrom == 40)
    }
  }

  @Test("If an interceptor can't tell whose credentials it adds, an upload has no record")
  func unknown() async throws {
    let unknown = IdentifyingInterceptor(.unknown)
    let service = UploadService(.tus())
    try await interrupt(upload(nil, ""), unknown, service)
    #expect(try fixture.names == ["chart.bin"])
    #expect(try await upload(nil, "").run(over: try chain(unknown, service)).resumedFrom == 0)
    // The record of a request without credentials is left alone.
    try await interrupt(upload(nil, ""), IdentifyingInterceptor(nil), service)
    let before = try fixture.names
    #expect(try await upload(nil, "").run(over: try chain(unknown, service)).resumedFrom == 0)
    try await upload(nil, "").discardUnfinished(over: try chain(unknown, service))
    #expect(try fixture.names == before && before.count == 2)
    // Also if the URL of the upload without a record is refused.
    let text = try fixture.read("chart.bin.upload")
    let strict = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.method != .head else { throw NetworkError(.invalidRequest, "The URL is too long.") }
      return try await service.dispatch(request)
    }
    let patient = FileUpload(
      Request(method: .post, authority: "a.example", path: "/"), from: fixture.path, by: .tus(),
      recordPath: fixture.recordPath,
      policy: UploadPolicy(failureLimit: 2, firstWait: .zero, maximumWait: .zero))
    service.next("PATCH", .breakOff(after: 40))
    let refused = await patient.result(over: try Pipeline(over: strict) { unknown })
    #expect(refused.fault == .invalidLocation)
    #expect(try fixture.names == before && fixture.read("chart.bin.upload") == text)
  }

  @Test("All requests of a run are of the login with which it began")
  func pinned() async throws {
    let provider = IdentifyingInterceptor(.account("alice"))
    let service = UploadService(.tus())
    let switching = ScriptedDispatcher { request, _ throws(NetworkError) in
      provider.use(.account("bob"))
      return try await service.dispatch(request)
    }
    _ = try await upload(nil, "").run(over: try Pipeline(over: switching) { provider })
    #expect(switching.requests.count == 3)
    for request in switching.requests.dropFirst() {
      // An interceptor that adds credentials refuses it by this.
      #expect(request.hasLogin(of: 0, otherThan: .account("bob")))
    }
  }
}

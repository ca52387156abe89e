import Downloads
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("Downloads of several accounts to one path", .timeLimit(.minutes(5)))
struct AccountDownloadTests {
  /// How a request is known to be of an account.
  enum Way: String, CaseIterable, Sendable {
    case partition, identity, token, cookie, key, unnamedLogin, cookieState

    /// Returns a request of an account, and a pipeline that knows it.
    func request(of account: String) -> Request {
      var request = Request(authority: "a.example", path: "/file")
      switch self {
      case .partition: request.context.partition = account
      case .token: request.head.headerFields[.authorization] = "Bearer \(account)"
      case .cookie: request.head.headerFields[.cookie] = "id=\(account)"
      case .key:
        if let name = HTTPField.Name("X-API-Key") { request.head.headerFields[name] = account }
      case .identity, .unnamedLogin, .cookieState: break
      }
      return request
    }

    func provider(_ account: String) -> IdentifyingInterceptor {
      switch self {
      case .identity: IdentifyingInterceptor(.account(account))
      case .unnamedLogin: IdentifyingInterceptor(.unnamed())
      case .cookieState: IdentifyingInterceptor(.state(of: account))
      case .partition, .token, .cookie, .key: IdentifyingInterceptor(nil)
      }
    }

    /// Whether an account's unfinished file remains while another account downloads.
    var keepsBoth: Bool { self == .partition || self == .identity }
  }

  private static let hers = (0..<100).map { UInt8($0) }
  private static let his = (0..<100).map { UInt8($0 + 100) }
  private let folder: DownloadFolder

  init() throws { folder = try DownloadFolder() }

  private func download(_ request: Request, parts: Int = 1) -> FileDownload {
    var download = FileDownload(
      request, to: folder.target, policy: DownloadPolicy(failureLimit: 1, parts: parts))
    download.minimumPart = 10
    return download
  }

  private func chain(_ provider: IdentifyingInterceptor, _ server: RangeServer) throws -> Pipeline {
    try Pipeline(over: server) { provider }
  }

  private func digest(in name: String) throws -> String? {
    String(decoding: try folder.read(name), as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("owner ") }.map(String.init)
  }

  @Test("A complete file of one account is not confirmed for another one", arguments: Way.allCases)
  func confirmed(way: Way) async throws {
    let (alice, bob) = (way.provider("alice"), way.provider("bob"))
    let first = RangeServer(Self.hers)
    _ = try await download(way.request(of: "alice")).run(over: try chain(alice, first))
    #expect(try await download(way.request(of: "alice")).run(over: try chain(alice, first)).isUnchanged)
    // The same tag for other bytes.
    let second = RangeServer(Self.his)
    let outcome = try await download(way.request(of: "bob")).run(over: try chain(bob, second))
    #expect(!outcome.isUnchanged && outcome.length == 100)
    #expect(second.requests.map { $0.head.headerFields[.ifNoneMatch] } == [nil])
    #expect(try folder.read() == Self.his)
    let again = try await download(way.request(of: "alice")).run(over: try chain(alice, first))
    #expect(try !again.isUnchanged && folder.read() == Self.hers)
  }

  @Test(
    "An unfinished file of one account is not finished for another one, in one part or several",
    arguments: Way.allCases, [1, 3])
  func resumed(way: Way, parts: Int) async throws {
    let (alice, bob) = (way.provider("alice"), way.provider("bob"))
    let first = RangeServer(Self.hers, breaksAfter: 15)
    await #expect(throws: NetworkError.self) {
      try await download(way.request(of: "alice"), parts: parts).run(over: try chain(alice, first))
    }
    let second = RangeServer(Self.his)
    let outcome = try await download(way.request(of: "bob")).run(over: try chain(bob, second))
    #expect(outcome.resumedFrom == 0 && second.ranges == [nil])
    #expect(try folder.read() == Self.his)
    first.change { $0.breaksAfter = nil }
    let rest = try await download(way.request(of: "alice"), parts: parts).run(over: try chain(alice, first))
    #expect((rest.resumedFrom > 0) == way.keepsBoth)
    #expect(try folder.read() == Self.hers && folder.names == [".file.bin.version", "file.bin"])
  }

  /// The bytes of all files in the folder.
  private func contents() throws -> [String: [UInt8]] {
    Dictionary(uniqueKeysWithValues: try folder.names.map { ($0, try folder.read($0)) })
  }

  /// How a run ends before it has received a byte of the file.
  enum Ending: Sendable, CaseIterable {
    case offline, notFound, unavailable, contradiction

    func response() throws(NetworkError) -> Response {
      switch self {
      case .offline: throw NetworkError(.connect, "Offline.")
      case .notFound: return Response(HTTPResponse(status: .notFound))
      case .unavailable: return Response(HTTPResponse(status: .serviceUnavailable))
      case .contradiction:
        return Response(HTTPResponse(status: .partialContent, headerFields: [.contentRange: "bytes 7-1/2"]))
      }
    }
  }

  @Test(
    "A run that receives no byte of the file leaves the unfinished file and the record of another account",
    arguments: Way.allCases, Ending.allCases)
  func failed(way: Way, ending: Ending) async throws {
    let (alice, bob) = (way.provider("alice"), way.provider("bob"))
    let first = RangeServer(Self.hers, breaksAfter: 90)
    await #expect(throws: NetworkError.self) {
      try await download(way.request(of: "alice")).run(over: try chain(alice, first))
    }
    let before = try contents()
    #expect(before.count == 2 && before.values.contains { $0.count == 90 })
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in try ending.response() }
    let pipeline = try Pipeline(over: server) { bob }
    await #expect(throws: NetworkError.self) {
      try await download(way.request(of: "bob")).run(over: pipeline)
    }
    #expect(!server.requests.isEmpty)
    #expect(try contents() == before)
    first.change { $0.breaksAfter = nil }
    let rest = try await download(way.request(of: "alice")).run(over: try chain(alice, first))
    #expect(try rest.resumedFrom == 90 && folder.read() == Self.hers)
  }

  @Test("Discarding leaves the unfinished file of another account", arguments: Way.allCases)
  func discarded(way: Way) async throws {
    let (alice, bob) = (way.provider("alice"), way.provider("bob"))
    let server = RangeServer(Self.hers, breaksAfter: 30)
    await #expect(throws: NetworkError.self) {
      try await download(way.request(of: "alice")).run(over: try chain(alice, server))
    }
    let before = try folder.names
    #expect(before.count == 2)
    try download(way.request(of: "bob")).discardUnfinished(over: try chain(bob, server))
    #expect(try folder.names == before)
    server.change { $0.breaksAfter = nil }
    // The same account resumes it.
    let outcome = try await download(way.request(of: "alice")).run(over: try chain(alice, server))
    #expect(outcome.resumedFrom == 30)
  }

  @Test("An account discards its own unfinished file", arguments: Way.allCases)
  func discardedByOwner(way: Way) async throws {
    let alice = way.provider("alice")
    let server = RangeServer(Self.hers, breaksAfter: 30)
    await #expect(throws: NetworkError.self) {
      try await download(way.request(of: "alice")).run(over: try chain(alice, server))
    }
    try download(way.request(of: "alice")).discardUnfinished(over: try chain(alice, server))
    #expect(try folder.names == [])
  }

  @Test("Files have neither the account's name nor a credential", arguments: Way.allCases)
  func digests(way: Way) async throws {
    let alice = way.provider("alice@example.com")
    let server = RangeServer(Self.hers, breaksAfter: 30)
    let request = way.request(of: "alice@example.com")
    await #expect(throws: NetworkError.self) {
      try await download(request).run(over: try chain(alice, server))
    }
    server.change { $0.breaksAfter = nil }
    let note = try #require(try folder.names.first { $0.hasSuffix(".info") })
    let owner = try #require(try digest(in: note))
    #expect(owner.utf8.count == "owner ".utf8.count + 64)
    for name in try folder.names {
      #expect(!name.contains("alice"))
      #expect(try !String(decoding: folder.read(name), as: UTF8.self).contains("alice"))
    }
    _ = try await download(request).run(over: try chain(alice, server))
    #expect(try folder.names == [".file.bin.version", "file.bin"])
    #expect(try digest(in: ".file.bin.version") == owner)
    #expect(try !String(decoding: folder.read(".file.bin.version"), as: UTF8.self).contains("alice"))
  }

  @Test("Records without an owner are not used for an account")
  func formerRecords() async throws {
    let server = RangeServer(Self.hers, breaksAfter: 30)
    let anonymous = Request(authority: "a.example", path: "/file")
    await #expect(throws: NetworkError.self) { try await download(anonymous).run(over: server) }
    let before = try folder.names
    #expect(before == ["file.bin.part", "file.bin.part.info"])
    server.change { $0.breaksAfter = nil }
    let outcome = try await download(Way.partition.request(of: "bob")).run(over: server)
    #expect(outcome.resumedFrom == 0)
    // What belongs to no account is left for a request without one.
    #expect(try folder.names == [".file.bin.version", "file.bin"] + before.sorted())
    #expect(try await download(anonymous).run(over: server).resumedFrom == 30)
  }

  @Test("If an interceptor can't tell whose credentials it adds, nothing is kept for the next run")
  func unknown() async throws {
    let unknown = IdentifyingInterceptor(.unknown)
    let request = Request(authority: "a.example", path: "/file")
    let server = RangeServer(Self.hers, breaksAfter: 30)
    await #expect(throws: NetworkError.self) {
      try await download(request).run(over: try chain(unknown, server))
    }
    #expect(try folder.names == [])
    server.change { $0.breaksAfter = nil }
    for _ in 0..<2 {
      let outcome = try await download(request).run(over: try chain(unknown, server))
      #expect(!outcome.isUnchanged && outcome.resumedFrom == 0)
      #expect(try folder.names == ["file.bin"])
    }
    #expect(server.ranges == [nil, nil, nil])
    // The run itself resumes.
    server.change { ($0.breaksAfter, $0.breaks) = (30, 1) }
    let patient = FileDownload(
      request, to: folder.target, policy: DownloadPolicy(firstWait: .zero, maximumWait: .zero))
    #expect(try await patient.run(over: try chain(unknown, server)).failures == 1)
    #expect(server.ranges.last == "bytes=30-")
  }

  @Test("A run that keeps nothing leaves the unfinished file of a request without credentials")
  func unknownBeside() async throws {
    let request = Request(authority: "a.example", path: "/file")
    let first = RangeServer(Self.hers, breaksAfter: 30)
    await #expect(throws: NetworkError.self) { try await download(request).run(over: first) }
    let before = try contents()
    #expect(before.keys.sorted() == ["file.bin.part", "file.bin.part.info"])
    let unknown = IdentifyingInterceptor(.unknown)
    let second = RangeServer(Self.his, breaksAfter: 40)
    let offline = ScriptedDispatcher { _, _ throws(NetworkError) in
      throw NetworkError(.connect, "Offline.")
    }
    await #expect(throws: NetworkError.self) {
      try await download(request).run(over: try Pipeline(over: offline) { unknown })
    }
    #expect(try contents() == before)
    await #expect(throws: NetworkError.self) {
      try await download(request).run(over: try chain(unknown, second))
    }
    #expect(try contents() == before)
    try download(request).discardUnfinished(over: try chain(unknown, second))
    #expect(try contents() == before)
    second.change { $0.breaksAfter = nil }
    let outcome = try await download(request).run(over: try chain(unknown, second))
    #expect(outcome.resumedFrom == 0)
    var after = before
    after["file.bin"] = Self.his
    #expect(try contents() == after)
    first.change { $0.breaksAfter = nil }
    #expect(try await download(request).run(over: first).resumedFrom == 30)
    #expect(try folder.read() == Self.hers)
  }

  @Test("Records and versions can be read by their owner only", arguments: Way.allCases)
  func permissions(way: Way) async throws {
    let alice = way.provider("alice")
    let server = RangeServer(Self.hers, breaksAfter: 30)
    func mode(_ name: String) throws -> Int? {
      let path = folder.url.appending(path: name).path
      return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    await #expect(throws: NetworkError.self) {
      try await download(way.request(of: "alice")).run(over: try chain(alice, server))
    }
    #expect(try mode(try #require(folder.names.first { $0.hasSuffix(".info") })) == 0o600)
    server.change { $0.breaksAfter = nil }
    _ = try await download(way.request(of: "alice")).run(over: try chain(alice, server))
    #expect(try mode(".file.bin.version") == 0o600)
  }

  @Test("All requests of a run are of the login with which it began")
  func pinned() async throws {
    let provider = IdentifyingInterceptor(.account("alice"))
    let server = RangeServer(Self.hers, breaksAfter: 30)
    server.change { $0.breaks = 1 }
    let switching = ScriptedDispatcher { request, number throws(NetworkError) in
      provider.use(.account("bob"))
      return try await server.dispatch(request)
    }
    let patient = FileDownload(
      Request(authority: "a.example", path: "/file"), to: folder.target,
      policy: DownloadPolicy(firstWait: .zero, maximumWait: .zero))
    _ = try await patient.run(over: try Pipeline(over: switching) { provider })
    let partitions = switching.requests.map { $0.context.partition }
    #expect(partitions.count == 2 && partitions.allSatisfy { $0.contains("alice") })
    // An interceptor that adds credentials refuses the second one by this.
    #expect(switching.requests.last?.hasLogin(of: 0, otherThan: .account("bob")) == true)
  }
}

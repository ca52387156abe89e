#if SQLite
import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SQLiteStores
import SwitchyardTesting
import Synchronization

@testable import ResponseCaching

/// A folder for a store, and responses whose bodies tell by themselves whether they are intact.
struct StoreFixture: Sendable {
  let folder: TemporaryFolder
  let faults = Faults()

  /// The faults that the stores of a fixture have reported.
  final class Faults: Sendable {
    private let state = Mutex<[DiskFault.Kind]>([])
    func add(_ fault: DiskFault) { state.withLock { $0.append(fault.kind) } }
    var kinds: [DiskFault.Kind] { state.withLock { $0 } }
  }

  init() throws { folder = try TemporaryFolder(prefix: "responses") }

  /// The wall clock's start: Sun, 06 Nov 1994 08:49:37 GMT.
  static let start = WallTime(secondsSince1970: 784_111_777)

  var path: String { folder.url.appending(path: "cache").path }
  var database: URL { URL(filePath: path + "/responses.sqlite") }
  var bodies: [URL] {
    let folder = URL(filePath: path + "/bodies")
    return (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
  }

  /// Whether any file of the folder contains these bytes.
  func holds(_ bytes: [UInt8]) -> Bool {
    let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)
    return (files?.allObjects as? [URL] ?? []).contains { file in
      (try? Data(contentsOf: file))?.range(of: Data(bytes)) != nil
    }
  }

  func store(_ limits: SQLiteResponseStore.Limits = .init()) -> SQLiteResponseStore {
    SQLiteResponseStore(directory: path, limits: limits) { [faults] in faults.add($0) }
  }

  static func now(after seconds: Int64 = 0) -> CacheInstant {
    CacheInstant(wall: start.advanced(by: .seconds(seconds)), steady: nil)
  }

  static func request(
    _ number: Int, partition: String = "anna", service: String = "estate", api: String = "houses.list",
    fields: HTTPFields = [:]
  ) -> Request {
    var request = Request(
      method: .get, authority: "api.estate.example", path: "/v1/houses?page=\(number)", headerFields: fields)
    request.context.partition = partition
    request.context.api = APIIdentity(service: service, name: api)
    return request
  }

  static func key(_ request: Request) -> CacheKey {
    guard let key = CacheKey(request, leavingOut: .standard) else { preconditionFailure("No SHA-256.") }
    return key
  }

  /// A body of a size that begins with its number and is the same at each call.
  static func body(_ number: Int, size: Int) -> [UInt8] {
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
    var bytes = Array("\(number) ".utf8)
    let length = max(size, bytes.count)
    bytes.reserveCapacity(length + 8)
    while bytes.count < length {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      withUnsafeBytes(of: state ^ state >> 32) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(length))
  }

  static func response(
    _ request: Request, _ body: [UInt8], fields: HTTPFields = [:], lifetime: Duration = .seconds(60),
    tags: Set<CacheRule.Tag> = [], isInMemoryOnly: Bool = false
  ) throws -> StoredResponse {
    let head = HTTPResponse(status: .ok, headerFields: fields)
    let selector = VariantSelector(of: head, to: request.head.headerFields, leavingOut: .standard)
    return StoredResponse(
      key: key(request), selector: selector ?? VariantSelector(names: [], digest: nil), head: head,
      body: body,
      trailers: nil, freshness: Freshness(received: now(), initialAge: .zero, lifetime: lifetime),
      tags: tags, isInMemoryOnly: isInMemoryOnly)
  }
}

extension SQLiteResponseStore {
  /// Stores a response to a request.
  @discardableResult
  func keep(
    _ request: Request, _ body: [UInt8], fields: HTTPFields = [:], lifetime: Duration = .seconds(60),
    tags: Set<CacheRule.Tag> = [], isInMemoryOnly: Bool = false, after seconds: Int64 = 0
  ) async throws -> Bool {
    await store(
      try StoreFixture.response(
        request, body, fields: fields, lifetime: lifetime, tags: tags, isInMemoryOnly: isInMemoryOnly),
      requestFields: request.head.headerFields, at: StoreFixture.now(after: seconds))
  }

  func body(_ request: Request) async -> [UInt8]? {
    await response(for: StoreFixture.key(request), requestFields: request.head.headerFields)?.body
  }
}
#endif

import CommandRunning
import Foundation
import HTTPTypes
import Interception
import Synchronization

@testable import WebPages

/// Keys made for these tests, which protect nothing.
enum PageKeys {
  static let privateKey = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIGAMB4o9OyKknTT301mT8oQ9F/aAyABwlVh8hoDt26LJ
    -----END PRIVATE KEY-----

    """
  static let publicKey = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEA3xjFpKwJ/KmSldvOG72e7fVJLCOUhkKjv6JJqHgSBp4=
    -----END PUBLIC KEY-----

    """
  /// The private key of a stranger.
  static let otherPrivateKey = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIMS33Gsry2L33D0Hgg9Kc5gXEeMCFsr1xbGiTdX+dRmR
    -----END PRIVATE KEY-----

    """
  static let p256PrivateKey = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIPTO87nUmZL8sy6eRyfwZjWraCZFP4PH0qtmDmXy4C0RoAoGCCqGSM49
    AwEHoUQDQgAEejB2O/BB2bvtbmadq8lBySGJPkao9xmCgBtVJWYe6pgw9c3K5YYa
    pjUtmQVlRu6e495hmXZ2ISunTCAMOQxCNA==
    -----END EC PRIVATE KEY-----

    """
  static let p256PublicKey = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEejB2O/BB2bvtbmadq8lBySGJPkao
    9xmCgBtVJWYe6pgw9c3K5YYapjUtmQVlRu6e495hmXZ2ISunTCAMOQxCNA==
    -----END PUBLIC KEY-----

    """
}

/// A store of packages in a folder of its own, which is removed with the fixture.
///
/// A suite keeps it as a property, as a store alone does not keep its folder.
struct PageStoreFixture {
  static let site = "www.estate.example"
  /// Three blocks, of which the last one is shorter.
  static let video = (0..<(2 * PageManifest.blockSize + 1_000)).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(prefix: "pages") }

  var path: String { folder.url.appending(path: "\(Self.site).pages").path }

  func store() throws -> PagePackageStore {
    try PagePackageStore(folder: folder.url.path, site: Self.site, trusting: [PageKeys.publicKey])
  }

  /// A package whose files name its version.
  static func package(
    _ version: Int, site: String = site, key: String = PageKeys.privateKey, text: String? = nil
  ) throws -> [UInt8] {
    var package = try PagePackage(site: site, version: version)
    try package.add(
      "loan/index.html", type: "text/html; charset=utf-8", Array((text ?? "version \(version)").utf8))
    try package.add("loan/style.css", type: "text/css", Array("body {}".utf8))
    try package.add("empty.txt", type: "text/plain", [])
    try package.add("video.mp4", type: "video/mp4", video)
    return try package.signed(withPrivateKeyPEM: key)
  }

  func bytesOnDisk() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

  func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }
}

/// A web view's request for a page.
func pageRequest(
  _ path: String = "/loan/", method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:],
  body: RequestBody = .empty, navigates: Bool = false
) -> Request {
  var fields = fields
  if navigates { fields[.accept] = "text/html,*/*" }
  return Request(
    method: method, scheme: "estate-page", authority: PageStoreFixture.site, path: path, headerFields: fields,
    body: body)
}

extension NetworkError {
  static let noNetwork = NetworkError(.offline, "There is no network.")
}

extension Response {
  func text() async throws -> String {
    String(decoding: try await body.collect(upTo: 1 << 24), as: UTF8.self)
  }
}

/// Records what a web view is given.
@MainActor final class RecordedLoad {
  private(set) var head: HTTPResponse?
  private(set) var chunks: [[UInt8]] = []
  /// A word for each event.
  private(set) var events: [String] = []
  private(set) var error: NetworkError?
  var text: String { String(decoding: chunks.joined(), as: UTF8.self) }
  var isEnded: Bool { events.last == "finished" || events.last == "failed" }

  func receive(_ event: PageLoad.Event) {
    switch event {
    case .head(let head):
      self.head = head
      events.append("head")
    case .bytes(let bytes):
      chunks.append(bytes)
      events.append("bytes")
    case .finished: events.append("finished")
    case .failed(let error):
      self.error = error
      events.append("failed")
    }
  }
}

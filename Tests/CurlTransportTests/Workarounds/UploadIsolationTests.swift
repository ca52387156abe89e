import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct UploadIsolationTests {
  private static let old = LoadedLibrary(version: LibraryVersion(7, 88, 1))
  private static let new = LoadedLibrary(version: LibraryVersion(8, 1))

  private func isolation(
    _ body: RequestBody, scheme: String = "https", library: LoadedLibrary = old, isMultiplexed: Bool? = nil
  ) throws -> UploadIsolation {
    let request = Request(
      method: .put, scheme: scheme, authority: "home.test", path: "/", body: body)
    let plan = try RequestPlan(request, sites: SiteCache(.init(userAgent: nil)))
    return UploadIsolation(for: plan, library: library, isMultiplexed: isMultiplexed)
  }

  private func bytes(_ count: Int) -> RequestBody { .bytes([UInt8](repeating: 0, count: count)) }

  @Test("Uploads within the initial window are sent to the end, longer ones have their own connection")
  func lengths() throws {
    #expect(try isolation(bytes(1)) == .sentToEnd)
    #expect(try isolation(bytes(65_535)) == .sentToEnd)
    #expect(try isolation(bytes(65_536)) == .ownConnection)
    #expect(try isolation(.once(length: 10, PatternSource(length: 10))) == .sentToEnd)
    #expect(try isolation(.once(length: 65_536, PatternSource(length: 65_536))) == .ownConnection)
    #expect(try isolation(.once(length: nil, PatternSource(length: 10))) == .ownConnection)
  }

  @Test("A request without content is not isolated")
  func noContent() throws {
    #expect(try isolation(.empty) == .none)
  }

  @Test("Nothing is isolated where connections carry one request at a time")
  func notMultiplexed() throws {
    #expect(try isolation(bytes(65_536), scheme: "http") == .none)
    #expect(try isolation(bytes(65_536), isMultiplexed: false) == .none)
    #expect(try isolation(bytes(65_536), isMultiplexed: true) == .ownConnection)
  }

  @Test("libcurl 8.1 and newer isolate nothing")
  func newerLibrary() throws {
    #expect(try isolation(.once(length: nil, PatternSource(length: 10)), library: Self.new) == .none)
  }
}

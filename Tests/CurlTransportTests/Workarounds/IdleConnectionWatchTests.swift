import Testing

@testable import CurlTransport

@Suite struct IdleConnectionWatchTests {
  @Test("libcurl needs its idle connections watched before 8.1, and again from 8.21")
  func versions() {
    for version in [LibraryVersion(7, 88), .init(7, 88, 1), .init(8, 0, 1), .init(8, 21), .init(8, 23)] {
      #expect(IdleConnectionWatch.isNeeded(by: LoadedLibrary(version: version)))
    }
    for version in [LibraryVersion(8, 1), .init(8, 5), .init(8, 14, 1), .init(8, 20, 9)] {
      #expect(!IdleConnectionWatch.isNeeded(by: LoadedLibrary(version: version)))
    }
  }
}

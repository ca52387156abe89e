import Testing

@testable import CurlTransport

@Suite struct IdleConnectionWatchTests {
  @Test("Only libcurl before 8.1 needs its idle connections watched")
  func versions() {
    for version in [LibraryVersion(7, 88), .init(7, 88, 1), .init(8, 0, 1)] {
      #expect(IdleConnectionWatch.isNeeded(by: LoadedLibrary(version: version)))
    }
    for version in [LibraryVersion(8, 1), .init(8, 5), .init(8, 14, 1)] {
      #expect(!IdleConnectionWatch.isNeeded(by: LoadedLibrary(version: version)))
    }
  }
}

import Testing

@testable import CurlTransport

@Suite struct ZeroIdleTimeTests {
  @Test(
    "From libcurl 8.15 on, where zero means no limit, the minimum is a second",
    arguments: [
      (LibraryVersion(7, 88), Duration.zero, 0), (.init(8, 14, 1), .zero, 0),
      (.init(8, 14, 1), .seconds(2), 2),
      (.init(8, 15), .zero, 1), (.init(8, 23), .milliseconds(900), 1), (.init(8, 23), .seconds(118), 118),
    ])
  func values(version: LibraryVersion, idle: Duration, seconds: Int) {
    #expect(ZeroIdleTime.seconds(of: idle, for: LoadedLibrary(version: version)) == seconds)
  }
}

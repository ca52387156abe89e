import CLibcurl
import Foundation
import Testing

/// Which libcurl the tests of this process ran on; Scripts/test runs them on two.
@Suite struct LoadedLibraryTests {
  /// The version that the running step promises, such as "8.14"; nil where no step promises one.
  private static let expected = ProcessInfo.processInfo.environment["SWITCHYARD_EXPECTED_LIBCURL"]

  @Test("H10: the tests run on libcurl 7.88 or newer, and on the version that their step names")
  func version() throws {
    // Such as "libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13".
    let words = String(cString: curl_version()).split { $0 == "/" || $0 == " " }
    let loaded = try #require(words.dropFirst().first)
    let numbers = loaded.split(separator: ".").prefix(2).compactMap { Int($0) }
    try #require(numbers.count == 2, "libcurl calls itself \(loaded)")
    #expect((numbers[0], numbers[1]) >= (7, 88), "libcurl \(loaded) is loaded")
    guard let expected = Self.expected else { return }
    #expect(loaded == expected || loaded.hasPrefix(expected + "."), "libcurl \(loaded) is loaded")
  }
}
